/** A step that an update learns from, as a line of `training/update-….jsonl`. */
import type { StepRecord, TargetsOfUpdate } from '@vlgym/rl';
import { klEstimate } from '@vlgym/rl/losses';
import type { RecordedScores } from './recorded-scores.js';

const SCHEMA = 'vlgym.training-step/1';
/** Schema of the lines that are written after the update. */
const COLUMNS_SCHEMA = 'vlgym.training-columns/1';

/** @param row  Index of the step in the buffer. @param pictures  Hashes of those in its prompt. */
export function trainingLine(
  { update, buffer, targets }: TargetsOfUpdate,
  row: number,
  pictures: readonly string[],
  scores: RecordedScores,
) {
  const step = buffer.steps[row]!;
  const { advantages, returns, policyMask } = targets;
  const advantage = advantages[row];
  const targetOf = returns?.[row];
  return {
    schema: SCHEMA,
    update,
    ...numbersOf(step, scores, pictures),
    advantage: plainly(advantage),
    ...(targetOf !== undefined && { return: plainly(targetOf) }),
    inPolicyLoss: policyMask[row] === 1,
  };
}

/** Log-probs under the weights that the update has led to: a line of `training/update-….columns.jsonl`. */
export const columnsLine = ({ episodeId, stepIndex }: StepRecord, after: Float32Array) => ({
  schema: COLUMNS_SCHEMA,
  episode: episodeId,
  step: stepIndex,
  logProbsAfter: numbers(after),
});

/** One number per step, or one per token. */
const plainly = (value: number | ArrayLike<number> | undefined) =>
  typeof value === 'object' ? Array.from(value) : value;

function numbersOf(step: StepRecord, scores: RecordedScores, pictures: readonly string[]) {
  const { input, parsed, oldLogProbs = new Float32Array() } = step;
  const { reference, teacher, sightGray, sightWrong } = scores;
  // k3 (`docs/specs/algorithms.md` 6.1), nats
  const klTo = (other: Float32Array) =>
    numbers(oldLogProbs.map((logProb, token) => klEstimate(logProb - other[token]!, 'k3')));
  return {
    episode: step.episodeId,
    step: step.stepIndex,
    environment: step.environment,
    ...(step.group !== undefined && { group: step.group }),
    policyVersion: step.policyVersion,
    promptIds: Array.from(input.promptIds),
    pictures,
    text: step.text,
    tokenIds: Array.from(step.responseIds),
    tokenEnds: Array.from(step.tokenEnds),
    thoughtMask: Array.from(step.thoughtMask),
    actionMask: Array.from(step.actionMask),
    behaviorLogProbs: numbers(step.behaviorLogProbs),
    logProbs: numbers(oldLogProbs),
    entropies: numbers(step.entropies),
    ...(step.tokenValues && { tokenValues: numbers(step.tokenValues) }),
    ...(reference && { referenceLogProbs: numbers(reference), referenceKl: klTo(reference) }),
    ...(teacher && { teacherLogProbs: numbers(teacher), teacherKl: klTo(teacher) }),
    ...(sightGray && { sightGray: numbers(sightGray) }),
    ...(sightWrong && { sightWrong: numbers(sightWrong) }),
    thought: parsed.thought,
    action: parsed.actionText,
    legal: parsed.legal,
    fallback: step.fallback,
    reward: step.reward,
    value: step.value,
    nextValue: step.nextValue,
    terminated: step.terminated,
    truncated: step.truncated,
    ...(step.error && { error: step.error }),
  };
}

/** Nine digits give back every number of single precision. */
const numbers = (values: Float32Array | Float64Array): number[] =>
  Array.from(values, (value) => Number(value.toPrecision(9)));
