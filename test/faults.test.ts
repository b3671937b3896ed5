/**
 * Wrong use and bad luck, over everything that is registered: each case gets its typed error, and nothing is lost.
 *
 * Faults of one part are tested beside it: truncated safetensors files, checkpoints of other models (gpu), killed
 * writers, full disks, lost worker threads (core), models that time out or answer garbage (agents), the command line
 * (cli.test.ts). Here is what holds for all parts alike.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AnyEnv, make, registeredIds } from '@vlgym/core';
import '@vlgym/points24';
import { presets as baselines } from '@vlgym/baselines';
import { createPolicy, loadPolicy } from '@vlgym/gpu';
import { presets as gtrTurbo } from '@vlgym/gtr-turbo';
import type { AlgorithmOverrides, Preset } from '@vlgym/rl';
import { presets as vlDac } from '@vlgym/vl-dac';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicPackages, ROOT, requireBuild } from './support/workspaces.js';

const run = promisify(execFile);

/** The same action again and again until the episode is over: these games all end. */
async function playToTheEnd(env: AnyEnv): Promise<void> {
  for (let over = false; !over; ) {
    const { terminated, truncated } = await env.step(0);
    over = terminated || truncated;
  }
}

describe.each(registeredIds().map((id) => [id]))('%s', (id) => {
  // without the wrappers of `make`, an environment still refuses what it cannot play
  it.each([
    ['as made by default', true],
    ['without wrappers', false],
  ])('%s refuses steps out of order and invalid actions, and plays on', async (_, wrapped) => {
    const env: AnyEnv = await make(id, { orderEnforce: wrapped, disableChecker: !wrapped });
    const refused = (call: () => unknown, code: string) =>
      expect((async () => call())()).rejects.toMatchObject({ code, hint: expect.any(String) });

    await refused(() => env.step(0), 'RESET_NEEDED');
    await env.reset({ seed: 1 });
    for (const action of [-1, 99, 0.5, Number.NaN, '0', null, undefined]) {
      await refused(() => env.step(action), 'INVALID_ACTION');
    }
    await playToTheEnd(env); // the refusals have changed nothing
    if (wrapped) await refused(() => env.step(0), 'EPISODE_OVER');
    await env.reset({ seed: 2 });
    await playToTheEnd(env);
    await env.close();
    await refused(() => env.reset(), 'CLOSED');
  });

  it('refuses options that it does not have, and values that they cannot have', async () => {
    await expect(make(id, { options: { dialgue: 'rl4vlm-v1' } })).rejects.toMatchObject({
      code: 'UNKNOWN_OPTION',
      hint: 'did you mean "dialogue"?',
    });
    await expect(make(id, { options: { dialogue: 'rl4vlm-v9' } })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(make(id, { options: { size: { height: 0, width: 1 } } })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
  });
});

describe.each(Object.entries<Preset>({ ...gtrTurbo, ...vlDac, ...baselines }))('the preset %s', (_, preset) => {
  it('refuses unknown options, and values out of range', () => {
    const wrong = (overrides: AlgorithmOverrides) => () => preset(overrides);
    expect(wrong({ optimzer: {} })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', hint: 'did you mean "optimizer"?' }),
    );
    expect(wrong({ optimizer: { epoch: 2 } })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', hint: expect.stringContaining('epochs') }),
    );
    expect(wrong({ rollout: { temperature: -1 } })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });
});

describe('a checkpoint on a disk that is full', () => {
  let home = '';
  beforeAll(async () => {
    requireBuild(publicPackages.filter(({ name }) => name === '@vlgym/gpu'));
    home = await mkdtemp(join(tmpdir(), 'vlgym-faults-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('is not written, and the one before it stays whole', async () => {
    const folder = join(home, 'policy');
    const before = await createPolicy({ preset: 'tiny', seed: 1 });
    await before.save(folder);
    before.close();
    const files = await readdir(folder);
    const manifest = await readFile(join(folder, 'policy.json'), 'utf8');

    // a limit on the size of files stands for the full disk: the system refuses to write on in the same place
    const script = `
      import { loadPolicy } from '@vlgym/gpu';
      const policy = await loadPolicy(process.argv[1]);
      await policy.save(process.argv[1]).catch((error) => console.log(error.code, error.hint));`;
    const limited = 'ulimit -f 64; exec "$0" --input-type=module -e "$1" "$2"';
    const { stdout } = await run('sh', ['-c', limited, process.execPath, script, folder], { cwd: ROOT });
    expect(stdout).toMatch(/^SAFETENSORS_WRITE_FAILED \S+/);

    expect(await readdir(folder)).toEqual(expect.arrayContaining(files));
    expect(await readFile(join(folder, 'policy.json'), 'utf8')).toBe(manifest);
    const after = await loadPolicy(folder);
    expect(after.version).toBe(0);
    after.close();
  });
});
