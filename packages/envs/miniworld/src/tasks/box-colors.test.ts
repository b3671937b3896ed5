/** The option `colors` of the rooms with one box. */
import { checkEnv } from '@vlgym/core';
import { expect, it } from 'vitest';
import { createMiniWorld } from '../env/make-task.js';

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);
const boxOf = (taskKey: unknown) => /:(\w+) box@(.+)$/.exec(String(taskKey))!.slice(1);

function boxes(colors?: readonly ('red' | 'blue')[]): string[][] {
  const env = createMiniWorld('OneRoomS6Fast', { colors, observation: 'text' });
  return SEEDS.map((seed) => boxOf(env.reset({ seed }).info.taskKey));
}

it('has a box of another color in the same place, where one color is named', () => {
  expect(boxes(['blue'])).toEqual(boxes().map(([, place]) => ['blue', place]));
  expect(boxes(['red'])).toEqual(boxes());
});

it('has each of several colors about as often', () => {
  const blue = boxes(['red', 'blue']).filter(([color]) => color === 'blue').length;
  // 60 fair coins are outside of 18 to 42 less than once in a thousand
  expect(blue).toBeGreaterThan(17);
  expect(blue).toBeLessThan(43);
});

it('names the color in the task, where there is one', () => {
  const goalOf = (colors: readonly ('red' | 'blue')[]) => createMiniWorld('OneRoom', { colors }).task.phrase;
  expect(goalOf(['blue'])).toBe('go to the blue box in as few steps as possible');
  expect(goalOf(['red', 'blue'])).toBe('go to the box in as few steps as possible');
  const promptOf = (colors?: readonly ('red' | 'blue')[]) => {
    const env = createMiniWorld('OneRoom', { colors, dialogue: 'vl-dac-v3', observation: 'text' });
    return JSON.stringify(env.dialogue!.prompt({ ...env.reset({ seed: 3 }), history: [] }));
  };
  expect(promptOf()).toContain('TASK: go to the red box.');
  expect(promptOf(['red'])).toContain('TASK: go to the red box.');
  expect(promptOf(['blue'])).toContain('TASK: go to the blue box in as few steps as possible.');
});

it('meets the contract of every environment, and refuses snapshots of other colors', async () => {
  const create = () => createMiniWorld('OneRoomS6Fast', { colors: ['red', 'blue'] });
  expect((await checkEnv(create, { steps: 8 })).findings).toEqual([]);
  const red = createMiniWorld('OneRoomS6Fast');
  red.reset({ seed: 1 });
  const both = create();
  both.reset({ seed: 1 });
  expect(() => both.restore(red.snapshot())).toThrow(expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' }));
});

it.each([[[]], [['pink']], ['red'], [[1]]])('refuses the colors %j', (colors) => {
  const create = () => createMiniWorld('OneRoomS6', { colors: colors as never });
  expect(create).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', value: colors }));
});
