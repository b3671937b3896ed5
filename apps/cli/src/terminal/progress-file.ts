/**
 * Progress on disk, so that another terminal can read it: `progress.json` in the folder of a run or of a report. It holds
 * what the bar shows; no result depends on it.
 */
import { join } from 'node:path';
import { ownIdentity, type ProcessIdentity, stateOf, writeFileAtomic } from '@vlgym/core/internal';
import { jsonIn } from '../folders/text-file.js';

const FILE = 'progress.json';
/** Milliseconds between two writes. */
const EVERY = 2000;

export interface ProgressNow {
  readonly label: string;
  readonly done: number;
  /** 0 if unknown. */
  readonly total: number;
  readonly unit: string;
  /** Units per second of this process, without those done before it started. */
  readonly rate: number;
  readonly note: string;
}

export interface SavedProgress extends ProgressNow {
  readonly process: ProcessIdentity;
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
  /** The command as typed. */
  readonly command: string;
}

export class ProgressFile {
  readonly #path: string;
  readonly #command: string;
  #last = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(folder: string, command: string) {
    this.#path = join(folder, FILE);
    this.#command = command;
  }

  /** Writes at most every few seconds, or at once if `final`. A failed write is ignored: this file is not a result. */
  write(progress: ProgressNow, final = false): void {
    const now = Date.now();
    if (!final && now - this.#last < EVERY) return;
    this.#last = now;
    this.#writing = this.#writing.then(async () => {
      const saved: SavedProgress = {
        ...progress,
        process: await ownIdentity(),
        writtenAt: now,
        command: this.#command,
      };
      await writeFileAtomic(this.#path, JSON.stringify(saved));
    });
    this.#writing = this.#writing.catch(() => {});
  }

  /** After the last write is on disk. */
  async close(): Promise<void> {
    await this.#writing;
  }
}

/** @returns the progress of a folder, and whether its process still works; nothing if none was saved. */
export async function readProgress(
  folder: string,
): Promise<{ readonly saved: SavedProgress; readonly running: boolean } | undefined> {
  const saved = (await jsonIn(join(folder, FILE))) as SavedProgress | undefined;
  if (saved === undefined) return undefined;
  return { saved, running: (await stateOf(saved.process)) === 'alive' };
}

/** Seconds left, by the rate of the process that works; the same in the bar and in `vlgym status`. */
export const secondsLeft = ({ done, total, rate }: Pick<ProgressNow, 'done' | 'total' | 'rate'>): number =>
  rate > 0 ? (total - done) / rate : Number.POSITIVE_INFINITY;
