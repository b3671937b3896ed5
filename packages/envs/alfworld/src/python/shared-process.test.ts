/** Environments that share a process, with a fake interpreter that fails on command. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { isGone, FAKE_PYTHON as python, stopTime, writeFakeGames } from '../../test-support/fake-bridge.js';
import { AlfredPythonEnv, AlfredThorEnv } from '../index.js';
import type { AlfredPythonOptions } from './python-options.js';

const folder = mkdtempSync(join(tmpdir(), 'vlgym-shared-'));
const games = writeFakeGames(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const made: (AlfredPythonEnv | AlfredThorEnv)[] = [];
function create(options: AlfredPythonOptions = {}): AlfredPythonEnv {
  const env = new AlfredPythonEnv({ python, games, ...options });
  made.push(env);
  return env;
}
afterEach(async () => {
  vi.useRealTimers();
  for (const env of made.splice(0)) await env.close();
});

async function pair(options: AlfredPythonOptions = {}, others = options) {
  const [one, other] = [create(options), create(others)];
  await Promise.all([one.reset({ seed: 1 }), other.reset({ seed: 2 })]);
  return { one, other, id: one.processId! };
}

it('serves environments with equal options from one process, which ends with the last of them', async () => {
  const { one, other, id } = await pair();
  expect(other.processId).toBe(id);
  await Promise.all([one.step('look'), one.step('look'), other.step('look')]);
  expect([(await one.step('look')).observation, (await other.step('look')).observation]).toEqual(['3', '2']);
  await one.close();
  expect((await other.step('look')).observation).toBe('3');
  await other.close();
  expect(isGone(id)).toBe(true);
});

it.each<readonly [string, AlfredPythonOptions, AlfredPythonOptions]>([
  ['other data', {}, { data: folder }],
  ...(process.platform === 'linux' ? [['another memory limit', {}, { memoryLimit: 512 }] as const] : []),
  ['`shareProcess: false`', { shareProcess: false }, { shareProcess: false }],
])('starts another process for %s', async (_, options, others) => {
  const { other, id } = await pair(options, others);
  expect(other.processId).not.toBe(id);
});

it('gives each visual engine a separate process', async () => {
  const envs = [0, 1].map(() => new AlfredThorEnv({ python, games }));
  made.push(...envs);
  for (const env of envs) await env.reset();
  expect(envs[0]!.processId).not.toBe(envs[1]!.processId);
});

it.each([
  ['die', 'PYTHON_LOST', /SIGSEGV/],
  ['hang', 'PYTHON_TIMEOUT', /"step" and has not worked for 300 ms/],
  ['garbage', 'PYTHON_PROTOCOL', /not an answer/],
  ['burst', 'PYTHON_MEMORY', /out of memory/],
])('truncates all episodes when one makes it %s, and restarts for all', async (action, code, message) => {
  stopTime();
  const { one, other, id } = await pair({ timeout: 300 }, { timeout: 1000 });
  const error = { name: 'PythonError', code, message: expect.stringMatching(message) };
  const playing = Promise.all([one.step(action), other.step('look')]);
  if (action === 'hang') vi.advanceTimersByTime(300);
  for (const last of await playing) {
    expect(last).toMatchObject({ truncated: true, info: { truncatedBy: 'engine-lost', error } });
  }
  await Promise.all([one.reset(), other.reset()]);
  expect(one.processId).toBe(other.processId);
  expect(one.processId).not.toBe(id);
  expect((await other.step('look')).truncated).toBe(false);
});

it('does not count the time that a call waits for others', async () => {
  stopTime();
  const { one, other } = await pair({ timeout: 600 }, { timeout: 100 });
  const playing = Promise.all([one.step('hang'), other.step('look')]);
  vi.advanceTimersByTime(600);
  const [, last] = await playing;
  expect(last.info.error?.message).toMatch(/for 600 ms/);
});

it('loads a game again if the call of another environment ended the process', async () => {
  const { one, other, id } = await pair();
  const [last, first] = await Promise.all([one.step('die'), other.reset(), create().reset()]);
  expect([last.truncated, first.info.steps]).toEqual([true, 0]);
  expect(other.processId).not.toBe(id);
});

it('affects only the environment whose call raised', async () => {
  const { one, other, id } = await pair();
  const [last, next] = await Promise.all([one.step('raise'), other.step('look')]);
  expect(last.info.error).toMatchObject({ code: 'PYTHON_FAILED', message: expect.stringMatching(/Traceback: out of/) });
  expect(next).toMatchObject({ observation: '1', truncated: false });
  await one.reset();
  expect([one.processId, other.processId]).toEqual([id, id]);

  const broken = create({ games: ['/broken/game.tw-pddl'] });
  await expect(broken.reset()).rejects.toMatchObject({ code: 'PYTHON_FAILED' });
  expect((await other.step('look')).observation).toBe('2');
  expect((await one.step('look')).observation).toBe('1');
});

it('keeps serving others when one is closed during a call', async () => {
  const { one, other, id } = await pair();
  const pending = one.step('strain');
  await Promise.all([one.close(), expect(pending).rejects.toMatchObject({ code: 'CLOSED' })]);
  expect((await other.step('look')).observation).toBe('1');
  expect(other.processId).toBe(id);
});

it('accepts a limited number of environments, because the package leaks a part of each', async () => {
  const { other, id } = await pair();
  const processes = new Set<number>();
  for (let place = 2; place < 32; place += 1) {
    const env = create();
    await env.reset();
    processes.add(env.processId!);
    await env.close();
  }
  expect([...processes]).toEqual([id]);
  const late = create();
  await late.reset();
  expect(late.processId).not.toBe(id);
  expect((await other.step('look')).observation).toBe('1');
});

it('is not reused after it is gone', async () => {
  const { one, other, id } = await pair();
  process.kill(id, 'SIGKILL');
  await vi.waitFor(() => expect(one.processId).toBeUndefined(), { timeout: 60_000 });
  const late = create();
  await late.reset();
  expect(late.processId).not.toBe(id);
  expect((await other.step('look')).info.truncatedBy).toBe('engine-lost');
});
