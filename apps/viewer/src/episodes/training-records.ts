/**
 * The steps that updates learned from, as far as they are on disk: `training/update-000012.jsonl`, one line per step with the
 * numbers of its tokens, by the index next to it. A recording without the index is read once as a whole.
 * `training-records.test.ts` compares both.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  indexOfSteps,
  type PlacedLine,
  type StepPlace,
  TRAINING_FOLDER,
  TRAINING_INDEX,
  type TrainingIndexLine,
  updateFile,
} from '@vlgym/core/internal';
import { bytesBetween, linesFrom, parsed, sizeOf } from '../folders/byte-lines.js';
import { type Json, list, number, present, record, text } from '../folders/values.js';
import { endOf } from './index-line.js';

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
