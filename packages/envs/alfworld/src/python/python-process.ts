/**
 * A Python process that answers calls in order, one JSON object per line.
 *
 * The deadline of a call starts when its turn comes, and the length of lines is bounded. Any failure of the process itself
 * ends it: it is never used in an unknown state and never left behind. A call that raises fails alone. The process keeps
 * Node alive only during calls. When Node ends, the input of the process ends, and with it the process.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { ClosedError } from '@vlgym/core';
import { endGroup, HAS_GROUPS } from '@vlgym/core/verification';
import { z } from 'zod';
import { Deadline, type Limits } from './deadline.js';
import { LineReader } from './line-reader.js';
import { PythonError, type PythonErrorCode } from './python-error.js';

const MAX_LINE_BYTES = 2 ** 23;
const MAX_STDERR_LENGTH = 4_000;
/** Milliseconds for a process to exit after its input has ended. */
const EXIT_TIME = 1_000;
/** Messages of Python, the planner, and the loader when memory runs out. */
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
  /** Path of the interpreter, or its name on the path. */
  readonly python: string;
  readonly script: string;
  readonly environment: NodeJS.ProcessEnv;
  /** MiB; default: unlimited. */
  readonly memoryLimit?: number | undefined;
}

export interface CallOptions<T> extends Limits {
  /** Schema of the answer. */
  readonly schema: z.ZodType<T>;
}

export class PythonProcess {
  readonly #options: ProcessOptions;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines = new LineReader(MAX_LINE_BYTES);
  /** Open calls in order. */
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<unknown>;
  /** Resolves when the process has exited and its output has been read. */
  readonly #closed: Promise<unknown>;
  #calls = 0;
  #stderr = '';
  #deadline: Deadline | undefined;
  #failing = false;
  #lost: Error | undefined;

  /** Starts the process; the first call reports a missing interpreter. */
  constructor(options: ProcessOptions) {
    const { python, script, environment, memoryLimit } = options;
    this.#options = options;
    const args = [script, ...(memoryLimit === undefined ? [] : [String(memoryLimit)])];
    // In its own process group, so that its children, such as a simulator, end with it.
    this.#child = spawn(python, args, { env: environment, stdio: 'pipe', windowsHide: true, detached: HAS_GROUPS });
    this.#exited = once(this.#child, 'exit').catch(() => {});
    this.#closed = once(this.#child, 'close').catch(() => {});
    const { stdin, stdout, stderr } = this.#child;
    this.#child.on('error', (cause) => this.#lose(notFound(python, cause)));
    this.#child.on('exit', (code, signal) => {
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      this.#fail('PYTHON_LOST', `The Python process ${how}.`);
    });
    stdin.on('error', () => {}); // the process is gone; `exit` reports how
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-MAX_STDERR_LENGTH);
    });
    this.#holdNode(false);
  }

  /** Id of the process; `undefined` if it could not be started. */
  get id(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it no longer accepts calls. */
  get lost(): boolean {
    return this.#failing || this.#lost !== undefined;
  }

  /**
   * Makes a call and waits for its answer, after the answers to earlier calls of other environments.
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

  /** Rejects the calls of an environment as closed; their answers are read and dropped. */
  abandon(caller: number): void {
    for (const pending of this.#pending.values())
      if (pending.caller === caller) pending.reject(new ClosedError('step'));
  }

  /** Ends the process, by force if necessary, and waits until it is gone. */
  async close(): Promise<void> {
    const busy = [...this.#pending.values()].some(({ call }) => call !== 'close');
    this.#lose(new ClosedError('step'));
    this.#child.ref();
    this.#child.stdin.end();
    const timer = setTimeout(() => endGroup(this.#child), busy ? 0 : EXIT_TIME);
    await this.#exited;
    clearTimeout(timer);
    endGroup(this.#child); // children that it may have left behind
  }

  #read(chunk: Buffer): void {
    const lines = this.#lines.push(chunk);
    if (lines === undefined) {
      this.#fail('PYTHON_PROTOCOL', `The Python process sent a line of more than ${MAX_LINE_BYTES} bytes.`);
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
      this.#fail('PYTHON_PROTOCOL', 'The Python process sent a line that is not an answer.', line.slice(0, 200));
      return;
    }
    const { error } = sent.data;
    if (error?.type === 'MemoryError') {
      this.#fail('PYTHON_MEMORY', `Python's "${pending.call}" ran out of memory.`);
      return;
    }
    const result = pending.schema.safeParse(sent.data.result);
    if (error === undefined && !result.success) {
      this.#fail(
        'PYTHON_PROTOCOL',
        `The Python process sent an invalid answer to "${pending.call}": ${result.error.message}`,
      );
      return;
    }
    this.#finish(id!);
    if (error !== undefined) this.#refuse(pending, error);
    else pending.resolve(result.data as never);
  }

  /** Rejects a call that raised, and no other. */
  #refuse({ call, caller, reject }: Pending, { type, message }: { type: string; message: string }): void {
    const isMissing = type === 'ModuleNotFoundError';
    const what = isMissing ? `${this.#options.python}: ${message}.` : `Python's "${call}" raised ${type}: ${message}`;
    // Its traceback was written earlier to another pipe; Node has read it one turn later.
    setImmediate(() =>
      setImmediate(() => reject(this.#error(isMissing ? 'PYTHON_PACKAGE_MISSING' : 'PYTHON_FAILED', what, caller))),
    );
  }

  /** Starts the deadline of the first open call. */
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

  /** Ends the process, and rejects open calls once its standard error has been read. */
  #fail(code: PythonErrorCode, message: string, value?: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    const [culprit] = this.#pending.values();
    endGroup(this.#child);
    const report = () => {
      clearTimeout(timer);
      const starved = code === 'PYTHON_LOST' && OUT_OF_MEMORY.test(this.#stderr);
      const what = starved ? `${message.slice(0, -1)}: it ran out of memory.` : message;
      this.#lose(this.#error(starved ? 'PYTHON_MEMORY' : code, what, culprit?.caller, value));
    };
    const timer = setTimeout(report, EXIT_TIME); // a child may keep its standard error open
    void this.#closed.then(report);
  }

  #error(code: PythonErrorCode, message: string, caller: number | undefined, value?: unknown): PythonError {
    const { memoryLimit } = this.#options;
    const hint = code === 'PYTHON_MEMORY' && memoryLimit !== undefined ? memoryHint(memoryLimit) : HINTS[code];
    return new PythonError(message, {
      code,
      caller,
      stderr: this.#stderr,
      ...(hint !== undefined && { hint }),
      ...(value !== undefined && { value }),
    });
  }

  /** Keeps the first error. */
  #lose(error: Error): void {
    if (this.#lost) return;
    this.#lost = error;
    this.#deadline?.clear();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#holdNode(false);
  }

  /** Keeps Node alive while calls are open, and only then. */
  #holdNode(hold: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin as Socket, stdout as Socket, stderr as Socket]) {
      if (hold) handle.ref();
      else handle.unref();
    }
  }
}

const HINTS: Partial<Readonly<Record<PythonErrorCode, string>>> = {
  PYTHON_PACKAGE_MISSING:
    'run `npx vlgym alfworld setup-python`, or set VLGYM_ALFWORLD_PYTHON to an interpreter that has the package',
  PYTHON_TIMEOUT: 'increase the option `timeout`, `startTimeout` (for the first answer), or `longestCall`',
};

const memoryHint = (limit: number) => `its option \`memoryLimit\` allows ${limit} MiB; increase it or leave it out`;

function notFound(python: string, cause: unknown): PythonError {
  return new PythonError(`The Python interpreter "${python}" cannot be started.`, {
    code: 'PYTHON_NOT_FOUND',
    value: python,
    hint: 'run `npx vlgym alfworld setup-python`, or name an interpreter with VLGYM_ALFWORLD_PYTHON or the option `python`',
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
