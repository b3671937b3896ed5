/** Golden parity: seeds, samples, flat arrays and batches agree with the Gymnasium outputs in the golden file. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Space } from './space.js';
import { batchSpace, flatten, fromJSON, unflatten } from './spaces.js';

interface Draw {
  seed: unknown;
  used: unknown;
  samples: unknown[];
  masked?: unknown[];
  weighted?: unknown[];
}
interface GoldenSpace {
  name: string;
  definition: unknown;
  draws: Draw[];
  mask?: unknown;
  probability?: unknown;
  flat?: { sample: unknown; flat: number[]; size: number };
  batch?: unknown;
}
const golden: { spaces: GoldenSpace[] } = JSON.parse(
  readFileSync(new URL('../../../../test/golden/gymnasium-spaces.json', import.meta.url), 'utf8'),
);
/** Typed arrays as lists, as in the golden file. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? [...(part as Uint8Array)] : part)));
const encoded = (space: Space, count: number, options = {}) =>
  Array.from({ length: count }, () => space.encode(space.sample(options)));

describe.each(golden.spaces)('$name', ({ definition, draws, mask, probability, flat, batch }) => {
  it.each(draws)('draws the same members with seed $seed', ({ seed, used, samples, masked, weighted }) => {
    const space = fromJSON(definition);
    expect(space.seed(seed)).toEqual(used);
    expect(encoded(space, 3)).toEqual(samples);
    if (masked) expect(encoded(space, 3, { mask })).toEqual(masked);
    if (weighted) expect(encoded(space, 3, { probability })).toEqual(weighted);
  });

  if (batch) {
    it('batches the same way', () => {
      const space = fromJSON(definition);
      space.seed(5);
      const batched = batchSpace(space, 3);
      expect(batched.encode(batched.sample())).toEqual(batch);
    });
  }

  if (flat) {
    it('flattens the same way', () => {
      const space = fromJSON(definition);
      const flattened = flatten(space, space.decode(flat.sample));
      expect(plain(flattened)).toEqual(flat.flat);
      expect(plain(unflatten(space, flattened))).toEqual(plain(space.decode(flat.sample)));
    });
  }
});
