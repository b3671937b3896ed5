import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabeledSequence } from '@vlgym/rl/update';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DaggerSet } from './guidance/dagger-set.js';
import { AdapterHistory } from './merge/adapter-history.js';
import type { MergeablePolicy } from './mergeable-policy.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-damaged-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function flipBit(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length - 1]! ^= 0x10;
  await writeFile(path, bytes);
}

const sample = (id: number): LabeledSequence => ({
  input: { promptIds: Int32Array.of(id, 2, 3), images: [] },
  responseIds: Int32Array.of(4, id),
  labelMask: Uint8Array.of(1, 0),
});

describe('the log of corrected steps', () => {
  it('comes back as it was at a checkpoint, whatever came after', async () => {
    const path = join(folder, 'dagger.bin');
    const written = new DaggerSet();
    written.add(sample(7));
    const first = await written.save(path);
    written.add(sample(8));
    await written.save(path);

    const read = new DaggerSet();
    await read.load(path, first);
    expect(read.size).toBe(1);
    read.add(sample(9));
    const second = await read.save(path);
    const again = new DaggerSet();
    await again.load(path, second);
    expect(again.size).toBe(2);
  });

  it('with a flipped bit is refused, and not cut', async () => {
    const path = join(folder, 'dagger.bin');
    const written = new DaggerSet();
    written.add(sample(7));
    const state = await written.save(path);
    await flipBit(path);
    const damaged = await readFile(path);
    await expect(new DaggerSet().load(path, state)).rejects.toMatchObject({ code: 'CHECKPOINT_DAMAGED', path });
    await expect(new DaggerSet().load(path, { ...state, bytes: 1000 })).rejects.toMatchObject({ path });
    expect(await readFile(path)).toEqual(damaged);
  });
});

describe('an adapter of the checkpoint buffer', () => {
  const policy = {
    adapterState: () => new Map(),
    saveWeights: (path: string) => writeFile(path, 'weights'),
    loadWeights: async () => new Map(),
  } as unknown as MergeablePolicy;

  it.each<[string, (path: string) => Promise<void>]>([
    ['has a flipped bit', flipBit],
    ['is missing', (path) => rm(path)],
  ])('that %s is refused', async (_, damage) => {
    const buffer = new AdapterHistory(policy, 2);
    await buffer.append();
    const state = await buffer.save(folder);
    await new AdapterHistory(policy, 2).load(folder, state);
    const path = join(folder, state.names[0]!);
    await damage(path);
    const loading = new AdapterHistory(policy, 2).load(folder, state);
    await expect(loading).rejects.toMatchObject({ code: 'CHECKPOINT_DAMAGED', path });
  });
});
