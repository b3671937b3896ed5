/** The bridge, with an interpreter that fails on command; `original.test.ts` compares it with the original. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkEnv, make } from '@vlgym/core';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import {
  isGone,
  passTimeAlive,
  FAKE_PYTHON as python,
  stopTime,
  writeFakeGames,
} from '../../test-support/fake-bridge.js';
import { AlfredPythonEnv, AlfredThorEnv } from '../index.js';
import type { AlfredPythonOptions } from './python-options.js';

const folder = mkdtempSync(join(tmpdir(), 'vlgym-bridge-'));
const games = writeFakeGames(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const made: AlfredPythonEnv[] = [];
function create(options: AlfredPythonOptions = {}): AlfredPythonEnv {
  const env = new AlfredPythonEnv({ python, games, ...options });
  made.push(env);
  return env;
}
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const env of made.splice(0)) await env.close();
});

it('meets the contract of every environment', async () => {
  const options = { python, games, maxSteps: 5, expert: 'hand-coded' } as const;
  const report = await checkEnv(() => make('alfworld/AlfredTWEnvPython-v0', { options }), { steps: 3 });
  expect(report.findings).toEqual([]);
});

describe('an episode', () => {
  it('ends when won and repeats its last result from then on', async () => {
    const env = create({ reward: { won: 2, illegal: 1, step: -0.5 }, expert: 'hand-coded' });
    const { info } = await env.reset({ seed: 1 });
    expect(info).toMatchObject({ won: false, legal: true, steps: 0, goalConditionSuccessRate: null, split: 'train' });
    expect(env.versions).toEqual({ alfworld: '0', textworld: '0', python: '0' });
    expect(await env.step('dance')).toMatchObject({ observation: 'Nothing happens.', reward: -1.5, terminated: false });
    const last = await env.step(env.oracle()!);
    expect(last).toMatchObject({ reward: 1.5, terminated: true, truncated: false, info: { success: true, steps: 2 } });
    expect(await env.step('look')).toEqual(last);
  });

  it('is truncated at its last step', async () => {
    const env = create({ maxSteps: 2 });
    await env.reset();
    expect((await env.step('look')).truncated).toBe(false);
    expect(await env.step('look')).toMatchObject({ truncated: true, info: { truncatedBy: 'step-limit', won: false } });
  });

  it('plays every game once per cycle, or the one that is named', async () => {
    const env = create();
    const { info } = await env.reset({ seed: 1 });
    const cycle = [info.game, (await env.reset()).info.game, (await env.reset()).info.game];
    expect([...cycle].sort()).toEqual(games);
    expect((await env.reset({ options: { game: games[1] } })).info.task).toBe('second.');
    await expect(env.reset({ options: { game: 'fourth' } })).rejects.toMatchObject({ code: 'UNKNOWN_GAME' });
    await expect(env.step('look')).rejects.toMatchObject({ code: 'RESET_NEEDED' });
  });
});

describe('a process that fails during an episode', () => {
  it.each([
    ['dies', 'die', 'PYTHON_LOST', /SIGSEGV.*\n.*Segmentation fault in the planner/],
    ['does not answer', 'hang', 'PYTHON_TIMEOUT', /"step" and has not worked for 600 ms/],
    ['works forever', 'toil', 'PYTHON_TIMEOUT', /"step" within 900 ms/],
    ['prints something other than an answer', 'garbage', 'PYTHON_PROTOCOL', /not an answer/],
    ['answers with the wrong fields', 'mumble', 'PYTHON_PROTOCOL', /observation/],
    ['stops in the middle of a line', 'half', 'PYTHON_LOST', /exit code 0/],
    ['writes an endless line', 'flood', 'PYTHON_PROTOCOL', /more than 8388608 bytes/],
    ['runs out of memory', 'burst', 'PYTHON_MEMORY', /SIGABRT: it ran out of memory/],
    ['raises', 'raise', 'PYTHON_FAILED', /RuntimeError: out of plans\n.*Traceback: out of plans/],
  ])('because it %s truncates the episode and is gone; the next reset works', async (_, action, code, message) => {
    const isLate = code === 'PYTHON_TIMEOUT';
    if (isLate) stopTime();
    const env = create(isLate ? { timeout: 600, longestCall: 900 } : {});
    await env.reset({ seed: 1 });
    const before = await env.step('look');
    const first = env.processId!;
    const playing = env.step(action);
    if (action === 'hang') vi.advanceTimersByTime(600);
    if (action === 'toil') await passTimeAlive([300, 300, 300]);
    const last = await playing;
    expect(last).toEqual({
      observation: before.observation,
      reward: 0,
      terminated: false,
      truncated: true,
      info: {
        ...before.info,
        rewardParts: undefined,
        truncatedBy: 'engine-lost',
        truncationReason: 'env-error',
        error: { name: 'PythonError', code, message: expect.stringMatching(message) },
      },
    });
    expect(await env.step('look')).toEqual(last);
    expect(env.processId).toBeUndefined();
    await vi.waitFor(() => expect(isGone(first)).toBe(true), { timeout: 60_000 });

    const { info } = await env.reset({ seed: 1 });
    expect(info.game).toBe(before.info.game);
    expect(env.processId).not.toBe(first);
    expect(await env.step('look')).toEqual(before);
  });

  it.skipIf(process.platform !== 'linux').each(['eat', 'burst'])('names the memory limit: %s', async (action) => {
    const env = create({ memoryLimit: 4096 });
    await env.reset();
    const { truncated, info } = await env.step(action);
    const message = expect.stringContaining('`memoryLimit` allows 4096 MiB');
    expect([truncated, info.error]).toEqual([true, { name: 'PythonError', code: 'PYTHON_MEMORY', message }]);
  });

  it.each([
    ['gives signs of life before it answers', 'strain'],
    ['answers in two halves of a line', 'stammer'],
    ['has unlimited memory', 'eat'],
  ])('is not reported for one that %s', async (_, action) => {
    const env = create();
    await env.reset();
    expect(await env.step(action)).toMatchObject({ observation: '1', truncated: false });
  });

  it('has no effect if it dies between two episodes', async () => {
    const env = create();
    await env.reset({ seed: 1 });
    await env.step('win');
    const id = env.processId!;
    process.kill(id, 'SIGKILL');
    await vi.waitFor(() => expect(isGone(id)).toBe(true), { timeout: 60_000 });
    await env.reset();
    expect((await env.step('look')).truncated).toBe(false);
  });
});

describe('a reset that fails', () => {
  it.each([
    [
      'without an interpreter',
      { python: join(folder, 'none') },
      '',
      'PYTHON_NOT_FOUND',
      /none.*\n.*VLGYM_ALFWORLD_PYTHON/,
    ],
    [
      'without the package',
      {},
      'bare',
      'PYTHON_PACKAGE_MISSING',
      /No module named 'alfworld'[\s\S]*vlgym alfworld setup-python/,
    ],
    ['because the start takes too long', { startTimeout: 300 }, 'slow', 'PYTHON_TIMEOUT', /startTimeout/],
    ['on a game that is broken', { games: ['/broken/game.tw-pddl'] }, '', 'PYTHON_FAILED', /no such game/],
  ])('%s says why, and the next one tries again', async (_, options, kind, code, message) => {
    vi.stubEnv('FAKE_PYTHON', kind);
    const env = create(options);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(env.reset()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    }
  });
});

describe('close', () => {
  it('leaves no process behind, not even one that does not answer', async () => {
    const env = create();
    await env.reset();
    const id = env.processId!;
    const pending = env.step('hang');
    await Promise.all([env.close(), expect(pending).rejects.toMatchObject({ code: 'CLOSED' })]);
    expect(isGone(id)).toBe(true);
    await env.close();
    await expect(env.reset()).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

it.each([
  [{ reward: 'paper' }, 'INVALID_OPTION', /goal conditions/],
  [{ reward: { subgoal: 1 } }, 'INVALID_OPTION', /goal conditions/],
  [{ expert: 'planner' }, 'INVALID_OPTION', /hand-coded/],
  [{ timeout: 0 }, 'INVALID_OPTION', /milliseconds/],
  [{ longestCall: 1.5 }, 'INVALID_OPTION', /milliseconds/],
  [{ memoryLimit: 8 }, 'INVALID_OPTION', /MiB, an integer from 64|cannot limit/],
  [{ shareProcess: 'no' }, 'INVALID_OPTION', /true or false/],
  [{ python: '' }, 'INVALID_OPTION', /interpreter/],
  [{ pyhton: 'python3' }, 'UNKNOWN_OPTION', /did you mean "python"/],
  [{ grammarVersion: 'embedded' }, 'UNKNOWN_OPTION', /another environment/],
])('refuses the options %o', (options, code, message) => {
  expect(() => new AlfredPythonEnv(options as never)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});

it.each([
  [{ reward: 'paper' }, 'INVALID_OPTION', /rl4vlm, vl-dac, or weights/],
  [{ width: 2000 }, 'INVALID_OPTION', /pixels, an integer from 32 to 1024/],
  [{ expert: 'hand-coded' }, 'UNKNOWN_OPTION', /another environment/],
  [{ shareProcess: true }, 'UNKNOWN_OPTION', /shareProcess/],
])('refuses the options %o of the visual engine', (options, code, message) => {
  expect(() => new AlfredThorEnv(options as never)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});
