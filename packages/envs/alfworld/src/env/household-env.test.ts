/** Environments: contract, ends of episodes, rewards, snapshots, experts. */
import { dirname } from 'node:path';
import { checkEnv, Generator, make } from '@vlgym/core';
import { describe, expect, it, vi } from 'vitest';
import { DATA, NEEDS_DATA } from '../../test-support/data.js';
import * as planner from '../experts/planner.js';
import { listGames } from '../games/collection.js';
import type { GrammarVersion } from '../games/grammar-version.js';
import { TASK_TYPES } from '../games/task.js';
import '../register.js';
import { AlfredTextEnv, AlfworldEnv } from './alfworld.js';
import { DIALOGUE_STYLES } from './dialogue.js';
import type { RewardOption } from './reward.js';

const play = (env: AlfworldEnv, commands: readonly string[]) => commands.map((command) => env.step(command));

describe.each(DIALOGUE_STYLES)('vlgym/ALFWorld-v1 with %s', (dialogue) => {
  it('meets the contract of every environment', async () => {
    const report = await checkEnv(() => make('vlgym/ALFWorld-v1', { options: { dialogue } }), { steps: 12 });
    expect(report.findings).toEqual([]);
  });
});

describe('an episode', () => {
  it('is determined by its seed', () => {
    const first = (seed: number) => new AlfworldEnv().reset({ seed });
    expect(first(3)).toEqual(first(3));
    expect(first(3).info.game).not.toBe(first(4).info.game);
  });

  it('is followed by a different one without a seed', () => {
    const env = new AlfworldEnv();
    const games = [env.reset({ seed: 1 }), env.reset(), env.reset()].map(({ info }) => info.game);
    expect(new Set(games).size).toBe(3);
    const [, second] = games;
    expect(env.reset({ options: { game: second } }).info.game).toBe(second);
  });

  it.each(TASK_TYPES)('of %s is won by the planner with the reward of the papers', (taskType) => {
    const env = new AlfworldEnv({ taskTypes: [taskType] });
    expect(env.reset({ seed: 2 }).info).toMatchObject({
      taskType,
      won: false,
      goalConditionSuccessRate: 0,
      legal: true,
    });
    const { total } = env.goalConditions();
    let sum = 0;
    for (let done = false; !done; ) {
      const { reward, terminated, truncated, info } = env.step(env.oracle()!);
      sum += reward;
      done = terminated || truncated;
      expect(info).toMatchObject({ won: terminated, success: terminated, legal: true });
      if (done) expect(info.goalConditionSuccessRate).toBe(1);
    }
    expect(sum).toBe(50 + total);
    expect(env.oracle()).toBeUndefined();
  });

  it('is also won by the hand-coded expert, which has to search', () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const env = new AlfworldEnv({ expert: 'hand-coded', maxSteps: 200, split: 'unseen' });
      const { info } = env.reset({ seed });
      for (let done = false; !done; ) {
        const { terminated, truncated } = env.step(env.oracle()!);
        done = terminated || truncated;
        expect(truncated, info.game).toBe(false);
      }
    }
  });

  it('plans again only after a change, even if there was no plan', () => {
    const env = new AlfworldEnv({ taskTypes: ['pick_and_place_simple'] });
    const { info } = env.reset({ seed: 2 });
    const search = vi.spyOn(planner, 'planToGoal').mockReturnValue(undefined);
    const asked = (...commands: string[]) => {
      for (const command of commands) env.step(command);
      expect(env.oracle()).toBeUndefined();
      return search.mock.calls.length;
    };
    expect([asked(), asked(), asked('dance', 'look', ' inventory ')]).toEqual([1, 1, 1]);
    expect(asked(info.admissibleCommands.find((command) => command.startsWith('go to '))!)).toBe(2);
    search.mockRestore();
  });

  it('is truncated at the fiftieth step and repeats its last result from then on', () => {
    const env = new AlfworldEnv();
    env.reset({ seed: 1 });
    const results = play(
      env,
      Array.from({ length: 52 }, (_, step) => (step % 2 ? 'look' : 'dance')),
    );
    expect(results.findIndex(({ truncated }) => truncated)).toBe(49);
    expect(results[49]!.info).toMatchObject({ steps: 50, truncatedBy: 'step-limit', won: false });
    expect(results[51]).toEqual(results[49]);
    expect(results[51]!.info).not.toBe(results[49]!.info);
  });

  it('treats other text as an illegal step without effect', () => {
    const env = new AlfworldEnv();
    const { info } = env.reset({ seed: 1 });
    for (const text of ['', 'fly to the moon', 'GO TO BED', 'x'.repeat(201), 'look '.repeat(4000)]) {
      const step = env.step(text);
      expect(step).toMatchObject({ observation: 'Nothing happens.', reward: -1, info: { legal: false } });
      expect(step.info.admissibleCommands).toEqual(info.admissibleCommands);
    }
    expect(() => env.step('x'.repeat(20_001))).toThrow(expect.objectContaining({ code: 'INVALID_ACTION' }));
  });

  it('continues from a snapshot, even in another environment', () => {
    const rng = new Generator(3);
    for (let seed = 0; seed < 12; seed += 1) {
      const env = new AlfworldEnv({ domainRandomization: seed % 2 === 0 });
      let { info } = env.reset({ seed });
      for (let step = 0; step < 8; step += 1) ({ info } = env.step(rng.choice(info.admissibleCommands)));
      const snapshot = JSON.parse(JSON.stringify(env.snapshot()));
      const other = new AlfworldEnv({ domainRandomization: seed % 2 === 0 });
      other.restore(snapshot);
      const commands = Array.from({ length: 6 }, (_, index) => info.admissibleCommands.at(-1 - (index % 3))!);
      expect(play(other, commands)).toEqual(play(env, commands));
      expect(other.reset()).toEqual(env.reset());
    }
  });

  it('numbers objects in another order under domain randomization, determined by the seed', () => {
    const names = (seed: number, domainRandomization: boolean) => {
      const env = new AlfworldEnv({ domainRandomization });
      return env.reset({ seed, options: { game: 'train/pick_and_place_simple/0' } }).observation;
    };
    expect(names(1, true)).toBe(names(1, true));
    expect(names(1, true)).not.toBe(names(1, false));
  });

  it.each([
    ['train', false],
    ['seen', true],
    ['unseen', true],
  ])('keeps its numbering under domain randomization in the split %s: %s', (split, isSame) => {
    const first = (domainRandomization: boolean) =>
      new AlfworldEnv({ split, domainRandomization, taskTypes: ['pick_two_obj_and_place'] }).reset({ seed: 4 }).info;
    expect(first(true).game).toBe(first(false).game);
    const scene = (domainRandomization: boolean) => {
      const env = new AlfworldEnv({ split, domainRandomization });
      env.reset({ seed: 4, options: { game: first(false).game } });
      return env.expertPlan();
    };
    expect(JSON.stringify(scene(true)) === JSON.stringify(scene(false))).toBe(isSame);
  });
});

describe('rewards', () => {
  const rewards = (reward: RewardOption) => {
    const env = new AlfworldEnv({ reward, taskTypes: ['look_at_obj_in_light'] });
    env.reset({ seed: 5 });
    const plan = [...env.expertPlan()!];
    return play(env, ['dance', ...plan]).map((step) => step.reward);
  };

  it.each([
    ['sparse', 0, 1],
    ['paper', -1, 51],
    ['rl4vlm', -1, 51],
    ['gtr', -1, 51],
    ['vl-dac', -1, 2],
    ['verl-agent', 0, 10],
    [{ won: 3, step: -0.1 }, -0.1, 2.9],
  ] as const)('%o: first an illegal step, last the win', (reward, first, last) => {
    const all = rewards(reward);
    expect([all[0], all.at(-1)]).toEqual([first, last]);
  });

  it('of rl4vlm include the share of met conditions in every step, those of the papers once', () => {
    const held = (reward: RewardOption) => rewards(reward).filter((value) => value > 0 && value < 2);
    expect(held('rl4vlm').every((value) => value === 0.5)).toBe(true);
    expect(held('paper')).toEqual([1]);
  });

  it('can be a function of the step', () => {
    expect(rewards(({ legal, steps }) => (legal ? steps : -steps)).slice(0, 3)).toEqual([-1, 2, 3]);
  });

  it('of gtr truncate a repetitive episode with -3', () => {
    const env = new AlfworldEnv({ reward: 'gtr' });
    env.reset({ seed: 5 });
    const steps = play(
      env,
      Array.from({ length: 5 }, () => 'look'),
    );
    expect(steps.map(({ truncated }) => truncated)).toEqual([false, false, false, false, true]);
    expect(steps[4]).toMatchObject({ reward: -3, info: { truncatedBy: 'cut', rewardParts: { cut: -3 } } });
  });
});

describe('options', () => {
  it.each([
    [{ rewards: 'paper' }, 'UNKNOWN_OPTION', /did you mean "reward"/],
    [{ reward: 'huge' }, 'INVALID_OPTION', /sparse, paper/],
    [{ taskTypes: [9] }, 'INVALID_OPTION', /1 pick_and_place_simple/],
    [{ taskTypes: ['pick'] }, 'INVALID_OPTION', /pick_two_obj_and_place/],
    [{ maxSteps: 0 }, 'INVALID_OPTION', /an integer 1 or more/],
    [{ split: 'test' }, 'UNKNOWN_SPLIT', /train, seen, unseen/],
    [{ dialogue: 'rap-v1' }, 'INVALID_OPTION', /rl4vlm-v1/],
    [{ games: 'x' }, 'INVALID_OPTION', /list of paths/],
    [{ games: [5] }, 'INVALID_OPTION', /list of paths/],
    [{ data: 5 }, 'INVALID_OPTION', /path of a folder/],
    [{ data: '' }, 'INVALID_OPTION', /path of a folder/],
    [{ data: '/x', logic: 5 }, 'INVALID_OPTION', /path of a folder/],
    [{ domainRandomization: 'yes' }, 'INVALID_OPTION', /true or false/],
    [{ actionOnly: 'yes' }, 'INVALID_OPTION', /true or false/],
    [{ renderMode: 'human' }, 'INVALID_OPTION', /'ansi', 'rgb_array'/],
    [{ grammarVersion: 'v0.5.0' }, 'INVALID_OPTION', /with `data` or `games`/],
    [{ logic: '/x' }, 'INVALID_OPTION', /with `data` or `games`/],
    [{ layouts: 'x' }, 'UNKNOWN_OPTION', /known: renderMode/],
  ])('%o are refused', (options, code, message) => {
    expect(() => new AlfworldEnv(options as never)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('accept task types by number and ignore unknown numbers', () => {
    const env = new AlfworldEnv({ taskTypes: [2, 7] });
    for (let seed = 0; seed < 5; seed += 1) expect(env.reset({ seed }).info.taskType).toBe('look_at_obj_in_light');
  });
});

describe.skipIf(!DATA)(`alfworld/AlfredTWEnv-v0${NEEDS_DATA}`, () => {
  it('meets the contract of every environment', async () => {
    const report = await checkEnv(() => make('alfworld/AlfredTWEnv-v0', { options: { data: DATA! } }), { steps: 12 });
    expect(report.findings).toEqual([]);
  });

  it('plays each game of a split once per cycle, in the order of the seed', () => {
    const env = new AlfredTextEnv({ data: DATA!, split: 'eval_out_of_distribution' });
    const cycle = [env.reset({ seed: 3 }), ...Array.from({ length: 17 }, () => env.reset())].map(
      ({ info }) => info.game,
    );
    expect(new Set(cycle).size).toBe(18);
    expect(env.reset({ seed: 3 }).info.game).toBe(cycle[0]);
  });

  it('is solved by the planner and the hand-coded expert in every game', () => {
    for (const split of ['train', 'valid_seen', 'valid_unseen']) {
      for (const expert of ['planner', 'hand-coded'] as const) {
        const env = new AlfredTextEnv({ data: DATA!, split, expert, maxSteps: 200 });
        env.reset({ seed: 0 });
        for (let game = 0; game < (split === 'train' ? 24 : 18); game += 1) {
          const { info } = env.reset();
          let ended = false;
          let reward = 0;
          while (!ended) {
            const step = env.step(env.oracle() ?? 'look');
            ended = step.terminated || step.truncated;
            reward += step.reward;
          }
          expect(reward, `${info.game} ${expert}`).toBe(1);
        }
      }
    }
  });

  it('numbers objects in another order in the split train only', () => {
    const names = (split: string, domainRandomization: boolean) =>
      new AlfredTextEnv({ data: DATA!, split, domainRandomization }).reset({ seed: 3 }).observation;
    for (const split of ['valid_seen', 'valid_unseen']) expect(names(split, true)).toBe(names(split, false));
    expect(names('train', true)).not.toBe(names('train', false));
  });

  it('plays listed games, and original ones with the reward of the papers', () => {
    const [first, second] = listGames({ data: DATA!, cache: false }).games;
    const env = new AlfworldEnv({ games: [first!.file, dirname(second!.file)], maxSteps: 3 });
    const { info } = env.reset({ seed: 0 });
    expect(env.reset().info.game).not.toBe(info.game);
    expect(env.reset({ options: { game: first!.file } }).info).toMatchObject({
      taskType: first!.taskType,
      gameFile: first!.file,
    });
    expect(env.step('dance').reward).toBe(-1);
    expect(new AlfworldEnv({ data: DATA!, split: 'unseen' }).reset({ seed: 1 }).info.split).toBe('valid_unseen');
  });

  it('uses the newer grammar on request', () => {
    const [record] = listGames({ data: DATA!, cache: false }).games;
    const commands = (grammarVersion: GrammarVersion) =>
      new AlfredTextEnv({ data: DATA!, grammarVersion }).reset({ options: { game: record!.id } }).info
        .admissibleCommands;
    expect(commands('embedded')).not.toContain('help');
    for (const version of ['patched-2.1.2', 'v0.5.0'] as const) expect(commands(version)).toContain('help');
  });

  it('reports where it looked if there are no games', () => {
    const env = new AlfredTextEnv({ data: '/nowhere' });
    expect(() => env.reset()).toThrow(expect.objectContaining({ code: 'NO_GAMES', value: '/nowhere' }));
  });
});
