/**
 * A Python process that is asked and answers, one JSON object per line.
 *
 * Every call has a deadline, lines have a longest length, and whatever goes wrong ends the process: it is never used in
 * an unknown state, and never left behind. It keeps Node alive only while it is asked; when Node ends, so does its
 * input, and with it the process.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { ClosedError } from '@vlgym/core';
import { z } from 'zod';
import { LineReader } from './line-reader.js';
import { PythonError, type PythonErrorCode } from './python-error.js';

const LONGEST_LINE = 2 ** 23;
const KEPT_STDERR = 4_000;
/** Milliseconds that a process has to end by itself once its input has ended. */
const TIME_TO_END = 1_000;

const HAS_GROUPS = process.platform !== 'win32';

const replySchema = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ type: z.string(), message: z.string() }).optional(),
});

interface Pending {
  readonly call: string;
  readonly schema: z.ZodType;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export interface ProcessOptions {
  /** Interpreter, by path or by a name on the path. */
  readonly python: string;
  readonly script: string;
  readonly environment: NodeJS.ProcessEnv;
}

export class PythonProcess {
  readonly #python: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines = new LineReader(LONGEST_LINE);
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<unknown>;
  /** Exited, and its last words are read. */
  readonly #closed: Promise<unknown>;
  #calls = 0;
  #stderr = '';
  #failing = false;
  #lost: Error | undefined;

  /** Starts at once; that there is no such interpreter is the error of the first call. */
  constructor({ python, script, environment }: ProcessOptions) {
    this.#python = python;
    // a group of its own, so that what it starts - a simulator - ends with it
    this.#child = spawn(python, [script], { env: environment, stdio: 'pipe', windowsHide: true, detached: HAS_GROUPS });
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

  /** Why it can no longer be asked; `undefined` while it can. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /**
   * Asks, and waits for the answer.
   *
   * @param schema   What the answer must look like.
   * @param timeout  Milliseconds; a process that has not answered by then is killed.
   * @throws {PythonError}
   */
  call<T>(
    call: string,
    parameters: Readonly<Record<string, unknown>>,
    { schema, timeout }: { readonly schema: z.ZodType<T>; readonly timeout: number },
  ): Promise<T> {
    if (this.#lost) return Promise.reject(this.#lost);
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#fail('PYTHON_TIMEOUT', `The Python process has not answered "${call}" for ${timeout} ms.`),
        timeout,
      );
      this.#pending.set(id, { call, schema, resolve, reject, timer });
      this.#holdNode(true);
      this.#child.stdin.write(`${JSON.stringify({ id, call, ...parameters })}\n`);
    });
  }

  /** Ends the process, by force where it does not end by itself, and waits until it is gone. */
  async close(): Promise<void> {
    const busy = this.#pending.size > 0;
    this.#lose(new ClosedError('step'));
    this.#child.ref();
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#kill(), busy ? 0 : TIME_TO_END);
    await this.#exited;
    clearTimeout(timer);
    this.#kill(); // what it may have left behind
  }

  #read(chunk: Buffer): void {
    const lines = this.#lines.push(chunk);
    if (lines === undefined) {
      this.#fail('PYTHON_PROTOCOL', `The Python process sent a line of more than ${LONGEST_LINE} bytes.`);
      return;
    }
    for (const line of lines) this.#answer(line);
  }

  #answer(line: string): void {
    if (this.#failing) return;
    const reply = replySchema.safeParse(parsed(line));
    const pending = reply.success ? this.#pending.get(reply.data.id) : undefined;
    if (!reply.success || pending === undefined) {
      this.#fail('PYTHON_PROTOCOL', 'The Python process sent what is no answer.', line.slice(0, 200));
      return;
    }
    const { id, error } = reply.data;
    if (error !== undefined) {
      if (error.type === 'ModuleNotFoundError')
        this.#fail('PYTHON_PACKAGE_MISSING', `${this.#python}: ${error.message}.`);
      else this.#fail('PYTHON_FAILED', `Python's "${pending.call}" raised ${error.type}: ${error.message}`);
      return;
    }
    const result = pending.schema.safeParse(reply.data.result);
    if (!result.success) {
      this.#fail('PYTHON_PROTOCOL', `The Python process answered "${pending.call}" wrongly: ${result.error.message}`);
      return;
    }
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (this.#pending.size === 0) this.#holdNode(false);
    pending.resolve(result.data as never);
  }

  /** Ends the process, and tells those who wait as soon as its last words are there. */
  #fail(code: PythonErrorCode, message: string, value?: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    this.#kill();
    const tell = () => {
      clearTimeout(timer);
      const hint = HINTS[code];
      const details = { ...(hint !== undefined && { hint }), ...(value !== undefined && { value }) };
      this.#lose(new PythonError(message, { code, stderr: this.#stderr, ...details }));
    };
    const timer = setTimeout(tell, TIME_TO_END); // a child of its own may hold its standard error open
    void this.#closed.then(tell);
  }

  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(HAS_GROUPS ? -pid : pid, 'SIGKILL');
    } catch {
      // all of them are gone already
    }
  }

  /** The first reason stays. */
  #lose(error: Error): void {
    if (this.#lost) return;
    this.#lost = error;
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
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
    'install it there: pip install alfworld "setuptools<81"; or point VLGYM_ALFWORLD_PYTHON at a Python that has it',
  PYTHON_TIMEOUT: 'give more time with the option `timeout` or, for the first answer, `startTimeout`',
};

function notFound(python: string, cause: unknown): PythonError {
  return new PythonError(`The Python interpreter "${python}" cannot be started.`, {
    code: 'PYTHON_NOT_FOUND',
    value: python,
    hint: 'point VLGYM_ALFWORLD_PYTHON, or the option `python`, at a Python 3.9 or newer that has alfworld',
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
