/** The Python package `vlgym`, installed as users do it from a clone, and the programs that check claims about it. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TASK_TYPES } from '@vlgym/alfworld';
import { generateHousehold, writeHousehold } from '@vlgym/alfworld/generator';
import { originalPython } from '@vlgym/alfworld/python';
import { installedChromium } from '@vlgym/chromium';
import { setWarningSink } from '@vlgym/core';
import { pagesFolder } from '@vlgym/miniwob';
import { pythonEnvironment } from './python-environment.js';
import { ROOT } from './workspaces.js';

const run = promisify(execFile);

/** The interpreter that has what the package needs. */
export const GYMNASIUM = pythonEnvironment(['gymnasium==1.4.0', 'setuptools==80.9.0']);

/** The package's data about an environment. */
export interface Spec {
  readonly id: string;
  readonly spec: string;
  readonly observation_space: { readonly type: string };
  readonly action_space: { readonly type: string };
}

/** An environment with its options, in Python and in Node. */
export interface Player extends Pick<Spec, 'id' | 'spec'> {
  readonly options: Readonly<Record<string, unknown>>;
  /** Variables of the process that plays. */
  readonly variables: Readonly<Record<string, string>>;
}

const NO_BROWSER = installedChromium() ? '' : 'no Chromium';
const NO_PAGES = NO_BROWSER || (hasPages() ? '' : 'no pages; run vlgym miniwob setup');
const ALFWORLD_PYTHON = originalPython();
const NO_ALFWORLD = ALFWORLD_PYTHON ? '' : 'no Python that has alfworld; run vlgym alfworld setup-python';

/** Requirements besides Node that are absent, or empty. */
export const NEED_MORE: Readonly<Record<string, string>> = {
  'vlgym/WebShopBrowser-v1': NO_BROWSER,
  'vlgym/WebShopBrowser-v2': NO_BROWSER,
  'vlgym/ArcadeCatch-v1': NO_BROWSER,
  'vlgym/ArcadeLamps-v1': NO_BROWSER,
  'vlgym/ArcadeRule-v1': NO_BROWSER,
  'vlgym/MiniWoB-v1': NO_PAGES,
  'vlgym/alfworld-AlfredTWEnv-v0': '',
  'vlgym/alfworld-AlfredTWEnvPython-v0': NO_ALFWORLD,
  // the package's engine drives a stand-in for AI2-THOR, which needs a display and its own Unity build
  'vlgym/alfworld-AlfredThorEnv-v0': NO_ALFWORLD,
};

function hasPages(): boolean {
  try {
    return pagesFolder() !== '';
  } catch {
    return false;
  }
}

/** Games of files, which the repository does not have. */
const PLAYS_FILES = /^vlgym\/alfworld-/;
const SIMULATOR = join(ROOT, 'packages/envs/alfworld/test-support/fake-simulator');

export class PythonPackage {
  private constructor(
    readonly folder: string,
    readonly specs: readonly Spec[],
    readonly games: readonly string[],
  ) {}

  /** Builds the package and installs it into a folder of its own. */
  static async install(): Promise<PythonPackage> {
    setWarningSink(() => {});
    execFileSync(process.execPath, [join(ROOT, 'scripts/python-package.mjs')], { stdio: 'pipe' });
    const folder = mkdtempSync(join(tmpdir(), 'vlgym-python-'));
    const how = ['--quiet', '--no-deps', '--no-build-isolation', '--target', folder];
    await run(GYMNASIUM.python!, ['-m', 'pip', 'install', ...how, join(ROOT, 'python')]);
    const { environments } = JSON.parse(readFileSync(join(folder, 'vlgym', '_specs.json'), 'utf8'));
    const games = TASK_TYPES.slice(0, 3).map((taskType, seed) =>
      writeHousehold(join(folder, 'games'), generateHousehold({ split: 'train', taskType, seed })),
    );
    return new PythonPackage(folder, environments, await Promise.all(games));
  }

  player(id: string): Player {
    const { spec } = this.specs.find((each) => each.id === id)!;
    return {
      id,
      spec,
      options: PLAYS_FILES.test(id) ? { games: this.games } : {},
      variables: {
        ...(id.includes('Thor') && { PYTHONPATH: SIMULATOR, STAND_IN_COMMANDS: 'go to desk 1,look,win' }),
        ...(ALFWORLD_PYTHON && { VLGYM_ALFWORLD_PYTHON: ALFWORLD_PYTHON }),
      },
    };
  }

  /** One of the commands of support/python/vlgym_checks.py, with what it prints. */
  async check(
    command: string,
    args: readonly unknown[],
    {
      python = GYMNASIUM.python!,
      variables = {},
      cwd,
    }: { python?: string; variables?: Player['variables']; cwd?: string } = {},
  ): Promise<unknown> {
    const script = [join(ROOT, 'test/support/python/vlgym_checks.py'), command, JSON.stringify(args)];
    const paths = [this.folder, variables.PYTHONPATH, process.env.PYTHONPATH].filter(Boolean).join(':');
    const env = { ...process.env, ...variables, PYTHONPATH: paths };
    const { stdout } = await run(python, script, { env, cwd, maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout.trim().split('\n').at(-1)!);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
