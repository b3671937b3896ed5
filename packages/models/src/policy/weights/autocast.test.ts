/** Mixed precision: scores and gradients close to those of float32, weights and sampling as without it, and losses correct. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { afterEach, describe, expect, it } from 'vitest';
import type { CreatePolicyOptions } from '../create-policy.js';
import {
  bytes,
  everything,
  largestDifference,
  lora,
  prompts,
  sequencesOf,
  smallPolicy,
  trainingLogProbs,
  update,
} from '../policy.test-helper.js';
import type { VlmPolicy } from '../vlm-policy.js';

const open: VlmPolicy[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const policy of open.splice(0)) policy.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function policyOf(options: CreatePolicyOptions): Promise<VlmPolicy> {
  const policy = await smallPolicy(options);
  open.push(policy);
  return policy;
}

const both = (options: CreatePolicyOptions) =>
  Promise.all([policyOf({ ...options, autocast: 'bfloat16' }), policyOf(options)]);

const sample = (policy: VlmPolicy) =>
  policy.sample(
    prompts().map((messages) => policy.encode(messages)),
    { maxNewTokens: 10, rng: new Generator(5).spawn(4) },
  );

async function saved(policy: VlmPolicy): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-autocast-'));
  folders.push(folder);
  await policy.save(folder);
  return folder;
}

async function gradientOf(policy: VlmPolicy): Promise<Map<string, { dtype: string; numbers: number[] }>> {
  await policy.accumulate(sequencesOf(policy), everything);
  const found = [...policy.model.namedParameters()].flatMap(([name, { grad }]) =>
    grad ? [[name, { dtype: grad.dtype, numbers: grad.toNumbers() }] as const] : [],
  );
  return new Map(found);
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

describe.each([
  ['all weights', {}],
  ['adapters', { train: lora }],
  ['checkpointed activations', { checkpointActivations: true }],
] as const)('with %s', (_, options) => {
  it('scores are close to those in float32, and not the same', async () => {
    const [rounded, exact] = await both(options);
    const [a, b] = await Promise.all([rounded, exact].map(async (policy) => policy.score(sequencesOf(policy))));
    const difference = Math.max(...a!.logProbs.map((row, i) => largestDifference(row, b!.logProbs[i]!)));
    expect(difference).toBeGreaterThan(1e-5);
    expect(difference).toBeLessThan(0.2);
  });

  it('gradients are in float32 and point where those in float32 do', async () => {
    const [rounded, exact] = await both(options);
    const [a, b] = [await gradientOf(rounded), await gradientOf(exact)];
    expect([...a.keys()]).toEqual([...b.keys()]);
    for (const { dtype } of a.values()) expect(dtype).toBe('float32');
    const flat = (all: typeof a) => [...all.values()].flatMap(({ numbers }) => numbers);
    expect(cosine(flat(a), flat(b))).toBeGreaterThan(0.99);
    expect(flat(a)).not.toEqual(flat(b));
  });

  it('a ratio starts at one: scoring computes as training does', async () => {
    const policy = await policyOf({ ...options, autocast: 'bfloat16' });
    const { logProbs } = await policy.score(sequencesOf(policy), { temperature: 0.7 });
    const seen = await trainingLogProbs(policy, 0.7);
    for (const [i, row] of seen.entries()) expect(largestDifference(row, logProbs[i]!)).toBeLessThan(2e-2);
  });

  it('samples as without it, bit for bit, also after an update', async () => {
    const [rounded, exact] = await both(options);
    expect(await sample(rounded)).toEqual(await sample(exact));
    await update(rounded);
    const weights = [...rounded.model.namedParameters()];
    const targets = new Map(exact.model.namedParameters());
    expect(weights.some(([name, weight]) => bytes(weight) !== bytes(targets.get(name)!))).toBe(true);
    await exact.load(await saved(rounded));
    expect(await sample(rounded)).toEqual(await sample(exact));
  });
});

it('tells algorithms that sampling rounds otherwise, and alarms by how much', async () => {
  const [rounded, exact] = await both({});
  expect([rounded, exact].map(({ hasSamplingMismatch }) => hasSamplingMismatch)).toEqual([true, false]);
  expect([rounded, exact].map(({ dtype }) => dtype)).toEqual(['bfloat16', 'float32']);
});

it.each([
  { autocast: 'float16' },
  { autocast: 'bfloat16', dtype: 'bfloat16' },
  { autocast: 'bfloat16', dtype: 'float64' },
])('refuses %o', async (options) => {
  await expect(smallPolicy(options as CreatePolicyOptions)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    value: options.autocast,
    hint: expect.stringContaining("'none'"),
  });
});
