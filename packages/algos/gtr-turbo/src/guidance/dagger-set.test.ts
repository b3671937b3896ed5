import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import type { LabeledSequence } from '@vlgym/rl/update';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DaggerSet } from './dagger-set.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-dagger-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sample = (index: number): LabeledSequence => ({
  input: {
    promptIds: Int32Array.of(index, -1, 2 ** 30),
    images: index % 2 === 0 ? [] : [{ data: new Uint8Array(6).fill(index), height: 1, width: 2, channels: 3 }],
    ...(index === 2 && { constraint: { kind: 'actions', maxTokens: 9, without: null, endings: ['left', 'ünten'] } }),
  },
  responseIds: Int32Array.from({ length: index + 1 }, (_, i) => i),
  labelMask: Uint8Array.from({ length: index + 1 }, (_, i) => i % 2),
});
const first = ({ input }: LabeledSequence) => input.promptIds[0]!;

describe('DaggerSet', () => {
  it('draws every sample once before any twice', () => {
    const set = new DaggerSet();
    for (let i = 0; i < 5; i++) set.add(sample(i));
    const rng = new Generator(1);
    set.shuffle(rng);
    const drawn = [...set.draw(3, rng), ...set.draw(2, rng)].map(first);
    expect(drawn.toSorted()).toEqual([0, 1, 2, 3, 4]);
    expect(set.draw(9, rng).map(first).toSorted()).toEqual([0, 1, 2, 3, 4]);
    expect(new DaggerSet().draw(3, rng)).toEqual([]);
  });

  it('comes back from its log sample by sample, pictures included, and appends only what is new', async () => {
    const path = join(folder, 'dagger.bin');
    const set = new DaggerSet();
    set.add(sample(0));
    set.add(sample(1));
    const earlier = await set.save(path);
    set.add(sample(2));
    const later = await set.save(path);
    expect(await set.save(path)).toEqual(later);
    expect((await stat(path)).size).toBe(later.bytes);

    const rng = () => new Generator(3);
    const restored = new DaggerSet();
    await restored.load(path, later);
    expect(restored.draw(3, rng())).toEqual(set.draw(3, rng()));

    // resuming from the earlier checkpoint forgets what came after it, also on disk
    const older = new DaggerSet();
    await older.load(path, earlier);
    expect(older.size).toBe(2);
    expect((await stat(path)).size).toBe(earlier.bytes);
    older.add(sample(2));
    expect(await older.save(path)).toEqual(later);
  });

  it('keeps no picture in memory: what is drawn is read', () => {
    const set = new DaggerSet();
    const added = sample(1);
    set.add(added);
    const draw = () => set.draw(1, new Generator(1))[0]!;
    const first = draw();
    expect(first).toEqual(added);
    // changes of what was added or drawn do not reach the set
    added.input.images[0]!.data.fill(7);
    first.input.images[0]!.data.fill(9);
    expect(draw()).toEqual(sample(1));
    set.dispose();
    expect(set.size).toBe(0);
  });

  it('refuses a log that is shorter than its checkpoint says', async () => {
    const path = join(folder, 'dagger.bin');
    await writeFile(path, 'x');
    await expect(
      new DaggerSet().load(path, { layout: 'uint32-length', count: 1, bytes: 100, sha256: '' }),
    ).rejects.toThrow();
  });
});
