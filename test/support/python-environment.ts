/**
 * Python environments for tests with real peers, made once and cached. Where pip reaches no registry there is none, and the
 * tests that need it are skipped with the reason in their title.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vlgym', 'test-python');
const MARK = 'vlgym-complete';

export interface PythonEnvironment {
  /** The interpreter; `undefined` if it cannot be made. */
  readonly python: string | undefined;
  /** For the title of skipped tests. */
  readonly reason: string;
}

/** @param requirements  As pip takes them, with versions. */
export function pythonEnvironment(requirements: readonly string[]): PythonEnvironment {
  const key = createHash('sha256').update(JSON.stringify(requirements)).digest('hex').slice(0, 12);
  const folder = join(CACHE, key);
  const python = join(folder, 'bin', 'python');
  if (existsSync(join(folder, MARK))) return { python, reason: '' };
  if (process.env.VLGYM_OFFLINE) return { python: undefined, reason: 'VLGYM_OFFLINE is set' };
  const options = {
    stdio: 'pipe',
    timeout: 300_000,
    env: { ...process.env, PIP_RETRIES: '0', PIP_TIMEOUT: '10' },
  } as const;
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    // a virtual environment holds its own path, so it is made in place by whoever comes first
    execFileSync('python3', ['-m', 'venv', folder], options);
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements], options);
    writeFileSync(draft, requirements.join('\n'));
    renameSync(draft, join(folder, MARK));
    return { python, reason: '' };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    const [line = 'pip failed'] = String((error as { stderr?: unknown }).stderr ?? error)
      .trim()
      .split('\n')
      .slice(-1);
    return { python: undefined, reason: `pip cannot install ${requirements.join(' ')}: ${line.slice(0, 120)}` };
  }
}
