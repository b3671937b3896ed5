/** Setup of a Python with a fake interpreter; the command line runs it in a separate process. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FAKE_INSTALLER, writeFakeGames } from '../../test-support/fake-bridge.js';
import { AlfredPythonEnv } from '../index.js';
import {
  currentFile,
  defaultPython,
  interpreterOf,
  pythonFolder,
  REQUIREMENTS,
  SYSTEM_PYTHON,
} from './python-place.js';
import { setupPython } from './setup-python.js';

let cache = '';
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'vlgym-setup-'));
  vi.stubEnv('VLGYM_CACHE', cache);
  vi.stubEnv('VLGYM_ALFWORLD_PYTHON', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true });
});

const python = FAKE_INSTALLER;
const isVirtual = (name: string) => name.startsWith('venv-');

it('makes the interpreter that environments then use', async () => {
  expect(defaultPython()).toBe(SYSTEM_PYTHON);
  const lines: string[] = [];
  const report = await setupPython({ python, onProgress: (line) => lines.push(line) });
  expect(report).toEqual({ made: true, interpreter: defaultPython(), alfworld: '0', textworld: '0', python: '0' });
  expect(lines).toContain('Collecting setuptools<81 alfworld==0.4.2 textworld[pddl]==1.7.0 TatSu==5.8.3');

  const env = new AlfredPythonEnv({ games: writeFakeGames(cache) });
  expect((await env.reset({ seed: 1 })).observation).toContain('Welcome.');
  await env.close();
  vi.stubEnv('VLGYM_ALFWORLD_PYTHON', '/opt/python');
  expect(defaultPython()).toBe('/opt/python');
});

it('does nothing if it is done, and starts over with `force`', async () => {
  const { interpreter } = await setupPython({ python });
  expect(await setupPython()).toMatchObject({ made: false, interpreter });
  expect(await setupPython({ python })).toMatchObject({ made: false, interpreter });
  const again = await setupPython({ python, force: true });
  expect(again.made).toBe(true);
  expect(defaultPython()).toBe(again.interpreter);
});

it.each([
  ['is missing', '', { python: '/none/python3' }, 'PYTHON_NOT_FOUND', /\/none\/python3.*[\s\S]*apt install python3/],
  ['is another program', '', { python: process.execPath }, 'PYTHON_NOT_FOUND', /cannot be started/],
  ['is too old', 'old', {}, 'PYTHON_TOO_OLD', /3\.9 to 3\.12/],
  ['has no venv', 'lean', {}, 'PYTHON_VENV_MISSING', /apt install python3-venv/],
  ['has no network', 'offline', {}, 'NO_NETWORK', /from versions: none[\s\S]*PIP_INDEX_URL/],
  ['cannot install', 'failing', {}, 'PYTHON_INSTALL_FAILED', /gcc failed[\s\S]*build-essential/],
  ['cannot load the package', 'bare', {}, 'PYTHON_PACKAGE_MISSING', /No module named/],
])('says what to do if Python %s, and leaves nothing behind', async (_, kind, options, code, message) => {
  vi.stubEnv('FAKE_PYTHON', kind);
  const failed = setupPython({ python, ...options });
  await expect(failed).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  expect(readdirSync(cache, { recursive: true })).not.toContainEqual(expect.stringContaining('venv-'));
  expect(defaultPython()).toBe(SYSTEM_PYTHON);
});

it('leaves nothing behind if it is aborted', async () => {
  vi.stubEnv('FAKE_PYTHON', 'hang');
  const stop = new AbortController();
  const onProgress = (line: string) => line.startsWith('Collecting') && stop.abort();
  await expect(setupPython({ python, onProgress, signal: stop.signal })).rejects.toThrow(/aborted/);
  expect(readdirSync(pythonFolder())).toEqual([]);
});

it('does not use the installation of another release', async () => {
  const { interpreter } = await setupPython({ python });
  const written = readFileSync(currentFile(), 'utf8');
  writeFileSync(currentFile(), written.replace('alfworld==0.4.2', 'alfworld==0.4.1'));
  expect(defaultPython()).toBe(SYSTEM_PYTHON);
  expect((await setupPython({ python })).made).toBe(true);
  expect(defaultPython()).not.toBe(interpreter);
});

it('removes an incomplete installation', async () => {
  const half = join(pythonFolder(), `venv-${2 ** 22 + 1}-killed`); // higher than any process id
  mkdirSync(join(half, 'bin'), { recursive: true });
  expect(defaultPython()).toBe(SYSTEM_PYTHON);
  const { interpreter } = await setupPython({ python });
  const [only, ...others] = readdirSync(pythonFolder()).filter(isVirtual);
  expect(others).toEqual([]);
  expect(interpreter).toContain(only);
});

it.each([
  ['is kept, if this one fails', '/another/python3', false],
  ['is taken, if it is of the same Python', python, true],
])('an installation that another process finishes in the meantime %s', async (_, base, isTaken) => {
  const folder = `venv-${2 ** 22 + 1}-overtaking`; // the process has ended
  const versions = { alfworld: '0', textworld: '0', python: '0' };
  vi.stubEnv('FAKE_PYTHON', 'overtaken');
  vi.stubEnv('FAKE_CURRENT', JSON.stringify({ folder, base, requirements: REQUIREMENTS, ...versions }));
  const interpreter = interpreterOf(join(pythonFolder(), folder));
  const done = setupPython({ python });
  if (isTaken) expect(await done).toEqual({ made: false, interpreter, ...versions });
  else await expect(done).rejects.toMatchObject({ code: 'PYTHON_INSTALL_FAILED' });
  expect(defaultPython()).toBe(interpreter);
});
