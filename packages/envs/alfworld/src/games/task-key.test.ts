/** Task keys of households, and splits that never share a task. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { splitOf } from '@vlgym/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemOf } from '../engine/game.js';
import { AlfredTextEnv, AlfworldEnv, type AlfworldOptions } from '../env/alfworld.js';
import { writeHousehold } from '../generator/files.js';
import { generateHousehold, householdTexts } from '../generator/household.js';
import { GENERATED_SPLITS } from '../generator/household-types.js';
import { floorPlanOf } from '../generator/layout.js';
import { TASK_TYPES } from './task.js';
import { householdKey, problemKey } from './task-key.js';

const infoOf = (env: AlfworldEnv | AlfredTextEnv, seed?: number) => env.reset(seed === undefined ? {} : { seed }).info;

function keys(options: AlfworldOptions, count: number): string[] {
  const env = new AlfworldEnv(options);
  return Array.from({ length: count }, (_, index) => infoOf(env, index === 0 ? 0 : undefined).taskKey!);
}

describe('the task of an episode', () => {
  it.each([
    [0, 'alfworld:FloorPlan2073:pick_two_obj_and_place:keychain>sidetable'],
    [1, 'alfworld:FloorPlan1006:pick_clean_then_place_in_recep:mug>coffeemachine'],
    [2, 'alfworld:FloorPlan3085:pick_two_obj_and_place:alarmclock>shelf'],
  ])('is pinned for seed %i', (seed, expected) => {
    expect(infoOf(new AlfworldEnv(), seed).taskKey).toBe(expected);
  });

  it('is room and goal, independent of positions and wording', () => {
    const households = new Map<string, Set<string>>();
    for (let seed = 0; seed < 3000; seed += 1) {
      const household = generateHousehold({ split: 'train', taskType: 'pick_and_place_simple', seed });
      const key = householdKey(floorPlanOf(household.layout), household.target);
      households.set(key, (households.get(key) ?? new Set()).add(householdTexts(household).problem));
    }
    expect(Math.max(...[...households.values()].map(({ size }) => size))).toBeGreaterThan(1);
  });

  it('is equal whether it comes from the texts of the game or from the generator', () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const split = GENERATED_SPLITS[seed % 3]!;
      const household = generateHousehold({ split, taskType: TASK_TYPES[seed % 6]!, seed });
      const floorPlan = floorPlanOf(household.layout);
      expect(problemKey(problemOf(householdTexts(household)), floorPlan)).toBe(
        householdKey(floorPlan, household.target),
      );
    }
  });

  it('identifies the room by its furniture if nothing names the room', () => {
    const key = (seed: number) => {
      const household = generateHousehold({ split: 'train', taskType: 'look_at_obj_in_light', seed });
      return [
        floorPlanOf(household.layout),
        problemKey(problemOf(householdTexts(household)), '').split(':')[1]!,
      ] as const;
    };
    const rooms = Array.from({ length: 60 }, (_, seed) => key(seed));
    expect(rooms[0]![1]).toMatch(/^furniture-[0-9a-f]{16}$/);
    expect(new Set(rooms.map((pair) => pair.join())).size).toBe(new Set(rooms.map(([plan]) => plan)).size);
  });

  it('does not depend on pictures, rewards, or numbering, and is in the info at reset', () => {
    const plain = new AlfworldEnv();
    const other = new AlfworldEnv({ reward: 'sparse', dialogue: 'gtr-v1', domainRandomization: true, maxSteps: 5 });
    for (let seed = 0; seed < 3; seed += 1) expect(infoOf(other, seed).taskKey).toBe(infoOf(plain, seed).taskKey);
    expect(plain.step('look').info).not.toHaveProperty('taskKey');
  });
});

describe('the split by content of generated households', () => {
  const train = { splitScheme: 'content', split: 'train' } as const;
  const test = { splitScheme: 'content', split: 'test' } as const;

  it('never shares a task, and keeps the published order', () => {
    const all = keys({}, 60);
    expect(all.filter((key) => splitOf(key) === 'test').length).toBeGreaterThan(0);
    for (const options of [train, test]) {
      const some = all.filter((key) => splitOf(key) === options.split);
      expect(keys(options, some.length)).toEqual(some);
    }
  });

  it('has a fifth of the tasks', () => {
    const drawn = new Set<string>();
    for (let seed = 0; seed < 1500; seed += 1) {
      const household = generateHousehold({ split: 'train', taskType: TASK_TYPES[seed % 6]!, seed });
      drawn.add(householdKey(floorPlanOf(household.layout), household.target));
    }
    const share = [...drawn].filter((key) => splitOf(key) === 'test').length / drawn.size;
    expect(Math.abs(share - 0.2)).toBeLessThan(4 * Math.sqrt((0.2 * 0.8) / drawn.size));
  });

  it('plays a game by its id, whatever its split', () => {
    const { game, taskKey } = infoOf(new AlfworldEnv(), 0);
    const other = new AlfworldEnv({ splitScheme: 'content', split: splitOf(taskKey!) === 'test' ? 'train' : 'test' });
    expect(other.reset({ options: { game } }).info.taskKey).toBe(taskKey);
  });

  it('continues from a snapshot', () => {
    const [env, twin] = [new AlfworldEnv(test), new AlfworldEnv(test)];
    env.reset({ seed: 4 });
    twin.restore(JSON.parse(JSON.stringify(env.snapshot())));
    expect(twin.reset()).toEqual(env.reset());
  });

  it.each([
    [{ splitScheme: 'content', split: 'seen' } as const, /Invalid split: "seen"/],
    [{ splitScheme: 'hash' as 'content' }, /Invalid splitScheme: "hash"/],
  ])('refuses %j', (options, message) => expect(() => new AlfworldEnv(options)).toThrow(message));
});

describe('the split by content of games of files', () => {
  let data: string;
  const games: string[] = [];
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'vlgym-split-'));
    for (let seed = 0; seed < 16; seed += 1) {
      const household = generateHousehold({ split: 'train', taskType: TASK_TYPES[seed % 6]!, seed });
      games.push(dirname(await writeHousehold(data, household)));
    }
  });
  afterAll(() => rmSync(data, { recursive: true }));

  it('plays different games in each split, with the tasks that the generator names', () => {
    const side = (split: 'train' | 'test') => {
      const env = new AlfredTextEnv({ data, splitScheme: 'content', split });
      return new Set(Array.from({ length: 40 }, (_, index) => infoOf(env, index === 0 ? 3 : undefined).taskKey!));
    };
    const [train, test] = [side('train'), side('test')];
    expect([...train].map(splitOf)).not.toContain('test');
    expect([...test].map(splitOf)).not.toContain('train');
    const generated = new Set(
      Array.from({ length: 16 }, (_, seed) => {
        const { layout, target } = generateHousehold({ split: 'train', taskType: TASK_TYPES[seed % 6]!, seed });
        return householdKey(floorPlanOf(layout), target);
      }),
    );
    expect(new Set([...train, ...test])).toEqual(generated);
  });

  it('reports a split without games', () => {
    const split = splitOf(infoOf(new AlfredTextEnv({ games: [games[0]!] })).taskKey!) === 'test' ? 'train' : 'test';
    const env = new AlfredTextEnv({ games: [games[0]!], splitScheme: 'content', split });
    expect(() => env.reset({ seed: 0 })).toThrow(expect.objectContaining({ code: 'EMPTY_SPLIT' }));
  });
});
