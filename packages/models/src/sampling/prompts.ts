/**
 * Reading prompts into a cache, each part of them once: equal prompts share one row until their first tokens are drawn; what
 * earlier calls have read is not read again, where that is kept; otherwise the tokens that all prompts begin with (a system
 * message) are read for one row and copied to the others.
 */
import { cat, keep, ones, type Tensor, tidyAsync, zeros } from '@vlgym/gpu';
import type { BatchBuilder, TokenBatch } from '../batch/batch-builder.js';
import { embedInTurns, forwardOffLoop } from '../batch/off-loop.js';
import { keepPositions, narrowPositions } from '../batch/positions.js';
import type { TokenRow } from '../batch/token-rows.js';
import type { ForwardContext, LanguageModel, ModelCache, Positions } from '../language-model.js';
import type { ActorCritic } from '../layers/actor-critic.js';
import { capacityFor, KeyValueCache } from '../layers/key-value-cache.js';
import type { SamplingPlan } from './plan.js';
import type { KnownTokens } from './prompt-cache.js';

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
  network: ActorCritic,
  builder: BatchBuilder,
  rows: readonly TokenRow[],
  plan: SamplingPlan,
): Promise<ReadPrompts> {
  // the tensors made between the awaits are freed at the end
  return tidyAsync(async () => {
    await builder.prefetch(rows);
    const { language: model } = network;
    const { distinct, places } = distinctPrompts(rows);
    const promptLengths = distinct.map(({ promptIds }) => promptIds.length);
    const promptLength = Math.max(...promptLengths);
    const positions = plan.use(() =>
      model.positions({ rows: distinct, promptLength, promptLengths }, promptLength + plan.maxNewTokens),
    );
    const reading = { model, builder, rows: distinct, positions, promptLength, plan };
    const known = knownTokens(distinct, plan);
    const columns = known ? columnsAfter(distinct, known) : promptLength;
    const capacity = capacityFor(columns + plan.maxNewTokens, model.device);
    const cache = plan.use(() => model.newCache(distinct.length, capacity));
    try {
      const states = await statesOf(reading, cache, known);
      const after = plan.use(() => afterPrompts(network, reading, { states, cache, places }));
      return { ...after, cache, starts: places.map((place) => columns - promptLengths[place]!) };
    } catch (error) {
      cache.dispose();
      throw error;
    }
  });
}

function statesOf(reading: Reading, cache: ModelCache, known: readonly (KnownTokens | null)[] | null): Promise<Tensor> {
  const { rows, builder } = reading;
  if (cache instanceof KeyValueCache) {
    if (known) return readAfterKnown(reading, cache, known);
    const shared = sharedTokens(rows, builder);
    if (shared > 0) return readWithPrefix(reading, cache, shared);
  }
  return read(reading, cache, () => wholePrompts(reading));
}

interface Reading {
  readonly model: LanguageModel;
  readonly builder: BatchBuilder;
  readonly rows: readonly TokenRow[];
  /** Positions of prompts and responses. */
  readonly positions: Positions;
  /** The longest. */
  readonly promptLength: number;
  readonly plan: SamplingPlan;
}

/** The inputs of a forward, without the cache that it fills. */
interface Part extends Omit<ForwardContext, 'cache'>, Pick<TokenBatch, 'ids' | 'images'> {}

/** One forward off the event loop. */
async function read({ model, plan }: Reading, cache: ModelCache, prepare: () => Part): Promise<Tensor> {
  const { ids, images, ...context } = plan.use(prepare);
  const embeddings = await embedInTurns(model, { ids, images }, plan.use);
  const { states } = plan.use(() => ({
    states: forwardOffLoop(model, embeddings, { ...context, cache, lastOnly: true }),
  }));
  return states;
}

function wholePrompts({ builder, rows, positions }: Reading): Part {
  const batch = builder.tokens(rows, 0);
  return {
    ids: batch.ids,
    images: batch.images,
    positions: narrowPositions(positions, 0, batch.promptLength),
    mask: builder.causalMask(batch, batch.promptLength),
  };
}

/** The shared tokens occupy the first columns while the rest is read, and move to their rows afterwards. */
async function readWithPrefix(reading: Reading, cache: KeyValueCache, shared: number): Promise<Tensor> {
  const { model, builder, rows, positions, promptLength, plan } = reading;
  const prefix = plan.use(() => model.newCache(1, shared)) as KeyValueCache;
  try {
    await read(reading, prefix, () => {
      const longest = rows.findIndex(({ promptIds }) => promptIds.length === promptLength);
      const ofLongest = Object.fromEntries(
        Object.entries(positions).map(([name, tensor]) => [
          name,
          tensor.size(0) > 1 ? tensor.narrow(0, longest, 1) : tensor,
        ]),
      );
      const ids = builder.ints(rows[longest]!.promptIds.slice(0, shared), [1, shared]);
      return { ids, images: null, positions: narrowPositions(ofLongest, 0, shared), mask: null };
    });
    plan.use(() => cache.fill(prefix));
  } finally {
    prefix.dispose();
  }
  const rests = rows.map(({ promptIds, images }) => ({ promptIds: promptIds.subarray(shared), images }));
  const states = await read(reading, cache, () => {
    const batch = builder.tokens(rests, 0);
    const { promptLength: rest } = batch;
    const kind = { dtype: model.dtype, device: model.device };
    const own = builder.causalMask(batch, rest) ?? causal(rest, kind).expand([rows.length, 1, rest, rest]);
    return {
      ids: batch.ids,
      images: batch.images,
      positions: narrowPositions(positions, shared, rest),
      mask: cat([zeros([rows.length, 1, rest, shared], kind), own], -1),
    };
  });
  plan.use(() => {
    for (const [row, { promptIds }] of rows.entries()) cache.shift(row, shared, promptLength - promptIds.length);
  });
  return states;
}

interface AfterReading {
  /** [distinct rows, columns, D], of which the last is read. */
  readonly states: Tensor;
  readonly cache: ModelCache;
  /** The index of each row among the distinct ones. */
  readonly places: readonly number[];
}

/** The cached beginning of each prompt; null if that saves too little, or if a common cache cannot be assembled. */
function knownTokens(rows: readonly TokenRow[], { promptCache }: SamplingPlan): (KnownTokens | null)[] | null {
  if (!promptCache) return null;
  const known = rows.map(({ promptIds, images }) => (images.length > 0 ? null : promptCache.find(promptIds)));
  const saved = known.reduce((sum, tokens) => sum + (tokens?.count ?? 0), 0);
  return saved >= MIN_SAVED_TOKENS ? known : null;
}

/** The longest known beginning, and behind it the longest rest of another prompt. */
function columnsAfter(rows: readonly TokenRow[], known: readonly (KnownTokens | null)[]): number {
  const counts = known.map((tokens) => tokens?.count ?? 0);
  return Math.max(...counts) + Math.max(...rows.map(({ promptIds }, i) => promptIds.length - counts[i]!));
}

/**
 * Cached tokens occupy the first columns while the remaining ones are read. Afterwards they move next to their row's
 * remaining tokens.
 */
async function readAfterKnown(
  reading: Reading,
  cache: KeyValueCache,
  known: readonly (KnownTokens | null)[],
): Promise<Tensor> {
  const { model, builder, rows, positions, promptLength, plan } = reading;
  const counts = known.map((tokens) => tokens?.count ?? 0);
  const before = Math.max(...counts);
  plan.use(() => {
    const first = known.find((tokens) => tokens !== null)!.cache;
    for (const [row, tokens] of known.entries()) cache.fillRow(row, tokens?.cache ?? first, counts[row]!, before);
    cache.length = before;
  });
  const rests = rows.map(({ promptIds, images }, i) => ({ promptIds: promptIds.subarray(counts[i]!), images }));
  const rest = columnsAfter(rows, known) - before;
  const states = await read(reading, cache, () => {
    const batch = builder.tokens(rests, 0);
    const kind = { dtype: model.dtype, device: model.device };
    const own = builder.causalMask(batch, rest) ?? causal(rest, kind).expand([rows.length, 1, rest, rest]);
    const isHidden = new Float32Array(rows.length * before);
    for (const [row, count] of counts.entries())
      isHidden.fill(Number.NEGATIVE_INFINITY, row * before + count, (row + 1) * before);
    const seen = builder.floats(isHidden, [rows.length, 1, 1, before]).expand([rows.length, 1, rest, before]);
    return {
      ids: batch.ids,
      images: batch.images,
      positions: narrowPositions(positions, promptLength - rest, rest),
      mask: cat([seen, own], -1),
    };
  });
  plan.use(() => {
    for (const [row, { promptIds }] of rows.entries()) cache.shift(row, counts[row]!, before + rest - promptIds.length);
  });
  return states;
}

/** One row per prompt again, equal ones included. */
function afterPrompts(
  { valueHead }: ActorCritic,
  { builder, rows, positions, promptLength, plan }: Reading,
  { states, cache, places }: AfterReading,
): Pick<ReadPrompts, 'hidden' | 'values' | 'positions'> {
  let hidden = states.select(1, states.size(1) - 1);
  let generated = narrowPositions(positions, promptLength, plan.maxNewTokens);
  let values: readonly number[] = valueHead.forward(hidden).toNumbers();
  if (rows.length < places.length) {
    const index = builder.ints(Int32Array.from(places), [places.length]);
    cache.select(index);
    hidden = hidden.indexSelect(0, index);
    const select = (tensor: Tensor) => (tensor.size(0) > 1 ? tensor.indexSelect(0, index) : tensor);
    generated = Object.fromEntries(Object.entries(generated).map(([name, tensor]) => [name, select(tensor)]));
    values = places.map((place) => values[place]!);
  }
  return { hidden: keep(hidden), values, positions: keepPositions(generated) };
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
