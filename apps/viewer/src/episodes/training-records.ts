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
  updateColumnsFile,
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
    const steps = await this.#linesAt(line, this.#file(line.update), line.steps);
    if (steps.size === line.steps.length) return steps;
    // the index is of another file
    await this.#readFile(line.update, await sizeOf(this.#file(line.update)));
    const found = this.#byUpdate.get(line.update)?.get(line.id);
    return found ? this.#linesAt(found, this.#file(found.update), found.steps) : steps;
  }

  /** Numbers of a step that are known once the update is done; `undefined` if there are none. */
  async columns(line: TrainingIndexLine, step: number): Promise<Json | undefined> {
    const file = join(this.folder, updateColumnsFile(line.update));
    return (await this.#linesAt(line, file, line.columns ?? [])).get(step);
  }

  async #linesAt({ id }: TrainingIndexLine, file: string, places: readonly StepPlace[]) {
    const lines = new Map<number, Json>();
    for (const [from, length] of places) {
      const bytes = await bytesBetween(file, from, from + length);
      const line = record(bytes && parsed(bytes));
      const index = number(line.step);
      if (index !== undefined && line.episode === id) lines.set(index, line);
    }
    return lines;
  }

  /** The whole file of an update, once for each size. */
  async #readFile(update: number, size: number): Promise<void> {
    if (this.#files.get(update) === size) return;
    const lines = await placedLines(this.#file(update));
    const columns = await placedLines(join(this.folder, updateColumnsFile(update)));
    this.#files.set(update, size);
    const known = this.#byUpdate.get(update);
    const ended = indexOfSteps(update, lines).map((line) => {
      const own = columns.flatMap(({ step, place }) => (step.episode === line.id ? [place] : []));
      return { ...endOfLine(known?.get(line.id)), ...line, columns: own };
    });
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

async function placedLines(file: string): Promise<PlacedLine[]> {
  const lines: PlacedLine[] = [];
  for await (const { bytes, from, to } of linesFrom(file, 0)) {
    lines.push({ step: record(parsed(bytes)), place: [from, to - from] });
  }
  return lines;
}

/** Fields that only the index has. */
const endOfLine = ({ seed, task, success }: Partial<TrainingIndexLine> = {}) => present({ seed, task, success });

function trainingLine(value: unknown): TrainingIndexLine | undefined {
  const line = record(value);
  const [update, id] = [number(line.update), text(line.id)];
  const steps = placesOf(line.steps);
  if (update === undefined || id === undefined || steps.length === 0) return undefined;
  const columns = placesOf(line.columns);
  return { ...(line as unknown as TrainingIndexLine), update, id, steps, columns, endedBy: endOf(line.endedBy) };
}

const placesOf = (places: unknown): StepPlace[] =>
  list(places).flatMap((place): StepPlace[] => {
    const [from, length] = list(place).map(number);
    return from !== undefined && length !== undefined ? [[from, length]] : [];
  });
