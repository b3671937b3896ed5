import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory, type Tensor } from '@vlgym/gpu';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPolicy } from '../load-policy.js';
import { everything, sequencesOf, smallConfig, smallPolicy, snapshot } from '../policy.test-helper.js';
import type { VlmPolicy } from '../vlm-policy.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'policy-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function train(policy: VlmPolicy, updates: number): Promise<void> {
  for (let i = 0; i < updates; i += 1) {
    await policy.accumulate(sequencesOf(policy), everything);
    await policy.step({ learningRate: 1e-2, maxGradNorm: 1 });
  }
}

async function withTeacher(policy: VlmPolicy): Promise<void> {
  const state = policy.adapterState();
  policy.setTeacher(policy.adaptedNames.map((name) => [name, policy.delta(state, name)] as const));
  for (const tensor of state.values()) tensor.dispose();
}

describe.each([['full'], [{ lora: { r: 2, alpha: 4, dropout: 0.2 } }]] as const)(
  'a checkpoint, training %o',
  (trained) => {
    it('continues exactly: weights, reference, teacher, moments, dropout', async () => {
      const straight = await smallPolicy({ train: trained });
      await train(straight, 2);
      await withTeacher(straight);
      await straight.save(folder);
      await train(straight, 2);

      for (const resumed of [await loadPolicy(folder), await smallPolicy({ train: trained, seed: 9 })]) {
        await resumed.load(folder);
        expect(resumed.version).toBe(2);
        await train(resumed, 2);
        expect(snapshot(resumed)).toEqual(snapshot(straight));
        for (const weights of ['current', 'reference', 'teacher'] as const) {
          expect(await resumed.score(sequencesOf(resumed), { weights })).toEqual(
            await straight.score(sequencesOf(straight), { weights }),
          );
        }
        resumed.close();
      }
      straight.close();
    });

    it('replaces the one before and leaves no other file', async () => {
      const policy = await smallPolicy({ train: trained });
      await policy.save(folder);
      await train(policy, 1);
      await policy.save(folder);
      const { files, version } = JSON.parse(await readFile(join(folder, 'policy.json'), 'utf8'));
      expect(version).toBe(1);
      expect((await readdir(folder)).sort()).toEqual(['policy.json', ...Object.values<string>(files)].sort());
      policy.close();
    });
  },
);

it('names its weights: the same after a save and a load, another after one step', async () => {
  for (const options of [{}, { train: { lora: { r: 2, alpha: 4 } } }]) {
    const policy = await smallPolicy(options);
    const fresh = await policy.weightsDigest();
    expect(fresh).toMatch(/^sha256:[0-9a-f]{64}$/);
    await train(policy, 1);
    const trained = await policy.weightsDigest();
    expect(trained).not.toBe(fresh);
    await policy.save(folder);
    const loaded = await loadPolicy(folder);
    expect(await loaded.weightsDigest()).toBe(trained);
    policy.close();
    loaded.close();
  }
});

describe('a checkpoint that does not fit', () => {
  it.each([
    ['another width', { config: { ...smallConfig, hiddenSize: 24 } }, 'config.hiddenSize'],
    [
      'another picture encoder',
      { config: { ...smallConfig, vision: { ...smallConfig.vision, depth: 1 } } },
      'config.vision.depth',
    ],
    ['another way of training', { train: { lora: { r: 2, alpha: 4 } } }, 'training'],
    ['another precision', { dtype: 'float64' as const }, 'dtype'],
  ])('is refused with the first difference: %s', async (_, options, field) => {
    const saved = await smallPolicy();
    await saved.save(folder);
    const other = await smallPolicy(options);
    const before = snapshot(other);
    await expect(other.load(folder)).rejects.toMatchObject({ code: 'CHECKPOINT_MISMATCH', field });
    expect(snapshot(other)).toEqual(before);
    saved.close();
    other.close();
  });

  it('is refused with another tokenizer', async () => {
    const saved = await smallPolicy();
    await saved.save(folder);
    const manifest = join(folder, 'policy.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace(/("tokenizerSha256": ")[0-9a-f]{4}/, '$1beef'));
    await expect(saved.load(folder)).rejects.toMatchObject({
      code: 'CHECKPOINT_MISMATCH',
      field: 'tokenizerSha256',
    });
    saved.close();
  });

  it.each(['current', 'reference', 'optimizer'])(
    'is refused when its %s file is cut short, and nothing changes',
    async (file) => {
      const policy = await smallPolicy();
      await train(policy, 1);
      await policy.save(folder);
      await truncate(join(folder, `${file}-1.safetensors`), 2000);
      const before = snapshot(policy);
      const alive = memory().tensors;
      await expect(policy.load(folder)).rejects.toMatchObject({ code: 'CHECKPOINT_DAMAGED' });
      expect(snapshot(policy)).toEqual(before);
      expect(memory().tensors).toBe(alive);
      await expect(loadPolicy(folder)).rejects.toMatchObject({ code: 'CHECKPOINT_DAMAGED' });
      policy.close();
    },
  );

  it.each(['current', 'reference', 'optimizer'])(
    'is refused when one bit of its %s file has changed, and nothing changes',
    async (file) => {
      const policy = await smallPolicy();
      await train(policy, 1);
      await policy.save(folder);
      const path = join(folder, `${file}-1.safetensors`);
      const bytes = await readFile(path);
      bytes[bytes.length - 1]! ^= 0x40;
      await writeFile(path, bytes);
      const before = snapshot(policy);
      await expect(policy.load(folder)).rejects.toMatchObject({ code: 'CHECKPOINT_DAMAGED' });
      expect(snapshot(policy)).toEqual(before);
      policy.close();
    },
  );

  it('is refused when there is none, or its manifest is damaged', async () => {
    await expect(loadPolicy(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'CHECKPOINT_DAMAGED' });
    await writeFile(join(folder, 'policy.json'), '{"format": "vlgym-policy", "formatVersion": 7}');
    await expect(loadPolicy(folder)).rejects.toMatchObject({ code: 'CHECKPOINT_DAMAGED' });
  });
});

it('weights for the buffer come back bit for bit', async () => {
  const policy = await smallPolicy({ train: { lora: { r: 2, alpha: 4 } } });
  await train(policy, 2);
  const state = policy.adapterState();
  await policy.saveWeights(join(folder, 'adapter.safetensors'), state);
  const read = await policy.loadWeights(join(folder, 'adapter.safetensors'));
  const numbers = (weights: ReadonlyMap<string, Tensor>) =>
    [...weights].map(([name, tensor]) => [name, tensor.toNumbers()]).sort();
  expect(numbers(read)).toEqual(numbers(state));
  read.dispose();
  for (const tensor of state.values()) tensor.dispose();
  policy.close();
});
