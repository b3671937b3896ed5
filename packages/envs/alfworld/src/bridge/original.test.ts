/**
 * The bridge beside the native engine, game by game, with the real Python package.
 *
 * It takes an interpreter that has alfworld 0.4 (`VLGYM_ALFWORLD_PYTHON`), else it is skipped.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { afterAll, describe, expect, it } from 'vitest';
import { DATA, NEEDS_DATA } from '../../test-support/data.js';
import {
  AlfredPythonEnv,
  AlfredTextEnv,
  generateHousehold,
  listGames,
  type PythonHouseholdInfo,
  TASK_TYPES,
  writeHousehold,
} from '../index.js';

const python = process.env.VLGYM_ALFWORLD_PYTHON;
const NEEDS_PYTHON = python ? '' : ' (skipped: set VLGYM_ALFWORLD_PYTHON to a Python that has alfworld)';

const folder = mkdtempSync(join(tmpdir(), 'vlgym-original-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What both engines say of a moment; only one of them knows the conditions of a goal. */
function told<T extends { info: object }>({ info, ...rest }: T) {
  const { goalConditionSuccessRate: _, ...facts } = info as PythonHouseholdInfo;
  return { ...rest, info: facts };
}

/** Plays the next game in both: some commands at random, some that nobody understands, then the expert's way. */
async function playBoth(ours: AlfredTextEnv, theirs: AlfredPythonEnv, wander: number, seed?: number): Promise<boolean> {
  const options = seed === undefined ? {} : { seed };
  let mine = told(ours.reset(options));
  expect(told(await theirs.reset(options))).toEqual(mine);
  const rng = new Generator(7);
  for (let step = 0, over = false; !over; step += 1) {
    const random = step % 5 === 4 ? ' Dance;"\n' : rng.choice(mine.info.admissibleCommands);
    const action = step < wander ? random : ours.oracle()!;
    const result = told(ours.step(action));
    expect(told(await theirs.step(action)), `${mine.info.game}, step ${step}: ${action}`).toEqual(result);
    over = result.terminated || result.truncated;
    mine = result;
  }
  return mine.info.won;
}

describe.skipIf(!python || !DATA)(`the original beside ours${NEEDS_PYTHON || NEEDS_DATA}`, () => {
  it.each(TASK_TYPES)(
    'plays a real game of %s alike, from the same seed',
    async (taskType) => {
      const options = { data: DATA!, split: 'valid_seen', taskTypes: [taskType] };
      const theirs = new AlfredPythonEnv({ ...options, python });
      expect(await playBoth(new AlfredTextEnv(options), theirs, 8, 3)).toBe(true);
      expect(theirs.versions).toMatchObject({ alfworld: expect.stringMatching(/^0\./) });
      await theirs.close();
    },
    120_000,
  );

  it('ends alike at the limit, and repeats itself from then on', async () => {
    const games = [listGames({ data: DATA!, split: 'valid_unseen', cache: false }).games.at(-1)!.file];
    const ours = new AlfredTextEnv({ games, maxSteps: 4 });
    const theirs = new AlfredPythonEnv({ games, maxSteps: 4, python });
    expect(await playBoth(ours, theirs, 4)).toBe(false);
    expect(told(await theirs.step('look'))).toEqual(told(ours.step('look')));
    await theirs.close();
  });

  it('is started anew when it was killed in the middle of an episode', async () => {
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

describe.skipIf(!python)(`the original${NEEDS_PYTHON}`, () => {
  it('plays twenty generated households to the end as ours does, with an expert of its own on the way', async () => {
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

  it('says with its last words why a game cannot be loaded', async () => {
    const env = new AlfredPythonEnv({ games: [join(folder, 'none', 'game.tw-pddl')], python });
    await expect(env.reset()).rejects.toMatchObject({
      code: 'PYTHON_FAILED',
      message: expect.stringMatching(/Unable to find game[\s\S]*stderr:[\s\S]*raise IOError/),
    });
    await env.close();
  });
});
