/**
 * Old log-probs, entropies and values of a buffer, recomputed with one forward per step under the training definition.
 *
 * This removes every mismatch between sampling code and training code; the behavior log-probs stay as sampled
 * (`docs/specs/algorithms.md` 18). Values of real successors are read at truncations and at the end of the buffer.
 */
import type { AnyConfig } from '../config/types.js';
import type { Divergence, Policy } from '../policy.js';
import type { RolloutBuffer, StepRecord } from './record.js';

export const sequenceOf = ({ input, responseIds }: StepRecord) => ({ input, responseIds });

export interface RescoreOptions {
  /** How far the policy is from other weights, measured in the same pass by one forward of these. */
  readonly divergence?: Divergence | undefined;
  /** Also set the values of all tokens, for a critic of tokens. */
  readonly tokenValues?: boolean | undefined;
}

/**
 * Sets `oldLogProbs` and `entropies` of every step; with a critic `value`, `nextValue` and `state`; where the regularizer
 * needs them `referenceLogProbs`.
 *
 * @returns [B][L] the divergence that was asked for.
 */
export async function rescore(
  { policy, config }: { readonly policy: Policy; readonly config: AnyConfig },
  buffer: RolloutBuffer,
  { divergence, tokenValues = false }: RescoreOptions = {},
): Promise<readonly Float32Array[] | undefined> {
  const { steps } = buffer;
  const { loss, reward, value: critic } = config;
  const scores = await policy.score(steps.map(sequenceOf), {
    temperature: loss.temperature,
    ...(divergence && { divergence }),
    states: critic !== undefined && (critic.epochs !== null || critic.standardize),
    ...(tokenValues && !critic?.standardize && { tokenValues }),
  });
  const values = critic?.standardize ? await standardized(policy, scores.states!) : scores.values;
  const ofTokens = tokenValues && critic?.standardize ? await tokenValuesOf(policy, steps) : scores.tokenValues;
  steps.forEach((step, index) => {
    step.oldLogProbs = scores.logProbs[index]!;
    step.entropies = scores.entropies[index]!;
    step.value = critic ? values[index]! * reward.scale : 0;
    if (scores.states) step.state = scores.states[index]!;
    if (ofTokens) step.tokenValues = Float64Array.from(ofTokens[index]!, (value) => value * reward.scale);
  });
  if (critic) await scoreSuccessors(policy, buffer, config);
  await scoreReference(policy, steps, config);
  return scores.divergences;
}

/** Values after the head has followed the hidden states to where the last update moved them. */
async function standardized(policy: Policy, states: readonly Float32Array[]): Promise<Float32Array> {
  policy.standardizeValues(states);
  return policy.valuesOf(states);
}

/** Values of all tokens, by the head as it is now. */
async function tokenValuesOf(policy: Policy, steps: readonly StepRecord[]): Promise<Float32Array[] | undefined> {
  const onlyValues = { tokenValues: true, logProbs: false, entropies: false };
  return (await policy.score(steps.map(sequenceOf), onlyValues)).tokenValues;
}

async function scoreSuccessors(
  policy: Policy,
  { steps, trajectories }: RolloutBuffer,
  { loss, reward }: AnyConfig,
): Promise<void> {
  const cut = steps.filter((step) => step.successor !== undefined);
  // a value is read at the last prompt token; the response only has to be there
  const successors = cut.map(({ successor: input }) => ({ input: input!, responseIds: input!.promptIds.slice(-1) }));
  const { temperature } = loss;
  const onlyValues = { temperature, logProbs: false, entropies: false };
  const { values } = successors.length > 0 ? await policy.score(successors, onlyValues) : { values: [] };
  const successorValues = new Map(cut.map((step, index) => [step, values[index]! * reward.scale]));
  for (const rows of trajectories) {
    for (const [index, row] of rows.entries()) {
      const step = steps[row]!;
      const next = steps[rows[index + 1] ?? -1];
      if (step.terminated) step.nextValue = 0;
      else if (step.successor) step.nextValue = successorValues.get(step)!;
      // a failed environment showed no successor
      else step.nextValue = step.error ? step.value : (next?.value ?? 0);
    }
  }
}

/** Log-probabilities of the frozen reference, for a regularizer that estimates its KL on sampled tokens. */
async function scoreReference(
  policy: Policy,
  steps: readonly StepRecord[],
  { loss, regularizer }: AnyConfig,
): Promise<void> {
  if (!regularizer || ['none', 'exact'].includes(regularizer.kl) || regularizer.klTo === 'old') return;
  const { temperature } = loss;
  const options = { temperature, weights: regularizer.klTo, entropies: false };
  const reference = await policy.score(steps.map(sequenceOf), options);
  steps.forEach((step, index) => {
    step.referenceLogProbs = reference.logProbs[index]!;
  });
}
