/**
 * Records the training data of each update, token by token: `RUN/training/update-000005.jsonl`, one line per step in the
 * order of play, and the pictures of its prompts next to it. Written before the weights change. Recording draws no random
 * numbers and changes no result.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { writeFileAtomic } from '@vlgym/core/internal';
import { FolderImages } from '@vlgym/core/trajectory';
import type { Policy, StepRecord, TargetsOfUpdate } from '@vlgym/rl';
import { klEstimate } from '@vlgym/rl/losses';
import { sequenceOf } from '@vlgym/rl/rollout';

const TRAINING_STEPS = 'training';
const SCHEMA = 'vlgym.training-step/1';
const IMAGES = 'images';

/** Recording needs all steps of an update in one process. */
export class RecordUnsupportedError extends GymError {
  constructor(processes: number) {
    super('Training episodes are recorded by runs of one process.', {
      code: 'INVALID_OPTION',
      value: processes,
      expected: 'one process with --record',
      hint: 'remove --record or --procs',
    });
  }
}

export interface TrainingRecordOptions {
  /** The folder of the run. */
  readonly folder: string;
  /** Updates between those that are recorded. */
  readonly every: number;
  readonly policy: Policy;
  /** Temperature of the loss, and so of the log-probabilities. */
  readonly temperature: number;
}

/** For `train({ onTargets })`. */
export function trainingRecord(options: TrainingRecordOptions): (update: TargetsOfUpdate) => Promise<void> {
  const { every, policy, temperature } = options;
  const folder = join(options.folder, TRAINING_STEPS);
  const images = new FolderImages(join(folder, IMAGES));
  return async ({ update, buffer: { steps }, targets }) => {
    if (update % every !== 0) return;
    await mkdir(join(folder, IMAGES), { recursive: true });
    const references = await referenceOf(policy, steps, temperature);
    const lines = [];
    for (const [row, step] of steps.entries()) {
      const pictures = await Promise.all(step.input.images.map((image) => images.save(image)));
      const { advantages, returns, policyMask } = targets;
      lines.push(
        JSON.stringify({
          schema: SCHEMA,
          update,
          ...lineOf(step, references[row]!, pictures),
          advantage: advantages[row],
          ...(returns && { return: returns[row] }),
          inPolicyLoss: policyMask[row] === 1,
        }),
      );
    }
    await writeFileAtomic(join(folder, `update-${String(update).padStart(6, '0')}.jsonl`), `${lines.join('\n')}\n`);
  };
}

/** [B][L] log-probs of θ_0. */
async function referenceOf(
  policy: Policy,
  steps: readonly StepRecord[],
  temperature: number,
): Promise<readonly Float32Array[]> {
  const options = { temperature, weights: 'reference', entropies: false } as const;
  return (await policy.score(steps.map(sequenceOf), options)).logProbs;
}

function lineOf(step: StepRecord, reference: Float32Array, pictures: readonly string[]) {
  const { input, parsed, oldLogProbs = new Float32Array() } = step;
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
    referenceLogProbs: numbers(reference),
    // k3 (`docs/specs/algorithms.md` 6.1), nats
    referenceKl: numbers(oldLogProbs.map((logProb, token) => klEstimate(logProb - reference[token]!, 'k3'))),
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
const numbers = (values: Float32Array): number[] => Array.from(values, (value) => Number(value.toPrecision(9)));
