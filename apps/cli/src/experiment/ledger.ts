/**
 * Training tasks seen and CPU time used by a run, stored next to its checkpoints: content keys of training episodes,
 * CPU-seconds by update.
 *
 * CPU-seconds count all threads of this process, without evaluation. Unlike elapsed time they compare between runs that
 * shared the machine and runs that did not.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { textIn } from '../folders/text-file.js';
import { SeenTasks } from './task-separation/seen-tasks.js';

/** Tasks that a run has met in training, in its folder. */
export const TASKS = 'training-tasks.jsonl';
const CPU = 'cpu.jsonl';

export class Ledger {
  readonly #folder: string;
  readonly #seconds: Map<number, number>;
  readonly seen: SeenTasks;
  #last = cpuSeconds();

  private constructor(folder: string, seen: SeenTasks, seconds: Map<number, number>) {
    this.#folder = folder;
    this.seen = seen;
    this.#seconds = seconds;
  }

  /** Continues what the folder holds. */
  static async open(folder: string): Promise<Ledger> {
    return new Ledger(folder, await SeenTasks.read(join(folder, TASKS)), await readSeconds(join(folder, CPU)));
  }

  /** Does the work without counting its CPU-seconds. */
  async apart<T>(work: () => Promise<T>): Promise<T> {
    const before = cpuSeconds();
    try {
      return await work();
    } finally {
      this.#last += cpuSeconds() - before;
    }
  }

  /** After each update, before its checkpoint: an update that is done again after a kill replaces its entry. */
  note(update: number): void {
    this.seen.appendTo(join(this.#folder, TASKS));
    const now = cpuSeconds();
    const seconds = now - this.#last;
    this.#last = now;
    this.#seconds.set(update, seconds);
    appendFileSync(join(this.#folder, CPU), `${JSON.stringify([update, seconds])}\n`);
  }

  get cpuSeconds(): number {
    return [...this.#seconds.values()].reduce((sum, seconds) => sum + seconds, 0);
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function readSeconds(path: string): Promise<Map<number, number>> {
  const text = (await textIn(path)) ?? '';
  const seconds = new Map<number, number>();
  for (const [, update, value] of text.matchAll(/^\[(\d+),([\d.e-]+)\]$/gm)) seconds.set(Number(update), Number(value));
  return seconds;
}
