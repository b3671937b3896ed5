/**
 * The Python of an original, in the cache of this user:
 *
 *     <cache>/originals/<name>-<digest of the requirements>/     virtual environment; `complete.json` is written last
 *
 * Other requirements are another folder, so a release of vlgym never verifies against packages of another one.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { GymError } from '../errors.js';
import { lockFolder } from '../files/folder-lock.js';
import { writeFileAtomic } from '../files/write-file-atomic.js';
import type { OriginalSetup } from '../registry/types.js';
import { runProgram } from './run-program.js';

export interface OriginalPythonOptions {
  /** Name of the folder in the cache. */
  readonly name: string;
  /** Packages that pip installs, with versions. */
  readonly requirements: readonly string[];
  /** Environment variable that names an interpreter which has the packages already. */
  readonly variable?: string | undefined;
  /** A further step after pip, e.g. sources that no registry has. */
  readonly finish?: ((python: OriginalPython, setup: OriginalSetup) => Promise<void>) | undefined;
  /** Whether `finish` has done its work; default: it has where the packages are complete. */
  readonly isFinished?: (() => boolean) | undefined;
}

const SYSTEM_PYTHON = process.platform === 'win32' ? 'python' : 'python3';

export class OriginalPython {
  readonly #options: OriginalPythonOptions;

  constructor(options: OriginalPythonOptions) {
    this.#options = options;
  }

  /** Folder of the virtual environment, whether it exists or not. */
  get folder(): string {
    const { name, requirements } = this.#options;
    const digest = createHash('sha256').update(JSON.stringify(requirements)).digest('hex').slice(0, 12);
    const { VLGYM_CACHE, XDG_CACHE_HOME } = process.env;
    const cache = VLGYM_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'vlgym');
    return join(cache, 'originals', `${name}-${digest}`);
  }

  /** The interpreter that has the original's packages; `undefined` before `setup`. */
  get interpreter(): string | undefined {
    const named = this.#options.variable === undefined ? undefined : process.env[this.#options.variable];
    return named || (existsSync(this.#complete) ? this.executable : undefined);
  }

  /** Path of the virtual environment's interpreter, whether it exists or not. */
  get executable(): string {
    return process.platform === 'win32'
      ? join(this.folder, 'Scripts', 'python.exe')
      : join(this.folder, 'bin', 'python');
  }

  /**
   * Makes the virtual environment and installs the packages; keeps a complete one, and fetches what is missing next to it.
   *
   * @throws {GymError} `ORIGINAL_SETUP_FAILED`: no Python, no network, or pip fails; the message has its last lines.
   */
  async setup(setup: OriginalSetup = {}): Promise<void> {
    const { name, requirements, finish, isFinished = () => true } = this.#options;
    const isInstalled = existsSync(this.#complete);
    if (isInstalled && isFinished()) return;
    await mkdir(join(this.folder, '..'), { recursive: true });
    const lock = await lockFolder(join(this.folder, '..'), `setup-${name}`);
    try {
      if (!isInstalled) await this.#install(setup);
      await finish?.(this, setup);
      await writeFileAtomic(this.#complete, JSON.stringify({ requirements }));
    } finally {
      await lock.release();
    }
  }

  async #install(setup: OriginalSetup): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    const { python = SYSTEM_PYTHON } = setup;
    await this.run(python, ['-m', 'venv', this.folder], setup, 'install Python 3.9 to 3.12 with its module venv');
    const quiet = ['--no-input', '--disable-pip-version-check', '--progress-bar', 'off'];
    await this.run(this.executable, ['-m', 'pip', 'install', ...quiet, ...this.#options.requirements], setup);
  }

  /** Runs a program of the set-up. @throws {GymError} `ORIGINAL_SETUP_FAILED` */
  async run(program: string, args: readonly string[], { onProgress, signal }: OriginalSetup, hint?: string) {
    const { code, log } = await runProgram(program, args, { onLine: onProgress, signal });
    if (code === 0) return;
    const command = [program, ...args].join(' ');
    throw new GymError(
      `The set-up of the original failed: ${command}\n${log.trim().split('\n').slice(-8).join('\n')}`,
      {
        code: 'ORIGINAL_SETUP_FAILED',
        value: command,
        hint: hint ?? 'check the network and the Python version; PIP_INDEX_URL names another package index',
      },
    );
  }

  get #complete(): string {
    return join(this.folder, 'complete.json');
  }
}
