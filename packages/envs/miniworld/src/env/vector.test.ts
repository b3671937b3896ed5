import { makeVec, type RgbImage } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import '../register.js';
import { oneRoom } from '../tasks/rooms.js';
import { createMiniWorld } from './make-task.js';
import { createMiniWorldVector } from './vector.js';

const SMALL = { obsWidth: 16, obsHeight: 12 };

describe('many worlds in one thread', () => {
  it('equal single worlds, return no promises and draw into one block of memory', async () => {
    const frames = new Uint8Array(new SharedArrayBuffer(3 * 3 * 16 * 12));
    const worlds = await createMiniWorldVector('OneRoom', { numEnvs: 3, options: SMALL, frames });
    const single = [0, 1, 2].map(() => createMiniWorld('OneRoom', SMALL));
    const first = worlds.reset({ seed: 10 });
    expect('then' in first).toBe(false);
    for (const [index, env] of single.entries()) env.reset({ seed: 10 + index });
    for (const actions of [
      [0, 1, 2],
      [2, 2, 2],
      [1, 2, 0],
    ]) {
      const step = worlds.step(actions);
      if ('then' in step) throw new Error('a promise');
      const alone = single.map((env, index) => env.step(actions[index]!));
      expect(step.observations.map(({ data }) => [...data])).toEqual(
        alone.map(({ observation }) => [...observation.data]),
      );
      expect(step.observations[1]!.data.buffer).toBe(frames.buffer);
    }
    await worlds.close();
  });

  it('refuse a block of the wrong size', async () => {
    const frames = new Uint8Array(10);
    await expect(createMiniWorldVector('OneRoom', { numEnvs: 2, options: SMALL, frames })).rejects.toThrow(
      /1152 bytes/,
    );
  });

  it('keep the last picture of an episode if the next episode starts in the same step', async () => {
    const options = { ...SMALL, maxEpisodeSteps: 3 };
    const play = async (frames?: Uint8Array) => {
      const shared = frames ? { frames } : {};
      const worlds = await createMiniWorldVector('OneRoom', { numEnvs: 2, options, autoreset: 'same-step', ...shared });
      worlds.reset({ seed: 5 });
      for (let step = 0; step < 2; step += 1) worlds.step([2, 0]);
      const { infos, observations } = await worlds.step([2, 0]);
      const last = infos.map(({ finalObservation }) => [...(finalObservation as RgbImage).data]);
      return { last, first: observations.map(({ data }) => [...data]) };
    };
    const { last, first } = await play(new Uint8Array(2 * 3 * 16 * 12));
    expect({ last, first }).toEqual(await play());
    expect(last).not.toEqual(first);
  });

  it.each(['depth', 'rgbd', 'text'] as const)('refuse a block for observations of kind %s', async (observation) => {
    const frames = new Uint8Array(2 * 3 * 16 * 12);
    const options = { ...SMALL, observation };
    await expect(createMiniWorldVector('OneRoom', { numEnvs: 2, options, frames })).rejects.toThrow(
      /Invalid observation/,
    );
  });

  it('can use a custom task', async () => {
    const frames = new Uint8Array(2 * 3 * 16 * 12);
    const worlds = await createMiniWorldVector(oneRoom, { numEnvs: 2, options: SMALL, frames });
    const named = await createMiniWorldVector('OneRoom', { numEnvs: 2, options: SMALL });
    const [own, suite] = [await worlds.reset({ seed: 3 }), await named.reset({ seed: 3 })];
    expect(own.observations.map(({ data }) => [...data])).toEqual(suite.observations.map(({ data }) => [...data]));
    expect([...frames]).toEqual(suite.observations.flatMap(({ data }) => [...data]));
    await expect(createMiniWorldVector(oneRoom() as never, { numEnvs: 2 })).rejects.toThrow(/Invalid task/);
  });

  it('can be created from an id', async () => {
    const worlds = await makeVec('MiniWorld-MazeS2-v0', { numEnvs: 2, options: SMALL });
    const { observations } = await worlds.reset({ seed: 1 });
    expect((observations as RgbImage[]).map(({ width }) => width)).toEqual([16, 16]);
    await worlds.close();
  });
});
