/**
 * The episodes of a folder with `episodes.jsonl`, as a list that grows with the file. What the index covers is read from
 * there; the rest, an end without an index or a whole file from before it, is read from the episodes themselves.
 * Pinned by `played-episodes.test.ts`.
 */
import { join } from 'node:path';
import {
  EPISODES_FILE,
  EpisodeTally,
  INDEX_FILE,
  type IndexedEpisode,
  type IndexLine,
  indexTrajectory,
} from '@vlgym/core/internal';
import type { Trajectory, TrajectoryHeader, TrajectoryOutcome, TrajectoryStep } from '@vlgym/core/trajectory';
import { whenNobodyWaits } from '../folders/answering.js';
import { batchesFrom, blocksFrom, bytesBetween, linesOf, parsed, sizeOf, valuesOf } from '../folders/byte-lines.js';
import { type Json, record, text } from '../folders/values.js';
import { indexedEpisode } from './index-line.js';
import { TextSearch } from './search-texts.js';

/** An episode without an end lies at most this far before the end of the index. */
const LOOK_BACK = 1 << 22;
/** Milliseconds that the page waits for a file without an index; the rest is read in the meantime. */
const PATIENCE = 400;
/** Episodes that fill a screen. Once they are there, the page waits no longer than this many milliseconds for the rest. */
const SCREEN = 200;
const GRACE = 20;
/** Milliseconds by which an answer that is being made delays the next part of a file. */
const GIVE_WAY = 50;
/** Waits for the whole file. */
export const TO_THE_END = Number.POSITIVE_INFINITY;

export interface WholeEpisode {
  readonly header: Json;
  readonly steps: readonly Json[];
  readonly outcome?: Json;
}

export class PlayedEpisodes {
  readonly texts: TextSearch;
  readonly #file: string;
  readonly #index: string;
  readonly #rows = new Map<string, IndexedEpisode>();
  /** Episodes that have begun, and whose end was not read yet. */
  readonly #open = new Map<string, { readonly tally: EpisodeTally; to: number }>();
  #indexRead = 0;
  /** Bytes that the index accounts for. */
  #covered = 0;
  #scanned = 0;
  #reading: Promise<void> | undefined;
  #isComplete = false;
  /** Called when a screen is full. */
  readonly #waiting: (() => void)[] = [];
  /** When a screen was first full, in milliseconds of a clock that only waiting reads. */
  #screenAt: number | undefined;
  /** Callers that wait until all is read. */
  #toTheEnd = 0;
  /** The index has led to something else than an episode. */
  #isDistrusted = false;
  #list: readonly IndexedEpisode[] | undefined;

  /** @param folder  With `episodes.jsonl` in it. */
  constructor(readonly folder: string) {
    this.texts = new TextSearch(folder);
    this.#file = join(folder, EPISODES_FILE);
    this.#index = join(folder, INDEX_FILE);
  }

  /** False while a file without an index is still being read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Every episode that the file has now, or after a while those found so far. @param patience  Milliseconds. */
  async all(patience = PATIENCE): Promise<readonly IndexedEpisode[]> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    if (patience === TO_THE_END) await this.#whole(this.#reading);
    else if (patience > 0) await this.#firstOf(this.#reading, patience);
    this.#list ??= [...this.#rows.values(), ...this.#unfinished()];
    return this.#list;
  }

  async #whole(reading: Promise<void>): Promise<void> {
    this.#toTheEnd += 1;
    await reading.finally(() => {
      this.#toTheEnd -= 1;
    });
  }

  /** The rest of a file, after the first screen, is read when nobody waits for an answer. */
  async #giveWay(): Promise<void> {
    if (this.#rows.size >= SCREEN && this.#toTheEnd === 0) await whenNobodyWaits(GIVE_WAY);
  }

  /** Until all is read, a screen is full, or the patience is at its end. */
  async #firstOf(reading: Promise<void>, patience: number): Promise<void> {
    const timers: NodeJS.Timeout[] = [];
    const after = (milliseconds: number) =>
      new Promise<void>((resolve) => timers.push(setTimeout(resolve, milliseconds)));
    const screen = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#tellWaiting();
    const grace = () => after(Math.max(0, (this.#screenAt ?? 0) + GRACE - performance.now()));
    await Promise.race([reading, after(patience), screen.then(grace)]);
    for (const timer of timers) clearTimeout(timer);
  }

  async find(id: string): Promise<IndexedEpisode | undefined> {
    return this.#rows.get(id) ?? (await this.all(TO_THE_END)).find((row) => row.id === id);
  }

  /** The whole episode as it was written; parts that are damaged are missing. */
  async read(row: IndexedEpisode): Promise<WholeEpisode | undefined> {
    const found = await this.#readAt(row);
    if (found || this.#isDistrusted) return found;
    // the index is of another file
    this.#isDistrusted = true;
    await this.#reading;
    this.#forget();
    await this.#read();
    const again = this.#rows.get(row.id);
    return again && this.#readAt(again);
  }

  async #readAt(row: IndexedEpisode): Promise<WholeEpisode | undefined> {
    const bytes = await bytesBetween(this.#file, row.from, row.to);
    let header: Json | undefined;
    let outcome: Json | undefined;
    const steps: Json[] = [];
    for (const line of bytes?.toString('utf8').split('\n') ?? []) {
      if (!line.includes(JSON.stringify(row.id))) continue;
      const event = record(parsed(Buffer.from(line)));
      if (Array.isArray(event.steps) && event.id === row.id)
        return { header: event, steps: event.steps.map(record), outcome: record(event.outcome) };
      const trajectory = record(event.trajectory);
      if (event.event === 'start' && trajectory.id === row.id) header = trajectory;
      if (event.event === 'step' && event.id === row.id) steps.push(record(event.step));
      if (event.event === 'end' && event.id === row.id) outcome = record(event.outcome);
    }
    return header && { header, steps, ...(outcome && { outcome }) };
  }

  async #read(): Promise<void> {
    const size = await sizeOf(this.#file);
    if (size < this.#covered || size < this.#scanned) this.#forget(); // the folder holds another recording now
    if (!this.#isDistrusted) await this.#readIndex(size);
    const start = Math.max(this.#scanned, this.#covered - LOOK_BACK, 0);
    // a look back begins in the middle of a line, which is not JSON then and is skipped
    await this.#scan(start, Number.POSITIVE_INFINITY);
    this.#isComplete = true;
  }

  async #readIndex(size: number): Promise<void> {
    for await (const block of blocksFrom(this.#index, this.#indexRead)) {
      await this.#giveWay();
      const lines = valuesOf(block)?.map(indexedEpisode);
      if (lines?.every((line) => line !== undefined && line.to <= size)) {
        for (const line of lines as readonly IndexLine[]) {
          if (line.after > this.#covered) await this.#scan(Math.max(this.#covered, this.#scanned), line.after);
          this.#putIndexed(line);
        }
        this.#indexRead = block.from + block.bytes.length;
        continue;
      }
      for (const { bytes, to } of linesOf(block)) {
        const line = indexedEpisode(parsed(bytes));
        if (!line || line.to > size) return; // torn, or of another file
        this.#indexRead = to;
        if (line.after > this.#covered) await this.#scan(Math.max(this.#covered, this.#scanned), line.after);
        this.#putIndexed(line);
      }
    }
  }

  #putIndexed(line: IndexLine): void {
    this.#covered = line.to;
    this.#put(line);
  }

  /** Requests are answered between two batches. */
  async #scan(from: number, until: number): Promise<void> {
    for await (const lines of batchesFrom(this.#file, from, until)) {
      for (const { bytes, from: at, to } of lines) {
        this.#scanned = to;
        this.#take(record(parsed(bytes)), { from: at, to });
      }
      await new Promise((resolve) => setImmediate(resolve));
      await this.#giveWay();
    }
  }

  #take(value: Json, range: { readonly from: number; readonly to: number }): void {
    const { event } = value;
    try {
      if (Array.isArray(value.steps)) this.#putFound(indexTrajectory(value as unknown as Trajectory, range));
      const header = record(value.trajectory);
      const id = text(event === 'start' ? header.id : value.id);
      if (id === undefined || this.#rows.has(id)) return;
      if (event === 'start') {
        const tally = new EpisodeTally(header as unknown as TrajectoryHeader, range);
        this.#open.set(id, { tally, to: range.to });
      }
      const open = this.#open.get(id);
      if (!open) return;
      open.to = range.to;
      this.#list = undefined;
      if (event === 'step') open.tally.add(record(value.step) as unknown as TrajectoryStep);
      if (event === 'end') this.#putFound(open.tally.end(value.outcome as TrajectoryOutcome, range.to));
    } catch {
      // a line of another program: not an episode
    }
  }

  /** Read from the episodes: another program may have written them. */
  #putFound(found: unknown): void {
    const row = indexedEpisode(found);
    if (row) this.#put(row);
  }

  #put(row: IndexedEpisode): void {
    this.#open.delete(row.id);
    this.#rows.set(row.id, row);
    this.#list = undefined;
    this.#tellWaiting();
  }

  #tellWaiting(): void {
    if (this.#rows.size < SCREEN) return;
    this.#screenAt ??= performance.now();
    for (const tell of this.#waiting.splice(0)) tell();
  }

  *#unfinished(): Generator<IndexedEpisode> {
    for (const { tally, to } of this.#open.values()) {
      const row = indexedEpisode(tally.end(undefined, to));
      if (row) yield row;
    }
  }

  #forget(): void {
    this.#rows.clear();
    this.#open.clear();
    this.#list = undefined;
    this.#indexRead = 0;
    this.#covered = 0;
    this.#scanned = 0;
  }
}
