/** One Python process with one environment: requests and answers in order, its standard error kept for messages. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isRecord } from '@vlgym/core/internal';
import { encodeFrame, FrameReader, PROTOCOL } from '../frames/codec.js';
import { PythonEnvError, PythonLostError } from './errors.js';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;
type Answer = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

const KEPT_LINES = 40;
/** Milliseconds for a process to exit before it is killed. */
const FAREWELL = 2000;

/** The given interpreter, `VLGYM_PYTHON`, that of the active virtual environment, or `python3`. */
export function pythonToUse(given?: string): string {
  const { VLGYM_PYTHON: chosen, VIRTUAL_ENV: active } = process.env;
  const own = active ? join(active, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python') : undefined;
  return given ?? (chosen || undefined) ?? (own && existsSync(own) ? own : undefined) ?? 'python3';
}

/** `python/bridge.py` of this package, from its sources or its build. */
function bridgeScript(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'python', 'bridge.py')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, 'python', 'bridge.py');
}

export class PythonProcess {
  readonly #python: string;
  readonly #child: Child;
  readonly #reader = new FrameReader();
  readonly #waiting: Waiting[] = [];
  readonly #lines: string[] = [];
  readonly #exit: Promise<void>;
  #lost: PythonLostError | undefined;

  private constructor(python: string) {
    this.#python = python;
    // in a separate process group: Ctrl-C reaches only this process, which closes the pipe
    this.#child = spawn(python, ['-u', bridgeScript()], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child.stdout.on('data', (piece: Buffer) => this.#receive(piece));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#lines.push(...text.split('\n').filter((line) => line.trim() !== ''));
      this.#lines.splice(0, this.#lines.length - KEPT_LINES);
    });
    this.#child.stdin.on('error', () => {}); // the exit tells why
    this.#exit = new Promise((resolve) => {
      this.#child.once('error', (cause) => {
        this.#lose(new PythonLostError(`${python} cannot be started: ${cause.message}`, [], cause));
        resolve();
      });
      this.#child.once('close', (code, signal) => {
        this.#lose(new PythonLostError(`The Python process has ended (${signal ?? `code ${code}`}).`, this.#lines));
        resolve();
      });
    });
  }

  /** @throws {PythonLostError} No such interpreter. @throws {PythonEnvError} It has no gymnasium. */
  static async start(given?: string): Promise<PythonProcess> {
    const process = new PythonProcess(pythonToUse(given));
    try {
      await process.ask({ op: 'hello', protocol: PROTOCOL });
      return process;
    } catch (error) {
      await process.close();
      throw error;
    }
  }

  get isAlive(): boolean {
    return this.#lost === undefined;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @param timeoutMs  The process is killed when it does not answer in time. */
  ask(request: { readonly op: string } & Answer, timeoutMs?: number): Promise<Answer> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        resolve,
        reject,
        // after a busy period, timers fire before the answer that has arrived in the meantime
        timer: timeoutMs === undefined ? undefined : setTimeout(() => setImmediate(expire), timeoutMs),
      };
      const expire = () => {
        if (!this.#waiting.includes(waiting)) return;
        this.#lose(new PythonLostError(`No answer to "${request.op}" within ${timeoutMs} ms.`, this.#lines));
        this.#child.kill('SIGKILL');
      };
      this.#waiting.push(waiting);
      this.#holdNode(true);
      for (const piece of encodeFrame(request)) this.#child.stdin.write(piece);
    });
  }

  async close(): Promise<void> {
    this.#holdNode(true);
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), FAREWELL);
    await this.#exit;
    clearTimeout(timer);
  }

  #receive(piece: Buffer): void {
    try {
      for (const answer of this.#reader.push(piece)) this.#settle(answer);
    } catch (error) {
      this.#lose(new PythonLostError('The Python process sent a broken frame.', this.#lines, error));
      this.#child.kill('SIGKILL');
    }
  }

  #settle(answer: unknown): void {
    const waiting = this.#waiting.shift();
    clearTimeout(waiting?.timer);
    if (this.#waiting.length === 0) this.#holdNode(false);
    if (!isRecord(answer)) return;
    if (answer.ok === true) waiting?.resolve(answer);
    else waiting?.reject(this.#failure(isRecord(answer.error) ? answer.error : {}));
  }

  #failure({ type = 'Error', message = '' }: Readonly<Record<string, unknown>>): PythonEnvError {
    const python = this.#python;
    if (type === 'GymnasiumMissing') {
      const hint = `run \`${python} -m pip install gymnasium\`, or choose another Python with the option \`python\` or VLGYM_PYTHON`;
      return new PythonEnvError(String(type), `${python} has no gymnasium (${String(message)}).`, {
        hint,
        code: 'GYMNASIUM_MISSING',
      });
    }
    return new PythonEnvError(String(type), String(message));
  }

  #lose(error: PythonLostError): void {
    this.#lost ??= error;
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(this.#lost);
    }
  }

  /** Keeps Node alive while a call is open: an idle environment that nobody closed lets the process end. */
  #holdNode(hold: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin as Socket, stdout as Socket, stderr as Socket]) {
      if (hold) handle.ref();
      else handle.unref();
    }
  }
}
