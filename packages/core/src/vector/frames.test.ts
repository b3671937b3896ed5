/** `frames`: the pictures of a vector in one block of memory. */
import { describe, expect, it } from 'vitest';
import { BaseEnv, type RgbImage, spaces } from '../index.js';
import { resizeObservation } from '../wrappers/index.js';
import { SerialVectorEnv, type VectorOptions } from './index.js';

const BYTES = 2 * 2 * 3;

/** Shows the number of its step in every byte; ends after three. */
class Counting extends BaseEnv<RgbImage, number, Record<string, unknown>> {
  readonly observationSpace = spaces.image({ height: 2, width: 2 });
  readonly actionSpace = spaces.discrete(2);
  steps = 0;

  reset() {
    this.steps = 0;
    return { observation: this.draw(), info: {} };
  }

  step() {
    this.steps += 1;
    return { observation: this.draw(), reward: 0, terminated: this.steps === 3, truncated: false, info: {} };
  }

  protected draw(): RgbImage {
    return { data: new Uint8Array(BYTES).fill(this.steps), height: 2, width: 2, channels: 3 };
  }
}

/** Counts how often it drew into a buffer. */
class Drawing extends Counting {
  frame: Uint8Array | undefined;
  copyLast = false;

  drawInto(frame: Uint8Array | undefined, { copyLast = false } = {}): void {
    this.frame = frame;
    this.copyLast = copyLast;
  }

  protected override draw(): RgbImage {
    const image = super.draw();
    if (!this.frame || (this.copyLast && this.steps === 3)) return image;
    this.frame.set(image.data);
    return { ...image, data: this.frame };
  }
}

/** Copies the last picture of an episode with `slice`. */
class Slicing extends Drawing {
  protected override draw(): RgbImage {
    const image = super.draw();
    if (!this.frame || this.steps !== 3) return image;
    this.frame.set(image.data);
    return { ...image, data: this.frame.slice() };
  }
}

class Named extends BaseEnv<{ picture: RgbImage; count: number }, number, Record<string, unknown>> {
  readonly #inner = new Counting();
  readonly observationSpace = spaces.dict({
    picture: spaces.image({ height: 2, width: 2 }),
    count: spaces.discrete(9),
  });
  readonly actionSpace = spaces.discrete(2);

  reset() {
    return { observation: { picture: this.#inner.reset().observation, count: 0 }, info: {} };
  }

  step() {
    const { observation, ...rest } = this.#inner.step();
    return { ...rest, observation: { picture: observation, count: this.#inner.steps } };
  }
}

const vector = (make: () => BaseEnv<unknown, number>, options: Partial<VectorOptions> & { frames?: Uint8Array } = {}) =>
  SerialVectorEnv.create(() => make() as BaseEnv<RgbImage, number>, { numEnvs: 2, ...options });

it('the last picture of an episode is kept in a Buffer, too', async () => {
  const frames = Buffer.alloc(2 * BYTES);
  const envs = await vector(() => new Slicing(), { frames, autoreset: 'same-step' });
  await envs.reset();
  for (let step = 1; step < 3; step += 1) await envs.step([0, 0]);
  const { infos } = await envs.step([0, 0]);
  const last = infos.map(({ finalObservation }) => [...(finalObservation as RgbImage).data]);
  expect(last).toEqual([new Array(BYTES).fill(3), new Array(BYTES).fill(3)]);
});

describe.each([
  ['draw there', () => new Drawing()],
  ['are copied there', () => new Counting()],
])('pictures that %s', (_, make) => {
  it('are the parts of one block, equal to separate pictures', async () => {
    const frames = new Uint8Array(new SharedArrayBuffer(2 * BYTES));
    const [shared, own] = [await vector(make, { frames }), await vector(make)];
    const first = await shared.reset({ seed: 1 });
    await own.reset({ seed: 1 });
    expect(first.observations.map(({ data }) => data.buffer === frames.buffer)).toEqual([true, true]);
    for (let step = 1; step <= 3; step += 1) {
      const [here, there] = [await shared.step([0, 1]), await own.step([0, 1])];
      expect(here.observations.map(({ data }) => [...data])).toEqual(there.observations.map(({ data }) => [...data]));
      expect([...frames]).toEqual(there.observations.flatMap(({ data }) => [...data]));
    }
  });

  it('keep the last picture of an episode if the next one starts in the same step', async () => {
    const frames = new Uint8Array(2 * BYTES);
    const envs = await vector(make, { frames, autoreset: 'same-step' });
    await envs.reset();
    await envs.step([0, 0]);
    await envs.step([0, 0]);
    const { infos } = await envs.step([0, 0]);
    expect(infos.map(({ finalObservation }) => (finalObservation as RgbImage).data[0])).toEqual([3, 3]);
    expect([...frames]).toEqual(new Array(2 * BYTES).fill(0));
  });
});

it('copies what a wrapper makes of a picture, and leaves the picture below alone', async () => {
  const inner: Drawing[] = [];
  const make = () => {
    inner.push(new Drawing());
    return resizeObservation({ height: 1, width: 1 })(inner.at(-1)!) as unknown as BaseEnv<unknown, number>;
  };
  const frames = new Uint8Array(2 * 3);
  const envs = await vector(make, { frames });
  await envs.reset();
  await envs.step([0, 0]);
  expect([...frames]).toEqual([1, 1, 1, 1, 1, 1]);
  expect(inner.every(({ frame }) => frame === undefined)).toBe(true);
});

it('finds the one picture in an observation of parts', async () => {
  const frames = new Uint8Array(2 * BYTES);
  const envs = await vector(() => new Named(), { frames });
  await envs.reset();
  const { observations } = await envs.step([0, 0]);
  const [first] = observations as unknown as { picture: RgbImage; count: number }[];
  expect([first!.picture.data.buffer === frames.buffer, first!.count, frames[0]]).toEqual([true, 1, 1]);
});

it('refuses a block of the wrong size, and environments without a picture', async () => {
  await expect(vector(() => new Counting(), { frames: new Uint8Array(5) })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    expected: expect.stringContaining('24 bytes'),
  });
  const blind = () => Object.assign(new Counting(), { observationSpace: spaces.discrete(3) }) as unknown as Counting;
  await expect(vector(blind, { frames: new Uint8Array(24) })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});
