import { checkEnv, conformance, GymError, make, type RgbImage } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import '../register.js';
import { SUITE, type TaskName } from '../tasks/suite.js';
import { Box } from '../world/entity.js';
import { createMiniWorld } from './make-task.js';
import { MiniWorldEnv } from './miniworld-env.js';
import type { RgbdObservation } from './observations.js';

const names = Object.keys(SUITE) as TaskName[];
const SMALL = { obsWidth: 32, obsHeight: 24 };

conformance('Hallway', () => make('MiniWorld-Hallway-v0', { options: SMALL }), { describe, it });
conformance('Sign', () => make('MiniWorld-Sign-v0', { options: SMALL }), { describe, it });

describe('MiniWorldEnv', () => {
  it.each(names)('%s keeps the contract of every environment', async (name) => {
    await checkEnv(() => createMiniWorld(name, SMALL), { steps: 20 });
  });

  it.each(['depth', 'rgbd', 'text'] as const)(
    'keeps the contract with observations of kind %s',
    async (observation) => {
      await checkEnv(() => createMiniWorld('PutNext', { ...SMALL, observation, domainRand: true }), { steps: 20 });
    },
  );

  it('shows 80 x 60 pixels, or as many as are asked for', () => {
    const shape = (image: RgbImage) => [image.width, image.height, image.channels, image.data.length];
    expect(shape(createMiniWorld('Hallway').reset({ seed: 0 }).observation)).toEqual([80, 60, 3, 14_400]);
    const env = createMiniWorld('Hallway', { obsWidth: 224, obsHeight: 224, renderMode: 'rgb_array', windowWidth: 64 });
    expect(shape(env.reset({ seed: 0 }).observation)).toEqual([224, 224, 3, 150_528]);
    expect(shape(env.render() as RgbImage)).toEqual([64, 600, 3, 115_200]);
  });

  it('shows the goal of Sign beside the picture', () => {
    const { observation } = createMiniWorld('Sign', { ...SMALL, goal: 1 }).reset({ seed: 0 });
    expect(observation.goal).toBe(1);
    expect(observation.obs.data.length).toBe(3 * 32 * 24);
  });

  it('sees the floor at the distance that geometry says', () => {
    const env = createMiniWorld<'OneRoom', RgbdObservation>('OneRoom', {
      obsWidth: 80,
      obsHeight: 60,
      observation: 'rgbd',
    });
    env.reset({ seed: 4 });
    Object.assign(env.world.agent, { x: 2, z: 5, direction: 0 });
    const { depth } = env.step(0).observation;
    // bottom row, whose sample lies 29.875 pixels below the middle
    const down = (29.875 / 30) * Math.tan(Math.PI / 6);
    expect(depth[59 * 80 + 40]).toBeCloseTo(1.5 / down, 2);
    expect(depth[30 * 80 + 40]! > 4).toBe(true);
  });

  it('draws into a buffer of yours, and only into one of the right size', () => {
    const env = createMiniWorld('Hallway', SMALL);
    const fresh = env.reset({ seed: 1 }).observation;
    const frame = new Uint8Array(new SharedArrayBuffer(3 * 32 * 24));
    env.drawInto(frame);
    expect(env.reset({ seed: 1 }).observation.data).toBe(frame);
    expect([...frame]).toEqual([...fresh.data]);
    expect(() => env.drawInto(new Uint8Array(7))).toThrow(/frame` cannot be 7\.\n.*2304 bytes/);
  });

  it('still shows in the picture of a pickup what was picked up', () => {
    const env = createMiniWorld('PickupObjects', { ...SMALL, numObjs: 1, numActions: 8 });
    env.reset({ seed: 0 });
    for (let action = env.oracle()!; action !== 4; action = env.oracle()!) env.step(action);
    const [object] = env.world.entities;
    const { observation, reward, terminated } = env.step(4);
    expect([reward, terminated]).toEqual([1, true]);
    expect(env.world.entities).toEqual([env.world.agent]);
    // the picture is that of a world in which the agent still carries it
    env.world.entities.unshift(object!);
    env.world.agent.carrying = object;
    expect([...env.step(6).observation.data]).toEqual([...observation.data]);
  });

  it('continues a snapshot in another process as if nothing had happened', () => {
    for (const name of ['CollectHealth', 'PutNext', 'PickupObjects'] as const) {
      const env = createMiniWorld(name, { ...SMALL, observation: 'text', domainRand: true });
      env.reset({ seed: 5 });
      for (let step = 0; step < 40; step += 1) env.step(env.oracle() ?? 2);
      const saved = JSON.parse(JSON.stringify(env.snapshot()));
      const twin = createMiniWorld(name, { ...SMALL, observation: 'text', domainRand: true });
      twin.restore(saved);
      for (let step = 0; step < 60; step += 1) {
        const action = (step * 7) % (name === 'PickupObjects' ? 5 : 6);
        expect(twin.step(action)).toEqual(env.step(action));
      }
      expect(twin.snapshot()).toEqual(env.snapshot());
    }
  });

  it.each([
    ['a NaN parameter', { parameters: { forwardStep: Number.NaN } }, /parameters\.forwardStep.*NaN/],
    ['a range upside down', { parameters: { camFovY: { default: 60, min: 80, max: 50 } } }, /parameters\.camFovY/],
    ['an unknown parameter', { parameters: { fowardStep: 1 } }, /did you mean "parameters.forwardStep"/],
    ['a NaN size', { size: Number.NaN }, /`size`.*NaN/],
    ['a size of no pixels', { obsWidth: 0 }, /`obsWidth`.*0/],
    ['an unknown option', { lenght: 4 }, /no option "lenght"/],
    ['an option of another world', { numRows: 3 }, /no option "numRows"/],
    ['a missing asset folder', { assets: '/nonexistent' }, /no asset folder "\/nonexistent"/],
    ['a folder without textures', { assets: '/' }, /holds no textures/],
    ['an unknown observation', { observation: 'smell' }, /`observation`.*smell/],
  ])('refuses %s', (_, options, message) => {
    const build = () => createMiniWorld('OneRoom', options as object);
    expect(build).toThrow(message);
    expect(build).toThrow(GymError);
  });

  it('ends an impossible world with an error that names what found no place, and plays on in the one before', () => {
    const env = createMiniWorld('PickupObjects', { ...SMALL, size: 4, numObjs: 60, observation: 'text' });
    expect(() => env.reset({ seed: 0 })).toThrow(expect.objectContaining({ code: 'IMPOSSIBLE_WORLD' }));
    expect(() => env.reset({ seed: 0 })).toThrow(/No free place was found for a \w+ (ball|box|key)/);
    let count = 1;
    const growing = new MiniWorldEnv(
      {
        ...SUITE.OneRoom(),
        build(world) {
          world.addRoom({ minX: 0, maxX: 4, minZ: 0, maxZ: 4 });
          world.placeAgent();
          for (let each = 0; each < count; each += 1) world.placeEntity(new Box('grey'));
          return {};
        },
      },
      { observation: 'text' },
    );
    growing.reset({ seed: 0 });
    count = 50;
    expect(() => growing.reset()).toThrow(/a grey box/);
    expect(growing.step(0).truncated).toBe(false);
  });

  it('refuses randomization where the original has none', () => {
    expect(() => createMiniWorld('Sign', { domainRand: true })).toThrow(/domainRand/);
  });

  it('tells a person the task in a sentence, with the health where it counts', () => {
    const env = createMiniWorld('CollectHealth', { ...SMALL, observation: 'text' });
    env.reset({ seed: 0 });
    env.step(0);
    expect(env.describeTask()).toMatch(/^Stay alive: .* \(health 98 of 100\)\.$/);
  });

  it('needs a reset before anything else, and says so', () => {
    const env = createMiniWorld('Hallway', SMALL);
    expect(() => env.step(0)).toThrow(/before `reset`/);
    expect(() => env.oracle()).toThrow(/before `reset`/);
  });
});
