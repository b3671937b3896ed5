/** Tasks that a run has seen: the content keys of every reset, with the first seed that led to each. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnyEnv, type Awaitable, type ResetOptions, type ResetResult, taskKeyOf, Wrapper } from '@vlgym/core';
import { jsonLinesIn } from '../../folders/text-file.js';

/** The list of a warm start: tasks of its labels. */
export const tasksOf = (start: string) => join(start, 'tasks.jsonl');

export interface SeenTask {
  readonly key: string;
  /** A seed that leads to it in the same environment. */
  readonly seed?: number;
}

export class SeenTasks {
  readonly #seeds = new Map<string, number | undefined>();
  /** Tasks written to the file so far. */
  #written = 0;
  #withoutKey = false;

  constructor(tasks: Iterable<SeenTask> = []) {
    for (const { key, seed } of tasks) this.add(key, seed);
  }

  add(key: string | undefined, seed: number | undefined): void {
    if (key === undefined) this.#withoutKey = true;
    else if (!this.#seeds.has(key)) this.#seeds.set(key, seed);
  }

  has(key: string): boolean {
    return this.#seeds.has(key);
  }

  /** Distinct tasks. */
  get size(): number {
    return this.#seeds.size;
  }

  /** An episode had no key, so the list is incomplete. */
  get hasGaps(): boolean {
    return this.#withoutKey;
  }

  /** Both together, without a file. */
  including(others: SeenTasks): SeenTasks {
    const all = new SeenTasks([...this.list(), ...others.list()]);
    all.#withoutKey = this.#withoutKey || others.#withoutKey;
    return all;
  }

  list(): SeenTask[] {
    return [...this.#seeds].map(([key, seed]) => (seed === undefined ? { key } : { key, seed }));
  }

  /** The same environments, watched. */
  watching(makeEnv: () => Awaitable<AnyEnv>): () => Promise<AnyEnv> {
    return async () => new WatchedEnv(await makeEnv(), this) as AnyEnv;
  }

  /**
   * Appends what is new since the last call, one task a line. A run that is killed and continues from a checkpoint finds
   * every task seen before it: this is called before the checkpoint is written. The file is there even if it is empty.
   */
  appendTo(path: string): void {
    const lines = this.list().slice(this.#written);
    appendFileSync(path, lines.map((task) => `${JSON.stringify(task)}\n`).join(''));
    this.#written += lines.length;
  }

  /**
   * Reads the lines that `appendTo` wrote; empty without the file. A kill may truncate the last line; its task is recorded
   * again when the run continues.
   */
  static async read(path: string): Promise<SeenTasks> {
    const seen = new SeenTasks((await jsonLinesIn(path)) as SeenTask[]);
    seen.#written = seen.size;
    return seen;
  }
}

class WatchedEnv extends Wrapper {
  readonly #seen: SeenTasks;

  constructor(env: AnyEnv, met: SeenTasks) {
    super(env);
    this.#seen = met;
  }

  override async reset(options?: ResetOptions): Promise<ResetResult<unknown>> {
    const result = await super.reset(options);
    this.#seen.add(taskKeyOf(result.info), options?.seed);
    return result;
  }

  /** Watching does not change the environment, so the spec stays the same. */
  protected override extendSpec<Spec>(inner: Spec): Spec {
    return inner;
  }
}
