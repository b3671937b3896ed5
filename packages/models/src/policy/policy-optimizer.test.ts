import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { afterEach, describe, expect, it } from 'vitest';
import { bytes, sequencesOf, smallPolicy } from './policy.test-helper.js';
import type { VlmPolicy } from './vlm-policy.js';

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

describe('Muon', () => {
  const opened = async (options: Parameters<typeof smallPolicy>[0]) => {
    open.push(await smallPolicy({ dtype: 'float64', ...options }));
    return open.at(-1)!;
  };
  const steps = async (policy: VlmPolicy, count: number) => {
    for (let step = 0; step < count; step += 1) {
      await policy.accumulate(sequencesOf(policy), ({ logProbs, values }) => logProbs.sum().sub(values.sum()));
      await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
    }
    return [...policy.model.namedParameters()].map(([, parameter]) => bytes(parameter));
  };

  it.each([
    ['all weights', {}],
    ['adapters', { train: { lora: { r: 4, alpha: 8 } } }],
  ])('trains %s, and a saved policy continues bit for bit', async (_, options) => {
    const kind = { ...options, optimizer: { kind: 'muon' } } as const;
    const policy = await opened(kind);
    await steps(policy, 2);
    const folder = await mkdtemp(join(tmpdir(), 'vlgym-muon-'));
    try {
      await policy.save(folder);
      const resumed = await opened(kind);
      await resumed.load(folder);
      expect(await steps(resumed, 2)).toEqual(await steps(policy, 2));
      const adam = await opened(options);
      await expect(adam.load(folder)).rejects.toThrow(GymError);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
