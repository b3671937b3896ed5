/** Fetches the pages: pip downloads the wheel of miniwob 1.1.0, holds it to its SHA-256, and unpacks it into the cache. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GymError } from '@vlgym/core';
import { checkNames, lockFolder, names } from '@vlgym/core/internal';
import { runProgram } from '@vlgym/core/verification';
import { MINIWOB_VERSION, setupFolder } from './pages-folder.js';

/** SHA-256 of the file `miniwob-1.1.0-py3-none-any.whl`. */
const WHEEL_SHA256 = '297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9';

export interface SetupPagesOptions {
  /** Interpreter whose pip is used; default: `python3` on the path. */
  readonly python?: string | undefined;
  /** Fetch again what is there. */
  readonly force?: boolean | undefined;
  /** Receives pip's output line by line. */
  readonly onProgress?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SetupPages {
  /** Folder of the pages. */
  readonly folder: string;
  /** False if an earlier call has fetched them. */
  readonly made: boolean;
}

const SETUP_OPTIONS = names<SetupPagesOptions>({ python: 0, force: 0, onProgress: 0, signal: 0 });

/** @throws {GymError} `MINIWOB_SETUP_FAILED`: no Python, no network, or another wheel than the one that is known. */
export async function setupPages(options: SetupPagesOptions = {}): Promise<SetupPages> {
  checkNames('options', options, SETUP_OPTIONS);
  const { python = process.platform === 'win32' ? 'python' : 'python3', force = false } = options;
  const home = setupFolder();
  const folder = join(home, 'miniwob', 'html');
  const isThere = () => !force && existsSync(join(folder, 'core', 'core.js'));
  if (isThere()) return { folder, made: false };
  await mkdir(dirname(home), { recursive: true });
  const lock = await lockFolder(dirname(home), 'setup');
  try {
    if (isThere()) return { folder, made: false };
    const fresh = await mkdtemp(join(dirname(home), '.setup-'));
    try {
      await install(python, fresh, options);
      await rm(home, { recursive: true, force: true });
      await rename(fresh, home);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  } finally {
    await lock.release();
  }
  return { folder, made: true };
}

async function install(python: string, target: string, { onProgress, signal }: SetupPagesOptions): Promise<void> {
  const requirements = join(target, 'requirements.txt');
  await writeFile(requirements, `miniwob==${MINIWOB_VERSION} --hash=sha256:${WHEEL_SHA256}\n`);
  const quiet = ['--no-input', '--disable-pip-version-check', '--progress-bar', 'off', '--no-compile'];
  const exact = ['--require-hashes', '--only-binary', ':all:', '--no-deps', '--ignore-requires-python'];
  const args = ['-m', 'pip', 'install', ...quiet, ...exact, '--target', target, '-r', requirements];
  const { code, log } = await runProgram(python, args, { onLine: onProgress, signal });
  if (code === 0) return;
  throw new GymError(`The pages of MiniWoB++ could not be fetched:\n${log.trim().split('\n').slice(-8).join('\n')}`, {
    code: 'MINIWOB_SETUP_FAILED',
    value: [python, ...args].join(' '),
    expected: `pip, and the wheel of miniwob ${MINIWOB_VERSION} with SHA-256 ${WHEEL_SHA256}`,
    hint: 'check the network and the Python; PIP_INDEX_URL names another package index',
  });
}
