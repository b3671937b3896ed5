/**
 * A process of the original: one request at a time as a line of JSON, one answer as a line of JSON.
 *
 * The script reads requests from standard input and writes `{"answer": …}` or `{"error": "…"}`. Lines that are neither are
 * the chatter of its libraries: they are kept for error messages.
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { GymError } from '../errors.js';
import { checkNames, names } from '../options.js';
import { isRecord } from '../type-tests.js';
import { endGroup, HAS_GROUPS } from './run-program.js';

export interface OriginalProcessOptions {
  /** Program and arguments, e.g. an interpreter and its script. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

export interface AskOptions {
  /** Milliseconds after which the process is killed; default two minutes. */
  readonly timeoutMs?: number | undefined;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const KEPT_LINES = 40;
const MINUTES = 60_000;

const ORIGINAL_PROCESS_CONSTRUCTOR_OPTIONS = names<OriginalProcessOptions>({ command: 0, environment: 0 });

export class OriginalProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #chatter: string[] = [];
  readonly #exited: Promise<void>;
  #waiting: Waiting | undefined;
  #ended: GymError | undefined;

  constructor(options: OriginalProcessOptions) {
    checkNames('options', options, ORIGINAL_PROCESS_CONSTRUCTOR_OPTIONS);
    const { command, environment = {} } = options;

    const [program = '', ...args] = command;
    this.#child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: HAS_GROUPS,
      windowsHide: true,
      env: { ...process.env, ...environment },
    });
    this.#child.stdin.on('error', () => {}); // the exit says why
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
    createInterface({ input: this.#child.stderr }).on('line', (line) => this.#keep(line));
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (cause) => {
        this.#end(`${program} cannot be started: ${cause.message}`);
        resolve();
      });
      this.#child.once('close', (code, signal) => {
        this.#end(`The process of the original has ended (${signal ?? `code ${code}`}).`);
        resolve();
      });
    });
  }

  /** @throws {GymError} `ORIGINAL_FAILED`: the script reports an error, ends, or takes too long. */
  ask(request: unknown, { timeoutMs = 2 * MINUTES }: AskOptions = {}): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.#waiting) return Promise.reject(this.#error('The original still answers another request.'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#end(`The original did not answer within ${timeoutMs} ms.`);
        endGroup(this.#child);
      }, timeoutMs);
      this.#waiting = { resolve, reject, timer };
      this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }

  /** Ends the process and what it has started. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    const timer = setTimeout(() => endGroup(this.#child), 3000);
    await this.#exited;
    clearTimeout(timer);
    endGroup(this.#child);
  }

  #take(line: string): void {
    let answer: unknown;
    try {
      answer = JSON.parse(line);
    } catch {
      // chatter
    }
    const waiting = this.#waiting;
    if (!isRecord(answer) || !('answer' in answer || 'error' in answer) || !waiting) {
      this.#keep(line);
      return;
    }
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    if ('error' in answer) waiting.reject(this.#error(`The original reports: ${String(answer.error)}`));
    else waiting.resolve(answer.answer);
  }

  #keep(line: string): void {
    this.#chatter.push(line);
    this.#chatter.splice(0, this.#chatter.length - KEPT_LINES);
  }

  #end(message: string): void {
    this.#ended ??= this.#error(message);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return;
    clearTimeout(waiting.timer);
    waiting.reject(this.#ended);
  }

  #error(message: string): GymError {
    const last = this.#chatter.slice(-5).join('\n');
    return new GymError(last === '' ? message : `${message}\n${last}`, {
      code: 'ORIGINAL_FAILED',
      ...(last === '' ? {} : { value: this.#chatter.join('\n') }),
    });
  }
}

/** `python/<name>` of the package that holds `module` (`import.meta.url`), from its sources or its build. */
export function scriptBeside(module: string, name: string): string {
  let folder = dirname(fileURLToPath(module));
  while (!existsSync(join(folder, 'python', name)) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, 'python', name);
}
