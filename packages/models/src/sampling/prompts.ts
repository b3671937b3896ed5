/**
 * Reading prompts into a cache, each part of them once: equal prompts share one row until their first tokens are drawn, and
 * the tokens that all prompts begin with (a system message) are read for one row and copied to the others.
 */
import { cat, keep, ones, type Tensor, zeros } from '@vlgym/gpu';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { keepPositions, narrowPositions } from '../batch/positions.js';
import type { TokenRow } from '../batch/token-rows.js';
import type { LanguageModel, ModelCache, Positions } from '../language-model.js';
import type { ActorCritic } from '../layers/actor-critic.js';
import { KeyValueCache } from '../layers/key-value-cache.js';

/** A common beginning is read separately where that saves at least this many tokens. */
const MIN_SAVED_TOKENS = 64;

/** Rows after their prompts; the caller owns cache and tensors. */
export interface ReadPrompts {
  readonly cache: ModelCache;
  /** [B, D] at the last prompt token. */
  readonly hidden: Tensor;
  readonly values: readonly number[];
  /** Positions of the response tokens, [B or 1, tokens, …]. */
  readonly positions: Positions;
  /** First column of each row in the cache; those before it are padding. */
  readonly starts: readonly number[];
}

export function readPrompts(
  { language: model, valueHead }: ActorCritic,
  builder: BatchBuilder,
  rows: readonly TokenRow[],
  maxNewTokens: number,
): ReadPrompts {
  const { distinct, places } = distinctPrompts(rows);
  const promptLengths = distinct.map(({ promptIds }) => promptIds.length);
  const promptLength = Math.max(...promptLengths);
  const columns = promptLength + maxNewTokens;
  const positions = model.positions({ rows: distinct, promptLength, promptLengths }, columns);
  const cache = model.newCache(distinct.length, columns);
  const shared = cache instanceof KeyValueCache ? sharedTokens(distinct, builder) : 0;
  const states =
    shared > 0
      ? readWithPrefix(model, builder, distinct, { shared, positions, cache: cache as KeyValueCache, promptLength })
      : readWhole(model, builder, distinct, { positions, cache });
  let hidden = states.select(1, states.size(1) - 1);
  let generated = narrowPositions(positions, promptLength, maxNewTokens);
  let values: readonly number[] = valueHead.forward(hidden).toNumbers();
  if (distinct.length < rows.length) {
    const index = builder.ints(Int32Array.from(places), [places.length]);
    cache.select(index);
    hidden = hidden.indexSelect(0, index);
    const select = (tensor: Tensor) => (tensor.size(0) > 1 ? tensor.indexSelect(0, index) : tensor);
    generated = Object.fromEntries(Object.entries(generated).map(([name, tensor]) => [name, select(tensor)]));
    values = places.map((place) => values[place]!);
  }
  return {
    cache,
    hidden: keep(hidden),
    values,
    positions: keepPositions(generated),
    starts: places.map((place) => promptLength - promptLengths[place]!),
  };
}

interface Reading<Cache extends ModelCache = ModelCache> {
  readonly positions: Positions;
  readonly cache: Cache;
}

function readWhole(
  model: LanguageModel,
  builder: BatchBuilder,
  rows: readonly TokenRow[],
  { positions, cache }: Reading,
): Tensor {
  const batch = builder.tokens(rows, 0);
  return model.forward(model.embed(batch.ids, batch.images), {
    positions: narrowPositions(positions, 0, batch.promptLength),
    mask: builder.causalMask(batch, batch.promptLength),
    cache,
  });
}

interface PrefixReading extends Reading<KeyValueCache> {
  /** Tokens that all rows begin with. */
  readonly shared: number;
  readonly promptLength: number;
}

/** The shared tokens stand in the first columns while the rest is read, and move to their rows afterwards. */
function readWithPrefix(
  model: LanguageModel,
  builder: BatchBuilder,
  rows: readonly TokenRow[],
  { positions, cache, shared, promptLength }: PrefixReading,
): Tensor {
  const longest = rows.findIndex(({ promptIds }) => promptIds.length === promptLength);
  const ofLongest = Object.fromEntries(
    Object.entries(positions).map(([name, tensor]) => [
      name,
      tensor.size(0) > 1 ? tensor.narrow(0, longest, 1) : tensor,
    ]),
  );
  const prefix = model.newCache(1, shared) as KeyValueCache;
  const ids = builder.ints(rows[longest]!.promptIds.slice(0, shared), [1, shared]);
  model.forward(model.embed(ids, null), {
    positions: narrowPositions(ofLongest, 0, shared),
    mask: null,
    cache: prefix,
  });
  cache.fill(prefix);
  prefix.dispose();

  const batch = builder.tokens(
    rows.map(({ promptIds, images }) => ({ promptIds: promptIds.subarray(shared), images })),
    0,
  );
  const { promptLength: rest, promptLengths } = batch;
  const kind = { dtype: model.dtype, device: model.device };
  const own = builder.causalMask(batch, rest) ?? causal(rest, kind).expand([rows.length, 1, rest, rest]);
  const states = model.forward(model.embed(batch.ids, batch.images), {
    positions: narrowPositions(positions, shared, rest),
    mask: cat([zeros([rows.length, 1, rest, shared], kind), own], -1),
    cache,
  });
  for (const [row, length] of promptLengths.entries()) cache.shift(row, shared, rest - length);
  return states;
}

/** [1, 1, width, width]: 0 where a query sees a key, -inf elsewhere. */
function causal(width: number, kind: Pick<LanguageModel, 'dtype' | 'device'>): Tensor {
  const hidden = ones([width, width], { dtype: 'bool', device: kind.device }).triu(1);
  return zeros([1, 1, width, width], kind).maskedFill(hidden, Number.NEGATIVE_INFINITY);
}

/** Length of the text that all rows begin with, or 0 where reading it separately saves too little. */
function sharedTokens(rows: readonly TokenRow[], builder: BatchBuilder): number {
  const [{ promptIds: first }, ...others] = rows as readonly [TokenRow, ...TokenRow[]];
  // at least one token of every row is left to be read
  let length = Math.min(...rows.map(({ promptIds }) => promptIds.length)) - 1;
  const picture = first.indexOf(builder.imageToken);
  if (picture >= 0) length = Math.min(length, picture);
  for (const { promptIds } of others) {
    let equal = 0;
    while (equal < length && promptIds[equal] === first[equal]) equal += 1;
    length = equal;
  }
  return length * others.length >= MIN_SAVED_TOKENS ? length : 0;
}

/** Rows without repetitions, and the place of every row among them. */
function distinctPrompts(rows: readonly TokenRow[]): { distinct: TokenRow[]; places: number[] } {
  const distinct: TokenRow[] = [];
  const byText = new Map<string, number[]>();
  const places = rows.map((row) => {
    const text = row.promptIds.join();
    const alike = byText.get(text) ?? [];
    const known = alike.find((place) => samePictures(distinct[place]!, row));
    if (known !== undefined) return known;
    byText.set(text, [...alike, distinct.length]);
    return distinct.push(row) - 1;
  });
  return { distinct, places };
}

function samePictures({ images: a }: TokenRow, { images: b }: TokenRow): boolean {
  return (
    a.length === b.length &&
    a.every((image, i) => {
      const other = b[i]!;
      if (image === other) return true;
      const sameShape =
        image.height === other.height && image.width === other.width && image.channels === other.channels;
      return sameShape && Buffer.compare(image.data, other.data) === 0;
    })
  );
}
