/**
 * A buffer in random order, cut into optimizer steps and those into micro-batches of similar length.
 *
 * Every micro-batch knows the counts of its whole optimizer step, so that the sum of its losses over the micro-batches
 * is the loss of the whole: how a step is cut changes speed and memory only (`docs/specs/algorithms.md` 15.5).
 */
import type { Generator as Random } from '@vlgym/core';
import { isPerToken, type PerStepOrToken, type Targets } from '../advantages/targets.js';
import type { CommonConfig } from '../config/types.js';
import { correctionOf } from '../losses/correction.js';
import { type ImportanceOptions, importanceWeights } from '../losses/importance-weights.js';
import type { Sequence } from '../policy.js';
import { oldLogProbsOf, type RolloutBuffer, type StepRecord } from '../rollout/record.js';
import { sequenceOf } from '../rollout/rescore.js';
import { type MicroBatchLimits, microBatches } from './micro-batches.js';

/** B steps with responses of up to L tokens; flat arrays are [B*L] with 0 on padding. */
export interface MicroBatch {
  readonly steps: readonly StepRecord[];
  readonly sequences: readonly Sequence[];
  readonly rows: number;
  /** L, the longest response. */
  readonly length: number;
  /** 1 on response tokens that the policy loss uses. */
  readonly mask: Float32Array;
  readonly thoughtMask: Float32Array;
  readonly actionMask: Float32Array;
  readonly oldLogProbs: Float32Array;
  /** Empty if the regularizer needs none. */
  readonly referenceLogProbs: Float32Array;
  /** Constant factors against sampling that differs from the training distribution. */
  readonly importance?: Float64Array;
  /** [B] product over the response, for step losses. */
  readonly stepImportance?: Float64Array;
  /** [B*L] advantage of each token: its own, or that of its step. */
  readonly tokenAdvantages: Float64Array;
  /** [B] absent if advantages are per token. */
  readonly stepAdvantages?: Float64Array;
  /** [B] 1 on steps that the policy loss uses. */
  readonly stepMask: Uint8Array;
  /** The critic values tokens, and not steps: `returns` and `oldValues` are [B*L]. */
  readonly isTokenCritic: boolean;
  /** [B] or [B*L] in units of the critic: rewards divided by `reward.scale`. */
  readonly returns: Float64Array;
  readonly oldValues: Float64Array;
  /** Counts of the whole optimizer step. */
  readonly totals: {
    /** Trained tokens. */
    readonly tokens: number;
    /** Trained steps. */
    readonly sequences: number;
    /** All steps: what the critic averages over. */
    readonly steps: number;
    /** All tokens of their responses: what a critic of tokens averages over. */
    readonly responseTokens: number;
  };
  /** 1 / number of micro-batches of the optimizer step. */
  readonly share: number;
}

/** One optimizer step. */
export interface MiniBatch {
  readonly microBatches: readonly MicroBatch[];
}

/**
 * One epoch over the buffer in a fresh permutation of steps, or of episodes, whose turns are then read together; the last
 * optimizer step may be smaller and averages over its size.
 *
 * @param trainedOnly  Leave out steps that the policy does not learn from, which add 0 to its loss: where no critic learns
 *   with it and nothing else reads them. An optimizer step without any trained one keeps all.
 */
export function* miniBatches(
  buffer: RolloutBuffer,
  targets: Targets,
  config: CommonConfig,
  rng: Random,
  { trainedOnly = false } = {},
): Generator<MiniBatch> {
  const { steps } = buffer;
  const correction = correctionOf(config, buffer);
  const { batch, shuffle, microBatch: rows, microBatchTokens: tokens } = config.optimizer;
  const drawn = shuffle === 'episodes' ? episodesOf(steps) : steps.map((_, index) => [index]);
  for (const indices of batches(rng.permutation(drawn), batch)) {
    yield { microBatches: cut(indices, steps, targets, { config, correction, trainedOnly }, { rows, tokens }) };
  }
}

/** Indices of the steps of each episode. */
function episodesOf(steps: readonly StepRecord[]): number[][] {
  const episodes = new Map<string, number[]>();
  for (const [index, { episodeId }] of steps.entries()) {
    const known = episodes.get(episodeId);
    if (known) known.push(index);
    else episodes.set(episodeId, [index]);
  }
  return [...episodes.values()];
}

/** Parts one after the other, none of them cut, in runs that end where they have reached `size`. */
function* batches(parts: readonly (readonly number[])[], size: number): Generator<number[]> {
  let batch: number[] = [];
  for (const part of parts) {
    batch.push(...part);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Settings {
  readonly config: CommonConfig;
  readonly correction: ImportanceOptions | undefined;
  readonly trainedOnly: boolean;
}

function cut(
  indices: readonly number[],
  steps: readonly StepRecord[],
  targets: Targets,
  settings: Settings,
  limits: MicroBatchLimits,
): MicroBatch[] {
  const trained = indices.filter((index) => targets.policyMask[index]);
  const tokensOf = (rows: readonly number[]) => rows.reduce((sum, row) => sum + steps[row]!.responseIds.length, 0);
  const totals = {
    tokens: tokensOf(trained),
    sequences: trained.length,
    steps: indices.length,
    responseTokens: tokensOf(indices),
  };
  const read = settings.trainedOnly && trained.length > 0 ? trained : indices;
  const inOrder = read.toSorted((a, b) => a - b);
  const groups = microBatches(inOrder, (index) => sequenceOf(steps[index]!), limits);
  return groups.map((group) => ({ ...layOut(group, steps, targets, settings), totals, share: 1 / groups.length }));
}

function layOut(
  group: readonly number[],
  all: readonly StepRecord[],
  targets: Targets,
  { config, correction }: Settings,
): Omit<MicroBatch, 'totals' | 'share'> {
  const steps = group.map((index) => all[index]!);
  const rows = steps.length;
  const length = Math.max(...steps.map((step) => step.responseIds.length));
  const pad = (pick: (step: StepRecord, row: number) => ArrayLike<number> | undefined) => {
    const flat = new Float32Array(rows * length);
    steps.forEach((step, row) => {
      const values = pick(step, row);
      if (values) flat.set(values, row * length);
    });
    return flat;
  };
  const stepMask = Uint8Array.from(group, (index) => targets.policyMask[index]!);
  const responses = pad((step) => new Uint8Array(step.responseIds.length).fill(1));
  const oldLogProbs = pad(oldLogProbsOf);
  const behaviorLogProbs = () => pad((step) => step.behaviorLogProbs);
  const weights = correction && importanceWeights(oldLogProbs, behaviorLogProbs(), responses, rows, correction);
  const { scale } = config.reward;
  const { advantages, returns } = targets;
  const isTokenCritic = isPerToken(returns ?? []);
  /** [B*L] what every token has, or its step. */
  const onTokens = (values: PerStepOrToken) =>
    Float64Array.from({ length: rows * length }, (_, i) => {
      const own = values[group[Math.floor(i / length)]!]!;
      return typeof own === 'number' ? own : (own[i % length] ?? 0);
    });
  const onSteps = (values: Float64Array) => Float64Array.from(group, (index) => values[index]!);
  return {
    steps,
    sequences: steps.map(sequenceOf),
    rows,
    length,
    mask: responses.map((bit, i) => bit * stepMask[Math.floor(i / length)]!),
    thoughtMask: pad((step) => step.thoughtMask),
    actionMask: pad((step) => step.actionMask),
    oldLogProbs,
    referenceLogProbs: pad((step) => step.referenceLogProbs),
    ...(weights && { importance: weights.tokens, stepImportance: weights.sequences }),
    tokenAdvantages: onTokens(advantages),
    ...(!isPerToken(advantages) && { stepAdvantages: onSteps(advantages) }),
    stepMask,
    isTokenCritic,
    returns: returns
      ? (isPerToken(returns) ? onTokens(returns) : onSteps(returns)).map((value) => value / scale)
      : new Float64Array(rows),
    oldValues: isTokenCritic
      ? Float64Array.from(
          pad((step) => step.tokenValues),
          (value) => value / scale,
        )
      : Float64Array.from(steps, (step) => step.value / scale),
  };
}
