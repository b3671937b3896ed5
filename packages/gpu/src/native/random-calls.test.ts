/** Calls of the addon at random, in child processes. */
import { describe, expect, it } from 'vitest';
import { readSignatures } from '../../scripts/fuzz-addon/signatures.js';
import { fuzzAddon } from '../../scripts/fuzz-addon.js';
import { native } from './load.js';

describe('random calls', () => {
  it('know every function of the addon', () => {
    const names = readSignatures().map(({ name }) => name);
    expect([...names].sort()).toEqual(Object.keys(native()).sort());
  });

  it('4,000 of them end in a result or a typed error', async () => {
    const { calls, findings, returned } = await fuzzAddon({ calls: 4_000, seed: 7 });
    expect(findings).toEqual([]);
    expect(calls).toBe(4_000);
    const total = [...returned.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThan(1_500);
  });
});
