/**
 * The index of what updates of a training learned from: `training/index.jsonl`, one line per episode and update that says
 * how the episode went and where its steps lie in `training/update-000012.jsonl`. Derived: a recording without it is read as a
 * whole, by the same function.
 */
import { isRecord } from '../type-tests.js';
import type { IndexedEpisode } from './episode-index.js';

/** Folder of the records, in that of the run. */
export const TRAINING_FOLDER = 'training';
export const TRAINING_INDEX = 'index.jsonl';

export const updateFile = (update: number): string => `update-${String(update).padStart(6, '0')}.jsonl`;
/** Numbers of the steps of an update that are known once it is done; older programs do without. */
export const updateColumnsFile = (update: number): string => updateFile(update).replace('.jsonl', '.columns.jsonl');

/** Place of a step in the file of its update. */
export type StepPlace = readonly [from: number, bytes: number];

/** One line of the index: the steps of one episode that one update learned from. */
export interface TrainingIndexLine extends Omit<IndexedEpisode, 'from' | 'to' | 'endedBy'> {
  readonly update: number;
  /** `open`: the update ends in the middle of the episode. */
  readonly endedBy: IndexedEpisode['endedBy'] | 'open';
  /** Mean over the steps. */
  readonly advantage?: number;
  readonly steps: readonly StepPlace[];
  /** Lines in the file of columns; in a second line of the index that replaces the first. */
  readonly columns?: readonly StepPlace[];
}

/** A step as it is recorded, and the place of its line. */
export interface PlacedLine {
  readonly step: Readonly<Record<string, unknown>>;
  readonly place: StepPlace;
}

/** How episodes ended, by id, as far as that is known. */
export type EpisodeEnds = ReadonlyMap<
  string,
  { readonly seed: number; readonly success: boolean; readonly taskKey?: string }
>;

/** One line for each episode, in the order of their first steps. */
export function indexOfSteps(update: number, lines: readonly PlacedLine[], ends?: EpisodeEnds): TrainingIndexLine[] {
  const episodes = new Map<string, PlacedLine[]>();
  for (const line of lines) {
    const { episode } = line.step;
    if (typeof episode !== 'string') continue;
    const found = episodes.get(episode);
    if (found) found.push(line);
    else episodes.set(episode, [line]);
  }
  return [...episodes].map(([id, steps]) => lineOf(update, id, steps, ends?.get(id)));
}

function lineOf(
  update: number,
  id: string,
  lines: readonly PlacedLine[],
  end: { readonly seed: number; readonly success: boolean; readonly taskKey?: string } | undefined,
): TrainingIndexLine {
  const steps = lines.map(({ step }) => step);
  const [first, last] = [steps[0]!, steps.at(-1)!];
  const { boundary, code } = isRecord(last.error) ? last.error : {};
  const advantages = steps.flatMap(({ advantage }) => meanOf(advantage) ?? []);
  const { group, policyVersion } = first;
  return {
    update,
    id,
    ...(end && end.seed >= 0 && { seed: end.seed }),
    ...(end?.taskKey !== undefined && { task: end.taskKey }),
    ...(typeof group === 'number' && { group: String(group) }),
    ...(end && { success: end.success }),
    return: steps.reduce((sum, { reward }) => sum + environmentReward(reward), 0),
    length: steps.length,
    endedBy: code !== undefined ? 'error' : last.terminated ? 'terminated' : last.truncated ? 'truncated' : 'open',
    ...(code !== undefined && { error: `${String(boundary)} ${String(code)}` }),
    illegal: steps.filter(({ legal }) => legal === false).length,
    fallbacks: steps.filter(({ fallback }) => fallback === true).length,
    ...(advantages.length > 0 && { advantage: advantages.reduce((sum, each) => sum + each, 0) / advantages.length }),
    ...(typeof policyVersion === 'number' && { policyVersion }),
    steps: lines.map(({ place }) => place),
  };
}

/** A number per step, or one per token. */
export function meanOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (!Array.isArray(value) || value.length === 0 || !value.every((each) => typeof each === 'number')) return undefined;
  return value.reduce((sum, each) => sum + each, 0) / value.length;
}

/** The environment's part of a recorded reward: shaping is shown beside it. */
export function environmentReward(reward: unknown): number {
  const own = isRecord(reward) ? reward.environment : reward;
  return typeof own === 'number' && Number.isFinite(own) ? own : 0;
}
