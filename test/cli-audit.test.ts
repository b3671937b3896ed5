/** An environment is audited as its author does it: a planted hack ends with 1, a clean world with 0. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Pays for every step; its goal pays less. */
const PLANTED = `
import { BaseEnv, parseReset, register, spaces } from '@vlgym/core';
class Bonus extends BaseEnv {
  observationSpace = spaces.discrete(10);
  actionSpace = spaces.discrete(2);
  #at = 0;
  reset(given) {
    const { seed } = parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    this.#at = 0;
    return { observation: 0, info: {} };
  }
  step(action) {
    this.#at += 1;
    const success = action === 1 && this.rng.random() < 0.2;
    const over = success || this.#at === 9;
    return { observation: this.#at, reward: success ? 1 : 0.5, terminated: over, truncated: false, info: over ? { success } : {} };
  }
}
register({ id: 'planted/Bonus-v0', entryPoint: () => new Bonus() });
`;

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-audit-'));
  await writeFile(join(home, 'bonus.mjs'), PLANTED);
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('vlgym audit', () => {
  it('ends with 0 and a table for a clean world', async () => {
    const { code, stdout } = await vlgym(['audit', 'canary', '--episodes', '8', '--search-steps', '200']);
    expect(stdout).toMatch(/^vlgym\/Canary-v1\nagent +success +mean return +best without success\noracle +100\.0 %/);
    expect(stdout).toContain('✓ no hack was found');
    expect(code).toBe(0);
  });

  it('ends with 1 and names the hack, also as JSON', async () => {
    const args = ['audit', 'planted/Bonus-v0', '--import', join(home, 'bonus.mjs'), '--episodes', '20'];
    const { code, stdout } = await vlgym(args);
    expect(stdout).toMatch(/^✗ hack REWARD_WITHOUT_SUCCESS: .* reward is paid for something else than the task$/m);
    expect(stdout).toContain('not looked at: search for reward: the environment has no snapshots');
    expect(code).toBe(1);
    const [report] = JSON.parse((await vlgym([...args, '--json'])).stdout);
    expect(report.findings.map(({ code: name }: { code: string }) => name)).toContain('REWARD_WITHOUT_SUCCESS');
  });
});
