/** A policy that keeps no θ_0, and one that starts from the weights of another run. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryUse } from '@vlgym/gpu';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CreatePolicyOptions } from './create-policy.js';
import { largestDifference, lora, sequencesOf, smallPolicy, snapshot, update } from './policy.test-helper.js';
import type { VlmPolicy } from './vlm-policy.js';

const open: VlmPolicy[] = [];
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-reference-'));
});
afterEach(async () => {
  for (const policy of open.splice(0)) policy.close();
  await rm(folder, { recursive: true });
});

async function make(options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  const policy = await smallPolicy(options);
  open.push(policy);
  return policy;
}

const scores = (policy: VlmPolicy, weights: 'current' | 'reference' | 'teacher') =>
  policy.score(sequencesOf(policy), { weights }).then(({ logProbs }) => logProbs);

describe('a policy without reference', () => {
  it('holds one copy of the weights less, and trains the same', async () => {
    const before = memoryUse().bytes;
    const kept = await make();
    const between = memoryUse().bytes;
    const policy = await make({ keepReference: false });
    const bytesOf = [...policy.model.parameters()].reduce((sum, parameter) => sum + 4 * parameter.numel, 0);
    const saved = between - before - (memoryUse().bytes - between);
    // all but the value head
    expect(saved).toBeGreaterThan(0.8 * bytesOf);
    for (const each of [kept, policy]) await update(each);
    expect(snapshot(policy)).toEqual(snapshot(kept));
  });

  it('has an error where θ_0 is asked for', async () => {
    const policy = await make({ keepReference: false });
    for (const weights of ['reference', 'teacher'] as const)
      await expect(scores(policy, weights)).rejects.toMatchObject({ code: 'NO_REFERENCE' });
    const state = policy.adapterState();
    expect(() => policy.delta(state, policy.adaptedNames[0]!)).toThrow(/keeps no copy/);
    expect(() => policy.setTeacher([])).toThrow(/keeps no copy/);
    for (const tensor of state.values()) tensor.dispose();
    expect((await scores(policy, 'current')).length).toBeGreaterThan(0);
  });

  it('changes nothing with adapters, whose base is θ_0', async () => {
    const policy = await make({ train: lora, keepReference: false });
    const before = await scores(policy, 'current');
    await update(policy);
    expect(await scores(policy, 'reference')).toEqual(before);
  });

  it('saves no reference; where it is loaded, θ_0 is what it was', async () => {
    const policy = await make({ keepReference: false });
    await update(policy);
    await policy.save(folder);
    expect((await readdir(folder)).sort()).toEqual(['current-1.safetensors', 'optimizer-1.safetensors', 'policy.json']);
    const other = await make({ seed: 5 });
    await other.load(folder);
    expect(await scores(other, 'reference')).toEqual(await scores(policy, 'current'));
    const again = await make({ seed: 6, keepReference: false });
    await again.load(folder);
    for (const each of [policy, other, again]) await update(each);
    expect(snapshot(other)).toEqual(snapshot(policy));
    expect(snapshot(again)).toEqual(snapshot(policy));
  });

  it('loads a checkpoint that has one', async () => {
    const kept = await make();
    await update(kept);
    await kept.save(folder);
    const policy = await make({ seed: 5, keepReference: false });
    await policy.load(folder);
    for (const each of [kept, policy]) await update(each);
    expect(snapshot(policy)).toEqual(snapshot(kept));
  });
});

describe('weights alone', () => {
  it('of a run with another optimizer start a new one: θ_0 are these weights, and moments are zero', async () => {
    const first = await make({ optimizer: { kind: 'muon' } });
    await update(first);
    await first.save(folder);
    const policy = await make({ seed: 5 });
    // moments of the run before are not taken along either
    await update(policy);
    await expect(policy.load(folder)).rejects.toMatchObject({ code: 'OPTIMIZER_STATE_MISMATCH' });
    await policy.load(folder, { weightsOnly: true });
    expect(snapshot(policy)).toEqual(snapshot(first));
    expect(await scores(policy, 'reference')).toEqual(await scores(first, 'current'));
    const fresh = await make({ seed: 6 });
    await fresh.load(folder, { weightsOnly: true });
    for (const each of [policy, fresh]) await update(each);
    expect(snapshot(policy)).toEqual(snapshot(fresh));
  });

  it('of adapters are θ_0 too: reference and policy are what was loaded', async () => {
    const first = await make({ train: lora });
    await update(first);
    await first.save(folder);
    const trained = (await scores(first, 'current')).flatMap((row) => [...row]);
    const policy = await make({ train: lora, seed: 1 });
    await policy.load(folder, { weightsOnly: true });
    for (const set of ['current', 'reference'] as const) {
      const found = (await scores(policy, set)).flatMap((row) => [...row]);
      expect(largestDifference(found, trained), set).toBeLessThan(1e-5);
    }
  });
});
