/**
 * Log-probabilities, entropies, values and divergences of given sequences, without gradients.
 *
 * Micro-batches run one after the other, off the event loop, with a turn of it between them. A divergence takes a second
 * pass over a group of micro-batches, so that the other weights are put in place once for the group.
 */
import { setImmediate } from 'node:timers/promises';
import { keep, noGrad, type Tensor, tidyAsync } from '@vlgym/gpu';
import type { Divergence, ScoreOptions, Scores, Sequence, WeightSet } from '@vlgym/rl';
import { microBatches } from '@vlgym/rl/update';
import type { PolicyParts } from '../policy-parts.js';
import { divergenceBetween } from './divergence.js';
import { assertResponses, assertTemperature, responseBatch } from './forward.js';
import { DENSE_VOCABULARY, type ResponseBatch } from './response-batch.js';

/** Scores of one forward, 256 MB in float32, where the vocabulary is small enough to keep whole distributions. */
const SCORES_PER_BATCH = 2 ** 26;
/** Hidden states that wait for the second pass of a divergence. */
const BYTES_PER_GROUP = 2 ** 28;
const EMPTY = new Float32Array(0);

/** Rows of one forward and their places among all sequences. */
interface Batch {
  readonly rows: readonly Sequence[];
  readonly positions: readonly number[];
}

/**
 * @param batchTokens           Tokens of one forward, padding included.
 * @throws {EmptyResponseError} A sequence has no response.
 */
export async function scoreSequences(
  parts: PolicyParts,
  sequences: readonly Sequence[],
  options: ScoreOptions,
  batchTokens: number,
): Promise<Scores> {
  assertResponses(sequences);
  assertTemperature(options.temperature);
  const { divergence, states, tokenValues } = options;
  const scores = {
    logProbs: new Array<Float32Array>(sequences.length),
    entropies: new Array<Float32Array>(sequences.length),
    values: new Float32Array(sequences.length),
    ...(divergence && { divergences: new Array<Float32Array>(sequences.length) }),
    ...(states && { states: new Array<Float32Array>(sequences.length) }),
    ...(tokenValues && { tokenValues: new Array<Float32Array>(sequences.length) }),
  };
  const batches = batchesOf(parts, sequences, batchTokens).values();
  for (let group = nextGroup(parts, batches, divergence); group.length > 0; ) {
    const kept: Tensor[] = [];
    try {
      await parts.serialQueue.run(() =>
        inTurns(parts, options.weights ?? 'current', group, async (batch) => {
          kept.push(...(await scoreBatch(parts, batch, options, scores)));
        }),
      );
      if (divergence) {
        await parts.serialQueue.run(() =>
          inTurns(parts, divergence.from, group, (batch, i) =>
            scoreDivergence(parts, batch, { options, divergence, own: kept[i]! }, scores.divergences!),
          ),
        );
      }
    } finally {
      for (const tensor of kept) tensor.dispose();
    }
    group = nextGroup(parts, batches, divergence);
  }
  return scores;
}

function batchesOf(parts: PolicyParts, sequences: readonly Sequence[], tokens: number): Batch[] {
  const vocabulary = parts.network.language.config.vocabSize;
  // with a large vocabulary scores are computed in chunks
  const isChunked = vocabulary > (parts.denseVocabulary ?? DENSE_VOCABULARY);
  const responseTokens = isChunked ? undefined : Math.min(tokens, Math.floor(SCORES_PER_BATCH / vocabulary));
  const inOrder = [...sequences.keys()];
  return microBatches(inOrder, (position) => sequences[position]!, { tokens, responseTokens }).map((positions) => ({
    positions,
    rows: positions.map((position) => sequences[position]!),
  }));
}

/** One micro-batch without a divergence; with one, as many as keep few enough hidden states. */
function nextGroup(
  { network }: PolicyParts,
  batches: ArrayIterator<Batch>,
  divergence: Divergence | undefined,
): readonly Batch[] {
  const group: Batch[] = [];
  for (let bytes = 0; bytes < (divergence ? BYTES_PER_GROUP : 1); ) {
    const { value: batch } = batches.next();
    if (!batch) break;
    group.push(batch);
    const longest = Math.max(...batch.rows.map(({ responseIds }) => responseIds.length));
    bytes += batch.rows.length * longest * network.language.config.hiddenSize * 4;
  }
  return group;
}

/** Other work of the process continues between two micro-batches. */
async function inTurns(
  { sets }: PolicyParts,
  weights: NonNullable<ScoreOptions['weights']>,
  group: readonly Batch[],
  compute: (batch: Batch, i: number) => Promise<void>,
): Promise<void> {
  await sets.holding(weights, async () => {
    for (const [i, batch] of group.entries()) {
      await compute(batch, i);
      await setImmediate();
    }
  });
}

/** Values of the observations, and before each token if asked for. */
interface Values {
  readonly ofSteps: readonly number[];
  readonly ofTokens: readonly Float32Array[] | undefined | false;
}

type Found = Awaited<ReturnType<ResponseBatch['scores']>>;
type Outputs = ReturnType<ResponseBatch['forward']>;

/** One forward under a set of weights, off the event loop, and what is made of it. */
export async function forwarded<T>(
  parts: PolicyParts,
  weights: WeightSet,
  rows: readonly Sequence[],
  use: (batch: ResponseBatch, outputs: Outputs) => T | Promise<T>,
): Promise<T> {
  await parts.builder.prefetch(rows.map(({ input }) => input));
  return tidyAsync(async () => {
    const within = <R>(compute: () => R): R => parts.sets.use(weights, compute);
    const batch = within(() => responseBatch(parts, rows));
    const outputs = batch.forward(await batch.hidden(within));
    const { result } = within(() => ({ result: use(batch, outputs) }));
    return result;
  });
}

/** Writes the scores of the rows at their positions. @returns The hidden states, where a divergence needs them. */
async function scoreBatch(
  parts: PolicyParts,
  { rows, positions }: Batch,
  { weights = 'current', temperature = 1, divergence, logProbs = true, entropies = true, ...options }: ScoreOptions,
  scores: Scores,
): Promise<Tensor[]> {
  const isScored = logProbs || entropies;
  const write = (values: Values, { states, prompts }: Outputs, found: Found | null): Tensor[] => {
    const logProbRows = found && perRow(found.logProbs, rows);
    const entropyRows = found?.entropies && perRow(found.entropies, rows);
    const width = prompts.size(1);
    const flat = options.states && Float32Array.from(prompts.toNumbers());
    for (const [i, position] of positions.entries()) {
      scores.logProbs[position] = logProbs ? logProbRows![i]! : EMPTY;
      scores.entropies[position] = entropyRows?.[i] ?? EMPTY;
      scores.values[position] = values.ofSteps[i]!;
      if (values.ofTokens) scores.tokenValues![position] = values.ofTokens[i]!;
      if (flat) scores.states![position] = flat.slice(i * width, (i + 1) * width);
    }
    return divergence ? [keep(states.clone())] : [];
  };
  const valuesOf = (batch: ResponseBatch, { prompts, states }: Outputs): Values => ({
    ofSteps: batch.values(prompts).toNumbers(),
    ofTokens: options.tokenValues && perRow(batch.values(states), rows),
  });
  return forwarded(parts, weights, rows, async (batch, outputs) => {
    const values = valuesOf(batch, outputs);
    return write(values, outputs, isScored ? await batch.scores(outputs.states, temperature, entropies) : null);
  });
}

async function scoreDivergence(
  parts: PolicyParts,
  { rows, positions }: Batch,
  { options, divergence, own }: { options: ScoreOptions; divergence: Divergence; own: Tensor },
  divergences: Float32Array[],
): Promise<void> {
  const { sets } = parts;
  const { weights = 'current', temperature = 1 } = options;
  await forwarded(parts, divergence.from, rows, (batch, { states: other }) => {
    const result = noGrad(() =>
      divergenceBetween(
        batch,
        { states: own, use: (compute) => sets.useOutput(weights, compute) },
        { states: other, use: (compute) => sets.useOutput(divergence.from, compute) },
        { kind: divergence.kind, temperature: divergence.temperature ?? temperature },
      ),
    );
    for (const [i, row] of perRow(result, rows).entries()) divergences[positions[i]!] = row;
  });
}

/** The response tokens of every row of a [B, L] tensor. */
function perRow(tensor: Tensor, rows: readonly Sequence[]): Float32Array[] {
  const length = tensor.size(1);
  const entries = Float32Array.from(tensor.toArray() as Float32Array | Float64Array);
  return rows.map(({ responseIds }, i) => entries.slice(i * length, i * length + responseIds.length));
}
