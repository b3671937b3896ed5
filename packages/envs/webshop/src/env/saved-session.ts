/** Converts sessions to JSON data and back. */
import { GymError, parseState, savedCount, show } from '@vlgym/core';
import { PythonRandom, type PythonRandomState } from '@vlgym/core/random';
import { z } from 'zod';
import { type Session, SUB_PAGES } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';

/** Maximum length of texts, in UTF-16 units, and of lists in a session. */
const MAX_TEXT = 100_000;
const MAX_ENTRIES = 100_000;

const text = z.string().max(MAX_TEXT);
const pairs = z.array(z.tuple([text, text])).max(MAX_ENTRIES);

/** Schema of a saved session. */
export const savedFields = z.strictObject({
  id: text,
  goalIndex: savedCount,
  page: z.enum(['index', 'results', 'item', 'sub-page', 'cart', 'done']),
  subPage: z.enum(SUB_PAGES).nullable(),
  keywords: z.array(text).max(MAX_ENTRIES).nullable(),
  pageNumber: z.int().min(1).nullable(),
  hits: z.array(savedCount).max(MAX_ENTRIES),
  asin: text.nullable(),
  asins: z.array(text).max(MAX_ENTRIES),
  options: pairs,
  kept: z.array(z.tuple([text, pairs])).max(MAX_ENTRIES),
  counts: z.record(text, savedCount),
  done: z.boolean(),
  reward: z.number().nullable(),
  parts: z.looseObject({}).nullable(),
  shop: z.string().max(MAX_TEXT).optional(),
});

export type SavedSession = Omit<Session, 'goal' | 'asins' | 'options' | 'kept'> & {
  readonly asins: readonly string[];
  readonly options: readonly (readonly [string, string])[];
  readonly kept: readonly (readonly [string, readonly (readonly [string, string])[]])[];
  /** Fingerprint of the session's shop; absent in older snapshots. */
  readonly shop?: string;
};

/** @param shop  The shop of the session; the session can be restored there only. */
export function savedSession({ goal: _, asins, options, kept, ...rest }: Session, shop: Shop): SavedSession {
  return {
    ...rest,
    asins: [...asins],
    options: [...options],
    kept: [...kept].map(([asin, chosen]) => [asin, [...chosen]] as const),
    shop: shopMark(shop),
  };
}

/** @throws {SnapshotStateError} The data is not a session, or belongs to another shop. */
export function sessionFrom(saved: SavedSession, shop: Shop): Session {
  parseState(saved, 'webshop session', savedFields);
  refuseOtherShop(saved, shop);
  refuseIncompletePage(saved);
  const { asins, options, kept, shop: _, ...rest } = saved;
  return {
    ...rest,
    goal: shop.goals[rest.goalIndex]!,
    asins: new Set(asins),
    options: new Map(options),
    kept: new Map(kept.map(([asin, chosen]) => [asin, new Map(chosen)])),
  };
}

function refuseOtherShop({ shop: from, goalIndex, hits, asin }: SavedSession, shop: Shop): void {
  const here = shopMark(shop);
  const strange = hits.find((position) => position >= shop.products.size);
  const value =
    (from !== undefined && from !== here && from) ||
    (goalIndex >= shop.goals.length && `goal ${goalIndex}`) ||
    (strange !== undefined && `the product at ${strange}`) ||
    (asin !== null && !shop.productOf(asin) && `the product ${asin}`);
  if (value) throw new SnapshotStateError('another shop', value, here);
}

/** Each page needs certain fields. */
function refuseIncompletePage({ page, subPage, keywords, asin }: SavedSession): void {
  const lacks =
    (page === 'results' && !keywords && 'keywords') ||
    (page === 'sub-page' && !subPage && 'subPage') ||
    (page !== 'index' && page !== 'results' && asin === null && 'asin');
  if (lacks) throw new SnapshotStateError('no state', page, `a page "${page}" with \`${lacks}\``);
}

const marks = new WeakMap<Shop, string>();

/** Fingerprint of a shop: positions of products and goals differ between shops. */
function shopMark(shop: Shop): string {
  const known = marks.get(shop);
  if (known !== undefined) return known;
  const { products, goals } = shop;
  const [first, last] = [products.at(0), products.at(products.size - 1)];
  const ends = `${products.size} products from ${first.asin} to ${last.asin}`;
  const mark = `${ends}, ${goals.length} goals from "${goals[0]!.instruction}"`;
  marks.set(shop, mark);
  return mark;
}

/** The state of a snapshot is invalid, or belongs to another shop. The environment is unchanged. */
export class SnapshotStateError extends GymError {
  constructor(problem: 'no state' | 'another shop', value: unknown, expected: string) {
    const message = problem === 'no state' ? 'The snapshot has no valid state' : 'The snapshot is of another shop';
    super(`${message}: ${show(value)}.`, {
      code: 'SNAPSHOT_MISMATCH',
      value,
      expected,
      hint:
        problem === 'no state'
          ? 'pass the unchanged result of `snapshot()`'
          : 'restore it in an environment with the same catalog and goals',
    });
  }
}

export function restoredRandom(state: PythonRandomState): PythonRandom {
  const random = new PythonRandom(0);
  random.setState(state);
  return random;
}
