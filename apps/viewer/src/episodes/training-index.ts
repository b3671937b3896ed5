/**
 * The steps that an update learned from: `training/update-000012.jsonl`, one line per step with the numbers of its tokens, and
 * `training/index.jsonl`, one line per episode and update that says where its steps lie. A recording without the index is
 * read once as a whole. `training-index.test.ts` compares both.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesBetween, linesFrom, parsed, sizeOf } from '../folders/byte-lines.js';
import { type Json, list, number, present, record, text } from '../folders/values.js';
import type { EpisodeRow } from '../protocol.js';
import { endOf } from './index-line.js';

/** Folder of the records, in that of the run. */
export const TRAINING_FOLDER = 'training';
export const TRAINING_INDEX = 'index.jsonl';

/** Where a step lies in the file of its update: first byte, and number of bytes. */
export type StepPlace = readonly [from: number, length: number];

/** One line of the index: the steps of one episode that one update learned from. */
export interface TrainingIndexLine extends EpisodeRow {
  readonly update: number;
  readonly steps: readonly StepPlace[];
}

/** A step as it is recorded, and the bytes of its line. */
export interface PlacedLine {
  readonly step: Json;
  readonly place: StepPlace;
}

/** How an episode ended, where that is known. */
export type EpisodeEnds = ReadonlyMap<
  string,
  { readonly seed: number; readonly success: boolean; readonly taskKey?: string }
>;

export const updateFile = (update: number): string => `update-${String(update).padStart(6, '0')}.jsonl`;

/** One line for each episode, in the order of their first steps. */
export function indexOfSteps(update: number, lines: readonly PlacedLine[], ends?: EpisodeEnds): TrainingIndexLine[] {
  const episodes = new Map<string, PlacedLine[]>();
  for (const line of lines) {
    const id = text(line.step.episode);
    if (id === undefined) continue;
    const found = episodes.get(id);
    if (found) found.push(line);
    else episodes.set(id, [line]);
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
  const last = steps.at(-1)!;
  const error = record(last.error);
  const advantages = steps.flatMap((step) => number(step.advantage) ?? []);
  const group = number(steps[0]!.group);
  return present({
    update,
    id,
    seed: end && end.seed >= 0 ? end.seed : undefined,
    task: end?.taskKey,
    group: group === undefined ? undefined : String(group),
    success: end?.success,
    return: steps.reduce((sum, { reward }) => sum + rewardOf(reward), 0),
    length: steps.length,
    endedBy:
      error.code !== undefined ? 'error' : last.terminated ? 'terminated' : last.truncated ? 'truncated' : 'open',
    error: error.code === undefined ? undefined : `${String(error.boundary)} ${String(error.code)}`,
    illegal: steps.filter(({ legal }) => legal === false).length,
    fallbacks: steps.filter(({ fallback }) => fallback === true).length,
    advantage:
      advantages.length > 0 ? advantages.reduce((sum, value) => sum + value, 0) / advantages.length : undefined,
    policyVersion: number(steps[0]!.policyVersion),
    steps: lines.map(({ place }) => place),
  } as const) as TrainingIndexLine;
}

/** The environment's part: shaping is shown beside it. */
export const rewardOf = (reward: unknown): number => number(reward) ?? number(record(reward).environment) ?? 0;

/** The records of a run, as far as they are on disk. */
export class TrainingRecords {
  readonly folder: string;
  readonly #byUpdate = new Map<number, Map<string, TrainingIndexLine>>();
  readonly #files = new Map<number, number>();
  #indexRead = 0;

  /** @param run  Folder of the run. */
  constructor(run: string) {
    this.folder = join(run, TRAINING_FOLDER);
  }

  /** Updates with a record, in order. */
  async updates(): Promise<number[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names
      .flatMap((name) => {
        const [, update] = /^update-(\d{1,9})\.jsonl$/.exec(name) ?? [];
        return update === undefined ? [] : [Number(update)];
      })
      .sort((a, b) => a - b);
  }

  async episodes(update: number): Promise<readonly TrainingIndexLine[]> {
    await this.#readIndex();
    const size = await sizeOf(this.#file(update));
    const indexed = this.#byUpdate.get(update);
    const fits = [...(indexed?.values() ?? [])].every(({ steps }) =>
      steps.every(([from, length]) => from + length <= size),
    );
    if (!indexed || !fits) await this.#readFile(update, size);
    return [...(this.#byUpdate.get(update)?.values() ?? [])];
  }

  /** The recorded steps of an episode in an update, by their index in the episode. */
  async steps(line: TrainingIndexLine): Promise<ReadonlyMap<number, Json>> {
    const steps = await this.#stepsAt(line);
    if (steps.size === line.steps.length) return steps;
    // the index is of another file
    await this.#readFile(line.update, await sizeOf(this.#file(line.update)));
    const found = this.#byUpdate.get(line.update)?.get(line.id);
    return found ? this.#stepsAt(found) : steps;
  }

  async #stepsAt(line: TrainingIndexLine): Promise<ReadonlyMap<number, Json>> {
    const steps = new Map<number, Json>();
    for (const [from, length] of line.steps) {
      const bytes = await bytesBetween(this.#file(line.update), from, from + length);
      const step = record(bytes && parsed(bytes));
      const index = number(step.step);
      if (index !== undefined && step.episode === line.id) steps.set(index, step);
    }
    return steps;
  }

  /** The whole file of an update, once for each size. */
  async #readFile(update: number, size: number): Promise<void> {
    if (this.#files.get(update) === size) return;
    const lines: PlacedLine[] = [];
    for await (const { bytes, from, to } of linesFrom(this.#file(update), 0)) {
      lines.push({ step: record(parsed(bytes)), place: [from, to - from] });
    }
    this.#files.set(update, size);
    const known = this.#byUpdate.get(update);
    const ended = indexOfSteps(update, lines).map((line) => ({ ...endOfLine(known?.get(line.id)), ...line }));
    this.#byUpdate.set(update, new Map(ended.map((line) => [line.id, line])));
  }

  async #readIndex(): Promise<void> {
    for await (const { bytes, to } of linesFrom(join(this.folder, TRAINING_INDEX), this.#indexRead)) {
      this.#indexRead = to;
      const line = trainingLine(parsed(bytes));
      if (!line) continue;
      const episodes = this.#byUpdate.get(line.update) ?? new Map<string, TrainingIndexLine>();
      episodes.set(line.id, line); // an update that was done again after a kill has later lines
      this.#byUpdate.set(line.update, episodes);
    }
  }

  #file(update: number): string {
    return join(this.folder, updateFile(update));
  }
}

/** Fields that only the index has. */
const endOfLine = ({ seed, task, success }: Partial<TrainingIndexLine> = {}) => present({ seed, task, success });

function trainingLine(value: unknown): TrainingIndexLine | undefined {
  const line = record(value);
  const [update, id] = [number(line.update), text(line.id)];
  const steps = list(line.steps).flatMap((place): StepPlace[] => {
    const [from, length] = list(place).map(number);
    return from !== undefined && length !== undefined ? [[from, length]] : [];
  });
  if (update === undefined || id === undefined || steps.length === 0) return undefined;
  return { ...(line as unknown as TrainingIndexLine), update, id, steps, endedBy: endOf(line.endedBy) };
}
