/** Makes a virtual environment with ALFWorld's Python package in the user's cache. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkNames, names } from '@vlgym/core/internal';
import { runProgram } from '@vlgym/core/verification';
import { z } from 'zod';
import { type PythonVersions, versionsSchema } from './protocol.js';
import { PythonError } from './python-error.js';
import {
  type Current,
  currentFile,
  currentPython,
  interpreterOf,
  pythonFolder,
  REQUIREMENTS,
  SYSTEM_PYTHON,
} from './python-place.js';
import { PythonProcess } from './python-process.js';
import { bridgeScript } from './script.js';

export interface SetupPythonOptions {
  /** Base interpreter, 3.9 or newer; default: `python3` on the path. */
  readonly python?: string | undefined;
  /** Make it again even if it exists. */
  readonly force?: boolean | undefined;
  /** Receives each line of pip's output, and each further step. */
  readonly onProgress?: ((line: string) => void) | undefined;
  /** Aborts and removes everything made so far. */
  readonly signal?: AbortSignal | undefined;
}

export interface SetupPythonReport extends PythonVersions {
  readonly interpreter: string;
  /** Whether this call made it. */
  readonly made: boolean;
}

const TRY = { engine: 'text', steps: 1, expert: false, shuffle: false };
const MINUTES = 60_000;
/** pip's messages about an unreachable index. */
const OFFLINE =
  /from versions: none|NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError|ProxyError|SSLError/;

const probeSchema = z.object({ base: z.string(), version: z.array(z.number()), hasVenv: z.boolean() });
const PROBE = `import sys, json
from importlib.util import find_spec
print(json.dumps({
    "base": getattr(sys, "_base_executable", sys.executable),
    "version": list(sys.version_info[:3]),
    "hasVenv": find_spec("venv") is not None and find_spec("ensurepip") is not None,
}))`;

const SETUP_PYTHON_OPTIONS = names<SetupPythonOptions>({ python: 0, force: 0, onProgress: 0, signal: 0 });

/**
 * Makes the virtual environment, installs the requirements with pip, and tests the package.
 *
 * Keeps an existing one, unless `python` names another interpreter than the one that made it.
 *
 * @throws {PythonError} Python is missing, too old, or cannot make virtual environments; the network is down, pip fails,
 *   or the package cannot be loaded.
 */
export async function setupPython(options: SetupPythonOptions = {}): Promise<SetupPythonReport> {
  checkNames('options', options, SETUP_PYTHON_OPTIONS);
  const { python, force = false, onProgress, signal } = options;
  signal?.throwIfAborted();
  const old = force ? undefined : currentPython();
  if (old && python === undefined) return report(old, old.interpreter, false);
  const base = await baseOf(python ?? SYSTEM_PYTHON, signal);
  const there = currentPython(); // another process may have made it while Python answered
  if (!force && there?.base === base) return report(there, there.interpreter, false);

  const root = pythonFolder();
  mkdirSync(root, { recursive: true });
  clear(root, there?.folder);
  const folder = mkdtempSync(join(root, `venv-${process.pid}-`));
  try {
    await install(base, folder, { onProgress, signal });
    onProgress?.('loading the package');
    const versions = await load(folder, signal);
    const current: Current = { folder: basename(folder), base, requirements: [...REQUIREMENTS], ...versions };
    const written = join(folder, 'current.json');
    writeFileSync(written, JSON.stringify(current));
    renameSync(written, currentFile());
    clear(root, current.folder);
    return report(current, interpreterOf(folder), true);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

const report = ({ alfworld, textworld, python }: PythonVersions, interpreter: string, made: boolean) => ({
  alfworld,
  textworld,
  python,
  interpreter,
  made,
});

/** Resolves a name to the base interpreter, even behind a virtual environment. */
async function baseOf(python: string, signal: AbortSignal | undefined): Promise<string> {
  const { code, log } = await runProgram(python, ['-c', PROBE], { signal });
  let found: z.output<typeof probeSchema>;
  try {
    found = probeSchema.parse(JSON.parse(log));
  } catch {
    throw new PythonError(`The Python interpreter "${python}" cannot be started (exit code ${code}).`, {
      code: 'PYTHON_NOT_FOUND',
      value: python,
      stderr: log,
      hint: 'install Python 3.9 to 3.12 (Debian, Ubuntu: apt install python3 python3-venv), or name one with `python`',
    });
  }
  const [major = 0, minor = 0] = found.version;
  if (major < 3 || (major === 3 && minor < 9)) {
    throw new PythonError(`The Python interpreter "${python}" is too old.`, {
      code: 'PYTHON_TOO_OLD',
      value: found.version.join('.'),
      expected: 'Python 3.9 to 3.12',
      hint: 'name a newer one with `python`',
    });
  }
  if (!found.hasVenv) throw venvMissing(python);
  return found.base;
}

function venvMissing(python: string, stderr = ''): PythonError {
  return new PythonError(`The Python interpreter "${python}" cannot make virtual environments.`, {
    code: 'PYTHON_VENV_MISSING',
    value: python,
    stderr,
    hint: 'install its modules venv and ensurepip (Debian, Ubuntu: apt install python3-venv)',
  });
}

async function install(
  base: string,
  folder: string,
  { onProgress, signal }: Pick<SetupPythonOptions, 'onProgress' | 'signal'>,
): Promise<void> {
  onProgress?.(`${base} -m venv ${folder}`);
  const made = await runProgram(base, ['-m', 'venv', folder], { signal });
  if (made.code !== 0) throw venvMissing(base, made.log);
  onProgress?.(`pip install ${REQUIREMENTS.join(' ')}`);
  const quiet = ['--no-input', '--disable-pip-version-check', '--progress-bar', 'off'];
  const args = ['-m', 'pip', 'install', ...quiet, ...REQUIREMENTS];
  const { code, log } = await runProgram(interpreterOf(folder), args, { signal, onLine: onProgress });
  if (code === 0) return;
  if (OFFLINE.test(log)) {
    throw new PythonError('pip cannot reach the Python package index.', {
      code: 'NO_NETWORK',
      stderr: log,
      hint: 'check the network or PIP_INDEX_URL, or point VLGYM_ALFWORLD_PYTHON at a Python that has alfworld',
    });
  }
  throw new PythonError('pip could not install ALFWorld.', {
    code: 'PYTHON_INSTALL_FAILED',
    value: REQUIREMENTS,
    stderr: log,
    hint: 'its parts come built for Python 3.9 to 3.12 on Linux and macOS; elsewhere they need a compiler (Debian, Ubuntu: apt install build-essential python3-dev)',
  });
}

/** Loads the package as the environments do. */
async function load(folder: string, signal: AbortSignal | undefined): Promise<PythonVersions> {
  signal?.throwIfAborted();
  // The package creates its data folder; loading it needs no data.
  const environment = { ...process.env, ALFWORLD_DATA: folder };
  const engine = new PythonProcess({ python: interpreterOf(folder), script: bridgeScript(), environment });
  const stop = () => void engine.close();
  signal?.addEventListener('abort', stop);
  try {
    const limits = { schema: versionsSchema, timeout: 5 * MINUTES, longest: 10 * MINUTES };
    return await engine.call(0, 'create', TRY, limits);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    await engine.close();
  }
}

/** Removes leftovers of dead processes, and superseded environments. */
function clear(root: string, current: string | undefined): void {
  for (const name of readdirSync(root)) {
    const [, pid] = /^venv-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || name === current) continue;
    if (!isRunning(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
