/**
 * Numbers of tokens that training does not need and a record does. Each is a forward pass of the recorded steps: log-probs of
 * the reference and of the teacher, sight against gray and wrong pictures, log-probs after the update. `ScoreBudget`
 * says how many steps they are computed for, so that a record takes a stated share of the training's time. Which steps
 * depends on counts alone, never on a clock. `bench/record.ts` measures what it comes to.
 */
import type { Policy, RolloutBuffer, Sequence, StepRecord } from '@vlgym/rl';
import { sequenceOf } from '@vlgym/rl/rollout';
import { withGrayPictures, withWrongPictures } from '@vlgym/rl/update';

/** Forward passes of a step in training: its prompt and its answer are sampled, and scored once. */
const TO_PLAY = 3;
/** Those of an epoch: a backward pass is about two forward passes. */
const PER_EPOCH = 3;

/** [L] each, where they were computed. */
export interface RecordedScores {
  readonly reference?: Float32Array;
  readonly teacher?: Float32Array;
  /** log π(token | picture) − log π(token | gray picture), nats. */
  readonly sightGray?: Float32Array;
  /** The same against the picture of another episode. */
  readonly sightWrong?: Float32Array;
}

export interface ScoreSettings {
  readonly policy: Policy;
  /** Temperature of the loss, and so of the log-probabilities. */
  readonly temperature: number;
  /** The run has a merged teacher. */
  readonly hasTeacher: boolean;
  /** The buffer has the log-probs of the reference already. */
  readonly hasReference: boolean;
  /** Passes over the buffer in one update. */
  readonly epochs: number;
  /** Share of the training's forward passes, 0 to 1. */
  readonly share: number;
  /** Updates between those that are recorded. */
  readonly every: number;
}

/** Steps of an update whose scores fit into the share; at least one, unless that is 0. @param steps  All steps of the update. */
export function affordableSteps(settings: ScoreSettings, steps: readonly StepRecord[]): number {
  const { hasTeacher, hasReference, epochs, share, every } = settings;
  if (share === 0) return 0;
  const hasPictures = steps.some(({ input }) => input.images.length > 0);
  const passes = 1 + (hasReference ? 0 : 1) + (hasTeacher ? 1 : 0) + (hasPictures ? 2 : 0);
  const training = every * steps.length * (TO_PLAY + PER_EPOCH * epochs);
  return Math.max(1, Math.floor((share * training) / passes));
}

/** Scores of steps before the update, in their order. */
export async function scoresBefore(
  settings: ScoreSettings,
  steps: readonly StepRecord[],
  { steps: all }: RolloutBuffer,
): Promise<RecordedScores[]> {
  const { policy, temperature, hasTeacher, hasReference } = settings;
  const score = async (weights: 'current' | 'reference' | 'teacher', sequences: readonly Sequence[]) =>
    sequences.length === 0 ? [] : (await policy.score(sequences, { temperature, weights, entropies: false })).logProbs;
  const sight = async (changed: readonly (Sequence | undefined)[]) => {
    const blind = await score(
      'current',
      changed.flatMap((sequence) => sequence ?? []),
    );
    let next = 0;
    return changed.map((sequence, row) => {
      const without = sequence && blind[next++]!;
      return without && steps[row]!.oldLogProbs!.map((logProb, token) => logProb - without[token]!);
    });
  };
  const own = steps.map(sequenceOf);
  const reference = hasReference ? steps.map((step) => step.referenceLogProbs!) : await score('reference', own);
  const teacher = hasTeacher ? await score('teacher', own) : [];
  const gray = await sight(steps.map(withGrayPictures));
  const wrong = await sight(steps.map((step) => withWrongPictures(step, all)));
  return steps.map((_, row) => ({
    ...(reference[row] && { reference: reference[row] }),
    ...(teacher[row] && { teacher: teacher[row] }),
    ...(gray[row] && { sightGray: gray[row] }),
    ...(wrong[row] && { sightWrong: wrong[row] }),
  }));
}

/** [B][L] log-probs of steps under the weights as they are now. */
export async function scoresNow(
  { policy, temperature }: ScoreSettings,
  steps: readonly StepRecord[],
): Promise<readonly Float32Array[]> {
  return (await policy.score(steps.map(sequenceOf), { temperature, entropies: false })).logProbs;
}
