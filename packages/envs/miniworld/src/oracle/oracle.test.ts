import { describe, expect, it } from 'vitest';
import { createMiniWorld } from '../env/make-task.js';
import { SUITE, type TaskName } from '../tasks/suite.js';

/** Plays with the oracle and returns the last reward and the number of steps. */
function play(name: TaskName, seed: number, domainRand = false): { reward: number; steps: number } {
  const env = createMiniWorld(name, { observation: 'text', domainRand });
  env.reset({ seed });
  for (let steps = 1; ; steps += 1) {
    const action = env.oracle();
    if (action === undefined) return { reward: Number.NaN, steps };
    const { reward, terminated, truncated } = env.step(action);
    if (terminated || truncated) return { reward: terminated ? reward : Number.NaN, steps };
  }
}

const WITHOUT_GOAL: readonly TaskName[] = ['RoomObjects', 'ThreeRooms', 'CollectHealth'];
const names = (Object.keys(SUITE) as TaskName[]).filter((name) => !WITHOUT_GOAL.includes(name));

describe('the oracle', () => {
  it.each(names)('solves %s from every seed tried', (name) => {
    for (const seed of name === 'Maze' ? [1] : [1, 2, 3]) expect(play(name, seed).reward).toBeGreaterThan(0);
  });

  it.each(['Hallway', 'PutNext', 'FourRooms'] as const)('solves %s with randomization', (name) => {
    for (const seed of [1, 2]) expect(play(name, seed, true).reward).toBeGreaterThan(0);
  });

  it('walks as few steps as the way is long, but for one', () => {
    const env = createMiniWorld('OneRoom', { observation: 'text', size: 10 });
    env.reset({ seed: 0 });
    const [box] = env.world.entities;
    Object.assign(box!, { x: 8, z: 5 });
    Object.assign(env.world.agent, { x: 2, z: 5, direction: Math.PI / 6 });
    // two turns of 15 degrees, then 0.15 m a step until 1.15 m are left
    const reach = box!.radius + 0.4 + 1.1 * 0.17;
    let steps = 0;
    for (let over = false; !over; steps += 1) over = env.step(env.oracle()!).terminated;
    expect(steps).toBeLessThanOrEqual(3 + Math.ceil((6 - reach) / 0.15));
  });

  it('asks the same question twice and gets the same answer', () => {
    const env = createMiniWorld('FourRooms', { observation: 'text' });
    env.reset({ seed: 3 });
    for (let step = 0; step < 20; step += 1) {
      expect(env.oracle()).toBe(env.oracle());
      env.step(env.oracle()!);
    }
  });

  it('keeps the agent of CollectHealth alive', () => {
    const env = createMiniWorld('CollectHealth', { observation: 'text' });
    env.reset({ seed: 1 });
    for (let step = 0; step < 120; step += 1) expect(env.step(env.oracle()!).terminated).toBe(false);
  });

  it('says nothing where there is no goal', () => {
    const env = createMiniWorld('ThreeRooms', { observation: 'text' });
    env.reset({ seed: 1 });
    expect(env.oracle()).toBeUndefined();
  });
});
