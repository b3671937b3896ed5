/** Sampling with weights in fewer bytes: its log-probs are its own, adapters are seen, and losses correct for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { memory } from '@vlgym/gpu';
import { afterEach, describe, expect, it } from 'vitest';
import type { CreatePolicyOptions } from '../create-policy.js';
import { largestDifference, lora, prompts, smallPolicy, snapshot, update } from '../policy.test-helper.js';
import type { VlmPolicy } from '../vlm-policy.js';

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

async function policyOf(options: CreatePolicyOptions): Promise<VlmPolicy> {
  const policy = await smallPolicy(options);
  open.push(policy);
  return policy;
}

function sample(policy: VlmPolicy, options: { rows?: number | undefined; weights?: 'current' | 'reference' } = {}) {
  const { rows = 4, weights = 'current' } = options;
  const inputs = prompts()
    .slice(0, rows)
    .map((messages) => policy.encode(messages));
  return policy.sample(inputs, { maxNewTokens: 10, rng: new Generator(5).spawn(rows), weights });
}

/** The largest difference between the log-probs of sampling and those of scoring. */
async function gap(policy: VlmPolicy, rows?: number): Promise<number> {
  const responses = await sample(policy, { rows });
  const sequences = responses.map(({ tokenIds }, i) => ({
    input: policy.encode(prompts()[i]!),
    responseIds: tokenIds,
  }));
  const { logProbs } = await policy.score(sequences);
  return Math.max(...responses.map((response, i) => largestDifference(response.logProbs, logProbs[i]!)));
}

describe.each(['bfloat16', 'int8'] as const)('a sampler in %s', (samplerDtype) => {
  it.each([1, 4])('has log-probs of its own, close to those of scoring (%d rows)', async (rows) => {
    const policy = await policyOf({ samplerDtype, train: lora });
    const found = await gap(policy, rows);
    expect(found).toBeGreaterThan(1e-4);
    expect(found).toBeLessThan(0.5);
    expect(policy.hasSamplingMismatch).toBe(true);
  });

  it('sees a change of an adapter that its own weights could not hold', async () => {
    const policy = await policyOf({ samplerDtype, train: lora });
    const before = await sample(policy);
    await update(policy, 1e-6);
    const after = await sample(policy);
    expect(after.map(({ tokenIds }) => [...tokenIds])).toEqual(before.map(({ tokenIds }) => [...tokenIds]));
    const change = Math.max(...after.map((response, i) => largestDifference(response.logProbs, before[i]!.logProbs)));
    expect(change).toBeGreaterThan(0);
    expect(change).toBeLessThan(5e-2);
  });

  it('follows weights that are all trained', async () => {
    const policy = await policyOf({ samplerDtype });
    const before = await gap(policy);
    await update(policy, 3e-2);
    const after = await gap(policy);
    // with the copies of before, the gap would be that of the update
    expect(after).toBeLessThan(Math.max(0.5, 3 * before));
  });

  it('leaves scoring, training and other weights alone, bit for bit', async () => {
    const [narrow, plain] = [await policyOf({ samplerDtype, train: lora }), await policyOf({ train: lora })];
    await sample(narrow);
    for (const policy of [narrow, plain]) await update(policy);
    expect(snapshot(narrow)).toEqual(snapshot(plain));
    const [a, b] = await Promise.all([narrow, plain].map((policy) => sample(policy, { weights: 'reference' })));
    expect(a!.map(({ logProbs }) => [...logProbs])).toEqual(b!.map(({ logProbs }) => [...logProbs]));
  });

  it('continues from a checkpoint as without a break', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vlgym-sampler-'));
    try {
      const [first, second] = [await policyOf({ samplerDtype }), await policyOf({ samplerDtype, seed: 9 })];
      await sample(second); // copies of other weights
      await update(first);
      await first.save(folder);
      await second.load(folder);
      const [a, b] = await Promise.all([sample(first), sample(second)]);
      expect(b).toEqual(a);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('frees its copies', async () => {
    const before = memory().tensors;
    const policy = await smallPolicy({ samplerDtype });
    await sample(policy);
    policy.close();
    expect(memory().tensors).toBe(before);
  });
});

it('without the option sampling and scoring agree, and nobody corrects', async () => {
  const policy = await policyOf({ train: lora });
  expect(await gap(policy)).toBeLessThan(1e-4);
  expect(policy.hasSamplingMismatch).toBe(false);
});

it.each([
  { samplerDtype: 'float8' },
  { samplerDtype: 'bfloat16', dtype: 'bfloat16' },
  { samplerDtype: 'bfloat16', dtype: 'float64' },
])('refuses %o', async (options) => {
  await expect(smallPolicy(options as CreatePolicyOptions)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    value: options.samplerDtype,
    hint: expect.stringContaining("'same'"),
  });
});
