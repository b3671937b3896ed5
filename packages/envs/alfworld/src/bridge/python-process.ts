/**
 * A Python process that is asked and answers, one JSON object per line, in the order of the questions.
 *
 * Every call has a deadline from when its turn has come, lines have a longest length, and whatever goes wrong with the
 * process itself ends it: it is never used in an unknown state, and never left behind. A call that raises fails alone.
 * The process keeps Node alive only while it is asked; when Node ends, so does its input, and with it the process.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { ClosedError } from '@vlgym/core';
import { z } from 'zod';
import { Deadline, type Limits } from './deadline.js';
import { endGroup, HAS_GROUPS } from './end-group.js';
import { LineReader } from './line-reader.js';
import { PythonError, type PythonErrorCode } from './python-error.js';

const LONGEST_LINE = 2 ** 23;
const KEPT_STDERR = 4_000;
/** Milliseconds that a process has to end by itself once its input has ended. */
const TIME_TO_END = 1_000;
/** What Python, the planner and the loader say where memory runs out. */
const OUT_OF_MEMORY = /MemoryError|std::bad_alloc|Cannot allocate memory|can't start new thread/;

const sentSchema = z.union([
  z.object({ alive: z.literal(true) }),
  z.object({
    id: z.number(),
    result: z.unknown().optional(),
    error: z.object({ type: z.string(), message: z.string() }).optional(),
  }),
]);

interface Pending {
  readonly caller: number;
  readonly call: string;
  readonly schema: z.ZodType;
  readonly limits: Limits;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

export interface ProcessOptions {
  /** Interpreter, by path or by a name on the path. */
  readonly python: string;
  readonly script: string;
  readonly environment: NodeJS.ProcessEnv;
  /** MiB; without it as much as there is. */
  readonly memoryLimit?: number | undefined;
}

export interface CallOptions<T> extends Limits {
  /** What the answer must look like. */
  readonly schema: z.ZodType<T>;
}

export class PythonProcess {
  readonly #options: ProcessOptions;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines = new LineReader(LONGEST_LINE);
  /** In the order in which they are answered. */
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<unknown>;
  /** Exited, and its last words are read. */
  readonly #closed: Promise<unknown>;
  #calls = 0;
  #stderr = '';
  #deadline: Deadline | undefined;
  #failing = false;
  #lost: Error | undefined;

  /** Starts at once; that there is no such interpreter is the error of the first call. */
  constructor(options: ProcessOptions) {
    const { python, script, environment, memoryLimit } = options;
    this.#options = options;
    const args = [script, ...(memoryLimit === undefined ? [] : [String(memoryLimit)])];
    // a group of its own, so that what it starts - a simulator - ends with it
    this.#child = spawn(python, args, { env: environment, stdio: 'pipe', windowsHide: true, detached: HAS_GROUPS });
    this.#exited = once(this.#child, 'exit').catch(() => {});
    this.#closed = once(this.#child, 'close').catch(() => {});
    const { stdin, stdout, stderr } = this.#child;
    this.#child.on('error', (cause) => this.#lose(notFound(python, cause)));
    this.#child.on('exit', (code, signal) => {
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      this.#fail('PYTHON_LOST', `The Python process ${how}.`);
    });
    stdin.on('error', () => {}); // the process is gone; `exit` says how
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-KEPT_STDERR);
    });
    this.#holdNode(false);
  }

  /** Id of the process; `undefined` where it could not be started. */
  get id(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it can no longer be asked. */
  get lost(): boolean {
    return this.#failing || this.#lost !== undefined;
  }

  /**
   * Asks, and waits for the answer; calls of others that were made before are answered first.
   *
   * @param caller  Number of the environment that asks.
   * @throws {PythonError}
   */
  call<T>(
    caller: number,
    call: string,
    parameters: Readonly<Record<string, unknown>>,
    { schema, ...limits }: CallOptions<T>,
  ): Promise<T> {
    if (this.#lost) return Promise.reject(this.#lost);
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { caller, call, schema, limits, resolve, reject });
      if (this.#pending.size === 1) this.#begin();
      this.#child.stdin.write(`${JSON.stringify({ id, call, env: caller, ...parameters })}\n`);
    });
  }

  /** Lets the calls of an environment fail as closed; what the process answers to them is read and dropped. */
  abandon(caller: number): void {
    for (const pending of this.#pending.values())
      if (pending.caller === caller) pending.reject(new ClosedError('step'));
  }

  /** Ends the process, by force where it does not end by itself, and waits until it is gone. */
  async close(): Promise<void> {
    const busy = [...this.#pending.values()].some(({ call }) => call !== 'close');
    this.#lose(new ClosedError('step'));
    this.#child.ref();
    this.#child.stdin.end();
    const timer = setTimeout(() => endGroup(this.#child), busy ? 0 : TIME_TO_END);
    await this.#exited;
    clearTimeout(timer);
    endGroup(this.#child); // what it may have left behind
  }

  #read(chunk: Buffer): void {
    const lines = this.#lines.push(chunk);
    if (lines === undefined) {
      this.#fail('PYTHON_PROTOCOL', `The Python process sent a line of more than ${LONGEST_LINE} bytes.`);
      return;
    }
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    if (this.#failing) return;
    const sent = sentSchema.safeParse(parsed(line));
    if (sent.success && 'alive' in sent.data) {
      this.#deadline?.alive();
      return;
    }
    const [id, pending] = this.#pending.entries().next().value ?? [];
    if (!sent.success || 'alive' in sent.data || pending === undefined || sent.data.id !== id) {
      this.#fail('PYTHON_PROTOCOL', 'The Python process sent what is no answer.', line.slice(0, 200));
      return;
    }
    const { error } = sent.data;
    if (error?.type === 'MemoryError') {
      this.#fail('PYTHON_MEMORY', `Python's "${pending.call}" ran out of memory.`);
      return;
    }
    const result = pending.schema.safeParse(sent.data.result);
    if (error === undefined && !result.success) {
      this.#fail('PYTHON_PROTOCOL', `The Python process answered "${pending.call}" wrongly: ${result.error.message}`);
      return;
    }
    this.#finish(id!);
    if (error !== undefined) this.#refuse(pending, error);
    else pending.resolve(result.data as never);
  }

  /** A call that raised, which harms nobody else. */
  #refuse({ call, caller, reject }: Pending, { type, message }: { type: string; message: string }): void {
    const isMissing = type === 'ModuleNotFoundError';
    const what = isMissing ? `${this.#options.python}: ${message}.` : `Python's "${call}" raised ${type}: ${message}`;
    // its traceback was written before, to another pipe: Node has read it after one more turn
    setImmediate(() =>
      setImmediate(() => reject(this.#error(isMissing ? 'PYTHON_PACKAGE_MISSING' : 'PYTHON_FAILED', what, caller))),
    );
  }

  /** The first of the calls has its turn. */
  #begin(): void {
    const [pending] = this.#pending.values();
    this.#holdNode(pending !== undefined);
    if (pending === undefined) return;
    this.#deadline = new Deadline(pending.limits, (after) =>
      this.#fail('PYTHON_TIMEOUT', `The Python process has not answered "${pending.call}" ${after}.`),
    );
  }

  #finish(id: number): void {
    this.#pending.delete(id);
    this.#deadline?.clear();
    this.#begin();
  }

  /** Ends the process, and tells those who wait as soon as its last words are there. */
  #fail(code: PythonErrorCode, message: string, value?: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    const [culprit] = this.#pending.values();
    endGroup(this.#child);
    const tell = () => {
      clearTimeout(timer);
      const starved = code === 'PYTHON_LOST' && OUT_OF_MEMORY.test(this.#stderr);
      const what = starved ? `${message.slice(0, -1)}: it ran out of memory.` : message;
      this.#lose(this.#error(starved ? 'PYTHON_MEMORY' : code, what, culprit?.caller, value));
    };
    const timer = setTimeout(tell, TIME_TO_END); // a child of its own may hold its standard error open
    void this.#closed.then(tell);
  }

  #error(code: PythonErrorCode, message: string, caller: number | undefined, value?: unknown): PythonError {
    const { memoryLimit } = this.#options;
    const hint = code === 'PYTHON_MEMORY' && memoryLimit !== undefined ? moreThan(memoryLimit) : HINTS[code];
    return new PythonError(message, {
      code,
      caller,
      stderr: this.#stderr,
      ...(hint !== undefined && { hint }),
      ...(value !== undefined && { value }),
    });
  }

  /** The first reason stays. */
  #lose(error: Error): void {
    if (this.#lost) return;
    this.#lost = error;
    this.#deadline?.clear();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#holdNode(false);
  }

  /** Node must wait for an answer, and must not wait for a process that nobody asks. */
  #holdNode(hold: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const each of [this.#child, stdin as Socket, stdout as Socket, stderr as Socket]) {
      if (hold) each.ref();
      else each.unref();
    }
  }
}

const HINTS: Partial<Readonly<Record<PythonErrorCode, string>>> = {
  PYTHON_PACKAGE_MISSING:
    '`npx vlgym alfworld setup-python` makes a Python that has it; or point VLGYM_ALFWORLD_PYTHON at one of yours',
  PYTHON_TIMEOUT: 'give more time with the options `timeout`, `startTimeout` (the first answer) or `longestCall`',
};

const moreThan = (limit: number) => `its option \`memoryLimit\` allows ${limit} MiB; give it more, or leave it out`;

function notFound(python: string, cause: unknown): PythonError {
  return new PythonError(`The Python interpreter "${python}" cannot be started.`, {
    code: 'PYTHON_NOT_FOUND',
    value: python,
    hint: '`npx vlgym alfworld setup-python` makes one that has alfworld; VLGYM_ALFWORLD_PYTHON or the option `python` name another',
    cause,
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
