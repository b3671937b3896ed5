import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registeredVerifiers, registerVerifier } from '@vlgym/core';
import type { Agreement } from '@vlgym/core/registry';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../command-line/command.js';
import { verify } from './verify.js';

afterEach(() => vi.unstubAllEnvs());

async function run(environment: string, episodes = 2): Promise<{ code: number | undefined; text: string }> {
  let text = '';
  const stdout = {
    write(part: string) {
      text += part;
      return true;
    },
  };
  const context = { stdout, stderr: stdout, signal: new AbortController().signal } as unknown as CommandContext;
  const options = { environment, episodes, seed: 40, setup: false, import: [] };
  return { code: await verify.run(options, context), text };
}

/** A verifier as a package of somebody else would register it. */
function register(name: string, agreements: readonly Agreement[], missing?: string): void {
  const verification = {
    missing: () => missing,
    setup: async () => {},
    compare: async () => ({ agreements, notes: ['without pictures'] }),
  };
  registerVerifier({ name, description: 'A test.', load: async () => verification });
}

describe('vlgym verify', () => {
  it('names what a package registers, and what ours do', () => {
    register('theirs', []);
    expect(registeredVerifiers().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['alfworld', 'cards', 'miniworld', 'theirs']),
    );
    expect(verify.more?.({ options: {}, given: {}, asksForHelp: true })).toContain('  theirs: A test.');
  });

  it('is 0 where everything agrees, and prints the shares and notes', async () => {
    register('equal', [{ what: 'rewards', agreed: 7, compared: 7 }]);
    const { code, text } = await run('equal');
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/rewards\s+7\s+7\s+100\.00 %\s+equal\nnote: without pictures/),
    ]);
  });

  it('is 1 where anything differs, and says where first', async () => {
    register('unequal', [{ what: 'rewards', agreed: 6, compared: 7, first: 'seed 3: ours 1, theirs 0' }]);
    const { code, text } = await run('unequal');
    expect([code, text]).toEqual([1, expect.stringContaining('first difference in rewards: seed 3: ours 1, theirs 0')]);
  });

  it('accepts a share where a row cannot be equal, and no lower one', async () => {
    register('close', [{ what: 'pixels', agreed: 99, compared: 100, needed: 0.99 }]);
    expect((await run('close')).code).toBe(0);
    register('close', [{ what: 'pixels', agreed: 98, compared: 100, needed: 0.99 }]);
    expect((await run('close')).code).toBe(1);
  });

  it('does not take an empty comparison for agreement', async () => {
    register('empty', [{ what: 'rewards', agreed: 0, compared: 0 }]);
    expect((await run('empty')).code).toBe(1);
  });

  it('refuses an unknown name with the names that exist', async () => {
    await expect(run('card')).rejects.toThrow(/Unknown verification "card".*cards/s);
  });

  it.each(['alfworld', 'cards', 'miniworld'])('skips %s visibly where the original is absent', async (name) => {
    const empty = mkdtempSync(join(tmpdir(), 'vlgym-verify-'));
    for (const variable of ['XDG_CACHE_HOME', 'VLGYM_CACHE']) vi.stubEnv(variable, empty);
    for (const variable of ['VLGYM_ALFWORLD_PYTHON', 'VLGYM_MINIWORLD_PYTHON']) vi.stubEnv(variable, '');
    const { code, text } = await run(name);
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(new RegExp(`skipped: .*\n  hint: vlgym verify ${name} --setup`)),
    ]);
    rmSync(empty, { recursive: true });
  });
});

for (const verifier of registeredVerifiers()) {
  const verification = await verifier.load();
  const missing = await verification.missing();
  const title =
    missing === undefined ? '' : ` (skipped: ${missing} is absent; run vlgym verify ${verifier.name} --setup)`;
  it.skipIf(missing !== undefined)(
    `${verifier.name}: fresh episodes are equal to the original's${title}`,
    async () => expect(await run(verifier.name)).toMatchObject({ code: 0 }),
    300_000,
  );
}
