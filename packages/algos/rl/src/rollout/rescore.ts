/**
 * Old log-probs, entropies and values of a buffer, recomputed with one forward per step under the training definition;
 * the teacher's divergence comes from the same forward and one of the teacher.
 *
 * This removes every mismatch between sampling code and training code; the behavior log-probs stay as sampled
 * (`docs/specs/algorithms.md` 18). Values of real successors are read at truncations and at the end of the buffer.
 */
import type { Policy } from '../policy.js';
import type { AlgorithmConfig } from '../training/config.js';
import type { RolloutBuffer, StepRecord } from './record.js';

export const sequenceOf = ({ input, responseIds }: StepRecord) => ({ input, responseIds });

/**
 * Sets `oldLogProbs`, `entropies`, `value` and `nextValue`; where they are needed also `state`, `teacherDivergence` (by
 * one forward of the teacher in the same pass) and `referenceLogProbs`.
 */
export async function rescore(
  policy: Policy,
  { steps, environments }: RolloutBuffer,
  config: AlgorithmConfig,
): Promise<void> {
  const { temperature } = config.loss;
  const { scale } = config.reward;
  const { kind, klEstimator, klTemperature } = config.guidance;
  const divergence = {
    from: 'teacher',
    temperature: klTemperature,
    kind: klEstimator === 'exact' ? 'exact-kl' : 'log-ratio',
  } as const;
  const scores = await policy.score(steps.map(sequenceOf), {
    temperature,
    ...(kind === 'teacher-kl' && { divergence }),
    states: config.value.epochs !== null || config.value.standardize,
  });
  const ownValues = config.value.standardize ? await standardized(policy, scores.states!) : scores.values;
  steps.forEach((step, index) => {
    step.oldLogProbs = scores.logProbs[index]!;
    step.entropies = scores.entropies[index]!;
    step.value = ownValues[index]! * scale;
    if (scores.states) step.state = scores.states[index]!;
    if (scores.divergences) step.teacherDivergence = scores.divergences[index]!;
  });

  const cut = steps.filter((step) => step.successor !== undefined);
  // a value is read at the last prompt token; the response only has to be there
  const successors = cut.map(({ successor: input }) => ({ input: input!, responseIds: input!.promptIds.slice(-1) }));
  const { values } = successors.length > 0 ? await policy.score(successors, { temperature }) : { values: [] };
  const successorValues = new Map(cut.map((step, index) => [step, values[index]! * scale]));
  steps.forEach((step, index) => {
    const next = steps[index + environments];
    if (step.terminated) step.nextValue = 0;
    else if (step.successor) step.nextValue = successorValues.get(step)!;
    // a failed environment showed no successor: its own value makes the step neutral
    else step.nextValue = step.error ? step.value : (next?.value ?? 0);
  });

  const { kl, klTo } = config.regularizer;
  if (kl === 'none' || kl === 'exact' || klTo === 'old') return;
  const reference = await policy.score(steps.map(sequenceOf), { temperature, weights: klTo });
  steps.forEach((step, index) => {
    step.referenceLogProbs = reference.logProbs[index]!;
  });
}

/** Values after the head has followed the hidden states to where the last update moved them. */
async function standardized(policy: Policy, states: readonly Float32Array[]): Promise<Float32Array> {
  policy.standardizeValues(states);
  return policy.valuesOf(states);
}
