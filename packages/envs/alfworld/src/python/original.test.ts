/**
 * Compares the bridge with the native engine, game by game, using the real Python package.
 *
 * Needs an interpreter with alfworld 0.4: `VLGYM_ALFWORLD_PYTHON`, or the one that `vlgym alfworld setup-python` made.
 * Skipped without one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Generator } from '@vlgym/core';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { DATA, NEEDS_DATA } from '../../test-support/data.js';
import { listGames } from '../games/index.js';
import { generateHousehold, householdFiles, writeHousehold } from '../generator/index.js';
import { AlfredPythonEnv, AlfredTextEnv, AlfredThorEnv, TASK_TYPES } from '../index.js';
import type { AlfredPythonOptions, AlfredThorOptions, PythonHouseholdInfo } from './index.js';
import { currentPython } from './python-place.js';

const python = process.env.VLGYM_ALFWORLD_PYTHON || currentPython()?.interpreter;
const NEEDS_PYTHON = python ? '' : ' (skipped: no Python that has alfworld; run vlgym alfworld setup-python)';

const folder = mkdtempSync(join(tmpdir(), 'vlgym-original-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The part of a result that both engines report; only one of them knows the conditions of a goal. */
function sharedPart<T extends { info: object }>({ info, ...rest }: T) {
  const { goalConditionSuccessRate: _, ...facts } = info as PythonHouseholdInfo;
  return { ...rest, info: facts };
}

/** Plays the next game in both: random commands, some invalid ones, then the expert's plan. */
async function playBoth(ours: AlfredTextEnv, theirs: AlfredPythonEnv, wander: number, seed?: number): Promise<boolean> {
  const options = seed === undefined ? {} : { seed };
  let last = sharedPart(ours.reset(options));
  expect(sharedPart(await theirs.reset(options))).toEqual(last);
  const rng = new Generator(7);
  for (let step = 0, over = false; !over; step += 1) {
    const random = step % 5 === 4 ? ' Dance;"\n' : rng.choice(last.info.admissibleCommands);
    const action = step < wander ? random : ours.oracle()!;
    const result = sharedPart(ours.step(action));
    expect(sharedPart(await theirs.step(action)), `${last.info.game}, step ${step}: ${action}`).toEqual(result);
    over = result.terminated || result.truncated;
    last = result;
  }
  return last.info.won;
}

describe.skipIf(!python || !DATA)(`the original next to ours${NEEDS_PYTHON || NEEDS_DATA}`, () => {
  it.each(TASK_TYPES)(
    'plays an original game of %s equally, from the same seed',
    async (taskType) => {
      const options = { data: DATA!, split: 'valid_seen', taskTypes: [taskType] };
      const theirs = new AlfredPythonEnv({ ...options, python });
      expect(await playBoth(new AlfredTextEnv(options), theirs, 8, 3)).toBe(true);
      expect(theirs.versions).toMatchObject({ alfworld: expect.stringMatching(/^0\./) });
      await theirs.close();
    },
    120_000,
  );

  it('is truncated equally at the limit, and repeats its last result from then on', async () => {
    const games = [listGames({ data: DATA!, split: 'valid_unseen', cache: false }).games.at(-1)!.file];
    const ours = new AlfredTextEnv({ games, maxSteps: 4 });
    const theirs = new AlfredPythonEnv({ games, maxSteps: 4, python });
    expect(await playBoth(ours, theirs, 4)).toBe(false);
    expect(sharedPart(await theirs.step('look'))).toEqual(sharedPart(ours.step('look')));
    await theirs.close();
  });

  it('is restarted after it was killed during an episode', async () => {
    const env = new AlfredPythonEnv({ data: DATA!, split: 'valid_seen', taskTypes: [1], python });
    const start = await env.reset({ seed: 1 });
    process.kill(env.processId!, 'SIGKILL');
    const last = await env.step('look');
    expect(last).toMatchObject({
      truncated: true,
      info: { truncatedBy: 'engine-lost', error: { code: 'PYTHON_LOST' } },
    });
    expect(await env.reset({ seed: 1 })).toEqual(start);
    await env.close();
  });
});

/** The same game in both engines. */
interface Pair {
  readonly ours: AlfredTextEnv;
  readonly theirs: AlfredPythonEnv;
}

describe.skipIf(!python)(`environments in one process of the original${NEEDS_PYTHON}`, () => {
  const pair = async (seed: number, options: AlfredPythonOptions = {}): Promise<Pair> => {
    const household = generateHousehold({ split: 'train', taskType: TASK_TYPES[seed]!, seed });
    const games = [await writeHousehold(folder, household)];
    return { ours: new AlfredTextEnv({ games }), theirs: new AlfredPythonEnv({ games, python, ...options }) };
  };

  it('play interleaved games as ours does, whatever command one of them gets', async () => {
    const pairs = await Promise.all([1, 2, 3].map((seed) => pair(seed)));
    for (const { ours, theirs } of pairs) expect(sharedPart(await theirs.reset())).toEqual(sharedPart(ours.reset()));
    expect(new Set(pairs.map(({ theirs }) => theirs.processId)).size).toBe(1);
    for (const said of ['é\u2028\0', 'a'.repeat(200), '"}\n{"id": 1}']) {
      await pairs[0]!.theirs.step(said);
      const [, { ours, theirs }] = pairs as [Pair, Pair];
      const action = ours.oracle()!;
      expect(sharedPart(await theirs.step(action))).toEqual(sharedPart(ours.step(action)));
    }
    await pairs[0]!.theirs.close();
    const left = pairs.slice(1);
    for (let playing = left; playing.length > 0; playing = playing.filter(({ ours }) => ours.oracle())) {
      const actions = playing.map(({ ours }) => ours.oracle()!);
      const results = await Promise.all(playing.map(({ theirs }, index) => theirs.step(actions[index]!)));
      for (const [index, { ours }] of playing.entries()) {
        expect(sharedPart(results[index]!)).toEqual(sharedPart(ours.step(actions[index]!)));
      }
    }
    for (const { theirs } of left) await theirs.close();
  }, 120_000);

  it.skipIf(process.platform !== 'linux')('play within a memory limit, and report one that is too small', async () => {
    const { theirs } = await pair(1, { memoryLimit: 512 });
    await theirs.reset();
    const { theirs: starved } = await pair(1, { memoryLimit: 100 });
    await expect(starved.reset()).rejects.toMatchObject({
      code: 'PYTHON_MEMORY',
      message: expect.stringContaining('`memoryLimit` allows 100 MiB'),
    });
    await theirs.close();
  });
});

describe.skipIf(!python)(`the original${NEEDS_PYTHON}`, () => {
  it('plays twenty generated households to the end as ours does, using its own expert', async () => {
    const splits = ['train', 'seen', 'unseen'] as const;
    const households = Array.from({ length: 20 }, (_, seed) =>
      generateHousehold({ split: splits[seed % 3]!, taskType: TASK_TYPES[seed % 6]!, seed }),
    );
    const games = await Promise.all(households.map((household) => writeHousehold(folder, household)));
    const ours = new AlfredTextEnv({ games });
    const theirs = new AlfredPythonEnv({ games, python, expert: 'hand-coded' });
    ours.reset({ seed: 0 });
    const { info } = await theirs.reset({ seed: 0 });
    expect([...info.admissibleCommands, 'look']).toContain(theirs.oracle());
    for (let game = 0; game < games.length; game += 1) expect(await playBoth(ours, theirs, 3)).toBe(true);
    await theirs.close();
  }, 300_000);

  it.each([
    ['is missing', () => undefined, /Unable to find game[\s\S]*stderr:[\s\S]*raise IOError/],
    ['is truncated', (text: string) => text.slice(0, 5000), /JSONDecodeError: Unterminated string/],
    [
      'has PDDL that the planner does not support',
      (text: string) => text.replace('(:action', '(:derived (x) (x)) (:action'),
      /Undeclared predicate: x/,
    ],
  ])('explains why a game that %s cannot be loaded', async (title, change, message) => {
    const game = join(folder, title, 'game.tw-pddl');
    const { files } = householdFiles(generateHousehold({ split: 'train', taskType: 'look_at_obj_in_light', seed: 1 }));
    const text = change(files['game.tw-pddl']!);
    mkdirSync(join(folder, title));
    if (text) writeFileSync(game, text);
    const env = new AlfredPythonEnv({ games: [game], python });
    await expect(env.reset()).rejects.toMatchObject({ code: 'PYTHON_FAILED', message: expect.stringMatching(message) });
    await env.close();
  });
});

describe.skipIf(!python)(`the original's visual engine with a stand-in for its simulator${NEEDS_PYTHON}`, () => {
  afterEach(() => vi.unstubAllEnvs());
  const opened = async (options: AlfredThorOptions) => {
    vi.stubEnv('PYTHONPATH', fileURLToPath(new URL('../../test-support/fake-simulator', import.meta.url)));
    const household = generateHousehold({ split: 'train', taskType: 'look_at_obj_in_light', seed: 1 });
    const env = new AlfredThorEnv({ games: [await writeHousehold(folder, household)], python, ...options });
    return { env, household, start: await env.reset({ seed: 1 }) };
  };

  it('shows its scene in RGB, and rewards the share of met conditions as RL4VLM does', async () => {
    const { env, start } = await opened({ reward: 'rl4vlm', width: 40, height: 32, renderMode: 'rgb_array' });
    const { text, image } = start.observation;
    expect(text).toMatch(/^-= Welcome[\s\S]*Scene FloorPlan\d+\.[\s\S]*do it$/);
    expect(image).toMatchObject({ width: 40, height: 32, channels: 3 });
    expect([...image.data.subarray(0, 6)]).toEqual([0, 0, 9, 0, 0, 9]);
    expect(start.info).toMatchObject({ task: 'do it', goalConditionSuccessRate: 0, taskType: 'look_at_obj_in_light' });
    expect(env.observationSpace.contains(start.observation)).toBe(true);

    const looked = await env.step('look');
    expect([...looked.observation.image.data.subarray(0, 3)]).toEqual([1, 0, 9]);
    expect(looked).toMatchObject({ observation: { text: 'You look.' }, reward: 0.5, terminated: false });
    expect(looked.info).toMatchObject({ goalConditionSuccessRate: 0.5, legal: true });
    expect((await env.step('dance')).reward).toBe(-0.5);
    const won = await env.step('win');
    expect(won).toMatchObject({ reward: 51, terminated: true, info: { success: true, steps: 3 } });
    expect(await env.step('look')).toEqual(won);
    expect(env.render()).toEqual(won.observation.image);
    await env.close();
  });

  it('is truncated at our limit, and lost with its simulator', async () => {
    const { env, household } = await opened({ maxSteps: 2 });
    await env.step('look');
    expect(await env.step('look')).toMatchObject({ truncated: true, info: { truncatedBy: 'step-limit', steps: 2 } });
    await env.reset();
    const last = await env.step('crash');
    expect(last.info.error?.message).toMatch(/simulator is gone/);
    expect(last).toMatchObject({ truncated: true, info: { truncatedBy: 'engine-lost', steps: 0 } });
    expect((await env.reset()).info.game).toContain(`trial_vlgym_${household.seed}`);
    await env.close();
  });

  it.each([
    ['waits forever', 'hang', /and has not worked for 2000 ms/],
    ['works forever', 'toil', /within 5000 ms/],
  ])('recognizes a call that %s by its processor time', async (_, action, message) => {
    const { env } = await opened({ timeout: 2000, longestCall: 5000 });
    const { info } = await env.step(action);
    expect(info.error).toMatchObject({ code: 'PYTHON_TIMEOUT', message: expect.stringMatching(message) });
    await env.close();
  });

  it('does not outlive its parent process, even in a call that never ends', async () => {
    const { env, start } = await opened({});
    await env.close();
    const script = fileURLToPath(new URL('../../python/bridge.py', import.meta.url));
    const child = spawn(python!, [script], { stdio: ['pipe', 'pipe', 'ignore'] });
    const replies = createInterface({ input: child.stdout });
    const say = (request: object) => child.stdin.write(`${JSON.stringify(request)}\n`);
    say({ id: 1, call: 'create', env: 1, engine: 'visual', width: 32, height: 32 });
    say({ id: 2, call: 'reset', env: 1, game: start.info.gameFile, seed: 0 });
    say({ id: 3, call: 'step', env: 1, action: 'hang' });
    for await (const line of replies) if (JSON.parse(line).id === 2) break;
    const ended = once(child, 'exit');
    child.stdin.end(); // as the operating system does for a killed program
    expect(await ended).toEqual([1, null]);
  });
});
