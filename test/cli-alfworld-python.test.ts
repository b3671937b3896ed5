/** `vlgym alfworld setup-python`, with a Python that only plays at it, and what `vlgym eval` says of what it played. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TASK_TYPES } from '@vlgym/alfworld';
import { generateHousehold, writeHousehold } from '@vlgym/alfworld/generator';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 300_000 }); // a process takes as long as the machine lets it

const python = fileURLToPath(new URL('../packages/envs/alfworld/test-support/fake-installer.mjs', import.meta.url));

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-cli-python-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('vlgym alfworld setup-python', () => {
  const setup = (cache: string, env: Record<string, string> = {}) => ({
    env: { VLGYM_CACHE: join(home, cache), VLGYM_ALFWORLD_PYTHON: '', VLGYM_ALFWORLD_DATA: home, ...env },
  });

  it('makes a Python once, says what is next, and the environment plays in it', async () => {
    const made = await vlgym(['alfworld', 'setup-python', '--python', python], setup('cache'));
    expect(made.stdout).toMatch(/^ {2}Collecting setuptools<81 alfworld==0\.4\.2/m);
    expect(made.stdout).toMatch(
      /^alfworld 0, textworld 0, Python 0\n.*bin\/python\nvlgym alfworld download\nvlgym eval/m,
    );
    expect(made.code).toBe(0);
    const again = await vlgym(['alfworld', 'setup-python'], setup('cache'));
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^alfworld .*nothing to do\n/) });

    const household = generateHousehold({ split: 'train', taskType: TASK_TYPES[0], seed: 1 });
    const options = JSON.stringify({ games: [await writeHousehold(join(home, 'one'), household)] });
    const id = 'alfworld/AlfredTWEnvPython-v0';
    const played = await vlgym(['eval', id, '--episodes', '2', '--env-options', options], setup('cache'));
    expect(played.stdout).toMatch(/2 episodes\n/);
  });

  it('says what to do without a network, and takes nothing half-made for done', async () => {
    const offline = setup('offline', { FAKE_PYTHON: 'offline' });
    const failed = await vlgym(['alfworld', 'setup-python', '--python', python], offline);
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^NO_NETWORK [\s\S]*hint: .*PIP_INDEX_URL/),
    });

    const stopped = await vlgym(['alfworld', 'setup-python', '--python', python], {
      ...setup('stopped', { FAKE_PYTHON: 'hang' }),
      started: (child) => child.stdout?.on('data', (text) => /Collecting/.test(text) && child.kill('SIGINT')),
    });
    expect(stopped.code).toBe(130);
    for (const cache of ['offline', 'stopped']) expect(await readdir(join(home, cache, 'alfworld-python'))).toEqual([]);
  });
});

describe('vlgym eval', () => {
  it('says at once that the games are missing, and how to get them', async () => {
    const options = ['--env-options', '{"data": "/nope"}'];
    const failed = await vlgym([...'eval alfworld/AlfredTWEnv-v0 --agent oracle --episodes 3'.split(' '), ...options]);
    expect(failed.stderr).toMatch(/^NO_GAMES .*\/nope[\s\S]*vlgym alfworld download/m);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
  });

  it('sorts episodes by the kind of task, or by what is asked for', async () => {
    const command = 'eval vlgym/ALFWorld-v1 --agent oracle --episodes 4'.split(' ');
    const { stdout } = await vlgym(command);
    expect(stdout).toMatch(
      /^taskType +success +95 % interval +legal +correct thoughts +return +length +tasks +episodes\n(\w+ +100\.0 % .*\d\n)+$/m,
    );
    expect((await vlgym([...command, '--breakdown', 'split'])).stdout).toMatch(/^split .*\ntrain +100\.0 % .* 4\n$/m);
    const cards = await vlgym('eval vlgym/EZPoints-v1 --agent oracle --episodes 2'.split(' '));
    expect(cards.stdout).not.toContain('taskType');
  });
});
