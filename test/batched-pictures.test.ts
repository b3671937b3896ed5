/** `frames` of `makeVec`: the pictures of a vector in one block of memory, for each family of environments with pictures. */
import { type Image, makeVec } from '@vlgym/core';
import { isImage } from '@vlgym/core/images';
import { describe, expect, it } from 'vitest';
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';

const card = { size: { height: 84, width: 84 } };
const room = { obsWidth: 32, obsHeight: 24 };

/** Environment, options, bytes of a picture, and the key of the picture in the observation. */
const ENVIRONMENTS: readonly [id: string, options: Readonly<Record<string, unknown>>, bytes: number, key?: string][] = [
  ['gym_cards/NumberLine-v0', card, 3 * 84 * 84],
  ['gym_cards/EZPoints-v0', card, 3 * 84 * 84],
  ['gym_cards/Points24-v0', card, 3 * 84 * 84],
  ['gym_cards/Blackjack-v0', card, 3 * 84 * 84],
  ['vlgym/Signs-v2', card, 3 * 84 * 84],
  ['MiniWorld-Hallway-v0', room, 3 * 32 * 24],
  ['MiniWorld-Sign-v0', room, 3 * 32 * 24, 'obs'],
  ['MiniWorld-MazeS3-v0', { ...room, filter: 'fast' }, 3 * 32 * 24],
  ['vlgym/ALFWorldPictures-v1', {}, 3 * 300 * 300],
  ['vlgym/ALFWorld-v1', { observation: 'both' }, 3 * 300 * 300, 'image'],
];

describe.each(ENVIRONMENTS)('%s with %j', (id, options, bytes, key) => {
  const pictureOf = (observation: unknown): Image => {
    const picture = key === undefined ? observation : (observation as Record<string, unknown>)[key];
    if (!isImage(picture)) throw new Error('not a picture');
    return picture;
  };

  it('puts the pictures of all environments into one block, and they are those of a vector without', async () => {
    const frames = new Uint8Array(2 * bytes);
    const [batched, own] = await Promise.all([
      makeVec(id, { numEnvs: 2, options, frames }),
      makeVec(id, { numEnvs: 2, options }),
    ]);
    const check = (here: readonly unknown[], there: readonly unknown[]) => {
      expect(Buffer.compare(frames, Buffer.concat(there.map((each) => pictureOf(each).data)))).toBe(0);
      expect(here.map((each) => pictureOf(each).data.byteOffset)).toEqual([0, bytes]);
      expect(here.every((each) => pictureOf(each).data.buffer === frames.buffer)).toBe(true);
    };
    const [first, alone] = await Promise.all([batched.reset({ seed: 3 }), own.reset({ seed: 3 })]);
    check(first.observations, alone.observations);
    const space = own.singleActionSpace;
    for (let step = 0; step < 3; step += 1) {
      const actions = [space.sample(), space.sample()];
      const [here, there] = await Promise.all([batched.step(actions), own.step(actions)]);
      check(here.observations, there.observations);
    }
    await Promise.all([batched.close(), own.close()]);
  });
});
