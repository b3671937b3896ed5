/**
 * Records the training data of each update, token by token: `RUN/training/update-000005.jsonl`, one line per step in the
 * order of play, and the pictures of its prompts next to it. Written before the weights change. `index.jsonl` says where the
 * steps of each episode lie, and `episodes.jsonl` has those episodes as trajectories, once they have ended, so that
 * they can be shown with their prompts and played again. Recording draws no random numbers and changes no result.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import {
  indexOfSteps,
  JsonLineAppender,
  type PlacedLine,
  TRAINING_FOLDER,
  TRAINING_INDEX,
  updateFile,
  writeFileAtomic,
} from '@vlgym/core/internal';
import { FolderImages } from '@vlgym/core/trajectory';
import type { Policy, StepRecord, TargetsOfUpdate, TrainOptions } from '@vlgym/rl';
import { klEstimate } from '@vlgym/rl/losses';
import { sequenceOf } from '@vlgym/rl/rollout';
import { LearnedEpisodes } from './learned-episodes.js';

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
  /** Episodes of each recorded update that are kept, those that began first; default: all. */
  readonly episodes?: number | undefined;
  /** Updates before this process; default 0. */
  readonly done?: number | undefined;
  readonly policy: Policy;
  /** Temperature of the loss, and so of the log-probabilities. */
  readonly temperature: number;
}

export interface TrainingRecord {
  /** For `train(…)`. */
  readonly hooks: Pick<TrainOptions, 'onTargets' | 'onTrajectory' | 'wantsTrajectory'>;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

export function trainingRecord(options: TrainingRecordOptions): TrainingRecord {
  const { every, policy, temperature, episodes: limit = Number.POSITIVE_INFINITY } = options;
  const folder = join(options.folder, TRAINING_FOLDER);
  const images = new FolderImages(join(folder, IMAGES));
  const learned = new LearnedEpisodes(folder, images);
  let index: JsonLineAppender | undefined;
  /** Updates whose targets were seen. */
  let seen = options.done ?? 0;

  const onTargets = async ({ update, buffer, targets }: TargetsOfUpdate) => {
    const isRecorded = update % every === 0;
    seen = update;
    const kept = new Set(isRecorded ? firstEpisodes(buffer.steps, limit) : []);
    await learned.keep(kept);
    if (!isRecorded) return;
    await mkdir(join(folder, IMAGES), { recursive: true });
    const rows = [...buffer.steps.keys()].filter((row) => kept.has(buffer.steps[row]!.episodeId));
    const references = await referenceOf(
      policy,
      rows.map((row) => buffer.steps[row]!),
      temperature,
    );
    const placed: PlacedLine[] = [];
    const texts: string[] = [];
    let from = 0;
    for (const [position, row] of rows.entries()) {
      const step = buffer.steps[row]!;
      const pictures = await Promise.all(step.input.images.map((image) => images.save(image)));
      const { advantages, returns, policyMask } = targets;
      const line = {
        schema: SCHEMA,
        update,
        ...lineOf(step, references[position]!, pictures),
        advantage: advantages[row],
        ...(returns && { return: returns[row] }),
        inPolicyLoss: policyMask[row] === 1,
      };
      const text = `${JSON.stringify(line)}\n`;
      const length = Buffer.byteLength(text);
      texts.push(text);
      placed.push({ step: line, place: [from, length] });
      from += length;
    }
    await writeFileAtomic(join(folder, updateFile(update)), texts.join(''));
    const ends = new Map(buffer.episodes.map((episode) => [episode.id, episode]));
    index ??= await JsonLineAppender.open(join(folder, TRAINING_INDEX));
    for (const line of indexOfSteps(update, placed, ends)) await index.append(line);
  };
  // an episode that begins now is learned from in the coming update, and often in the one after it
  const wantsTrajectory = () => [seen + 1, seen + 2].some((update) => update % every === 0);
  return {
    hooks: { onTargets, onTrajectory: learned.take, wantsTrajectory },
    close: async () => {
      await learned.close();
      await index?.close();
    },
  };
}

/** Ids in the order of play. */
function firstEpisodes(steps: readonly StepRecord[], limit: number): string[] {
  const ids = new Set<string>();
  for (const { episodeId } of steps) {
    if (ids.size >= limit) break;
    ids.add(episodeId);
  }
  return [...ids];
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
    ...(step.tokenValues && { tokenValues: numbers(step.tokenValues) }),
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
const numbers = (values: Float32Array | Float64Array): number[] =>
  Array.from(values, (value) => Number(value.toPrecision(9)));
