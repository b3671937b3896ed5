/** Reasons why actions would change nothing, and how episodes end, in words for people. */
import { make } from '@vlgym/core';
import { expect, it } from 'vitest';
import '../index.js';
import { door, key, type Thing, wall } from '../world/thing.js';
import type { World } from '../world/world.js';
import { gridGuide, gridRefusal } from './words.js';

const [RIGHT, FORWARD, PICKUP, DROP, TOGGLE] = [1, 2, 3, 4, 5];

it('tells what is in the way before it costs a step', async () => {
  const env = await make('MiniGrid-DoorKey-6x6-v0');
  await env.reset({ seed: 3 });
  const said = new Map<string, string | undefined>();
  const ask = (when: string, action: number) => said.set(when, env.unwrapped.describeRefusal(action));
  ask('nothing ahead', PICKUP);
  ask('empty hands', DROP);
  ask('no door ahead', TOGGLE);
  for (let over = false; !over; ) {
    const action = env.oracle!()!;
    expect(env.unwrapped.describeRefusal(action)).toBeUndefined();
    if (action === PICKUP) ask('a key ahead', FORWARD);
    if (action === TOGGLE) ask('a door ahead', FORWARD);
    const result = await env.step(action);
    over = result.terminated;
    if (over) said.set('the end', env.unwrapped.describeEnd(result));
  }
  expect(Object.fromEntries(said)).toEqual({
    'nothing ahead': 'Nothing in front of you can be picked up.',
    'empty hands': 'You carry nothing.',
    'no door ahead': 'Neither a door nor a box is in front of you.',
    'a key ahead': 'The yellow key is in the way.',
    'a door ahead': 'The yellow door is in the way.',
    'the end': 'The mission is done.',
  });
  await env.close();
});

it('tells that a door is locked, that a wall is ahead, and that lava was walked into', async () => {
  const before = (thing: Thing, carrying?: Thing) =>
    ({ grid: { get: () => thing }, frontX: 1, frontY: 1, carrying }) as unknown as World;
  expect(gridRefusal(before(door('yellow', true)), TOGGLE)).toBe(
    'The door is locked, and you do not carry the yellow key.',
  );
  expect(gridRefusal(before(door('yellow', true), key('red')), TOGGLE)).toMatch(/do not carry the yellow key/);
  expect(gridRefusal(before(door('yellow', true), key('yellow')), TOGGLE)).toBeUndefined();
  expect(gridRefusal(before(wall()), FORWARD)).toBe('A wall is in front of you.');
  expect(gridRefusal(before(key('red'), key('blue')), PICKUP)).toBe('You already carry the blue key.');
  expect(gridRefusal(before(key('red'), key('blue')), DROP)).toBe('The cell in front of you is taken.');
  const lava = await make('MiniGrid-LavaGapS5-v0');
  await lava.reset({ seed: 1 });
  let result = await lava.step(FORWARD);
  for (let step = 0; !result.terminated && step < 9; step += 1)
    result = await lava.step(step % 3 === 0 ? RIGHT : FORWARD);
  expect(lava.unwrapped.describeEnd(result)).toBe('You walked into lava.');
  await lava.close();
});

it('explains the letters where the world is shown in letters', () => {
  expect(gridGuide({ renderMode: 'ansi' }).rules).toMatch(/K key.*L locked door/);
  expect(gridGuide({}).rules).toMatch(/^You are the red arrow/);
});
