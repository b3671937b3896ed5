/**
 * `vlgym.verifiers` under `vf-eval` with a stub model, what TRL's discovery finds in `vlgym.trl`, and TRL's trainer where
 * `VLGYM_TRL_PYTHON` names a Python with `pip install trl torchvision gymnasium pillow`.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type CanaryCounts, canaryVerdict } from '@vlgym/canary';
import { make } from '@vlgym/core';
import '@vlgym/points24';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { pythonEnvironment } from './support/python-environment.js';

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 300_000 });

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);
// openenv and verifiers need different versions of mcp, so each has an environment of its own
const verifiers = pythonEnvironment(['verifiers==0.4.0', 'gymnasium==1.4.0']);
const light = pythonEnvironment(['gymnasium==1.4.0', 'pillow==12.0.0']);
const PYTHONPATH = [file('../python'), file('../python/examples')].join(':');

beforeAll(() => {
  if (verifiers.python || light.python)
    execFileSync(process.execPath, [file('../scripts/python-package.mjs')], { stdio: 'pipe' });
});

describe.skipIf(!verifiers.python)(`vf-eval${verifiers.reason && ` (skipped: ${verifiers.reason})`}`, () => {
  it('completes two tasks with pictures', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vlgym-verifiers-'));
    const stub = spawn('python3', [file('support/python/stub_model.py')], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [line] = (await once(stub.stdout, 'data')) as [Buffer];
      const url = `http://127.0.0.1:${line.toString().trim()}`;
      const flags = {
        model: 'stub',
        'client.base-url': `${url}/v1`,
        'client.api-key-var': 'NOKEY',
        'select.limit': '2',
        'env.taskset.env': 'vlgym/Blackjack-v1',
        'env.player.harness.id': 'null',
        'env.player.runtime.type': 'subprocess',
        'output-dir': folder,
      };
      const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
      await run(join(verifiers.python!, '..', 'vf-eval'), ['vlgym_vf', '--no-rich', '--no-push', ...args], {
        env: { ...process.env, PYTHONPATH, NOKEY: 'none', HOME: folder },
        timeout: 500_000,
        maxBuffer: 64 * 1024 * 1024,
      });
      const [trace] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('traces.jsonl'),
      );
      const episodes = readFileSync(join(folder, trace!), 'utf8')
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text));
      expect(episodes.map(({ ok }) => ok)).toEqual([true, true]);
      for (const { traces } of episodes) expect(Math.abs(traces[0].rewards.vlgym_return.score)).toBeLessThanOrEqual(1);
      const { pictures } = (await (await fetch(url)).json()) as { pictures: number };
      expect(pictures).toBeGreaterThanOrEqual(2);
    } finally {
      stub.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe.skipIf(!light.python)(`the examples for Python${light.reason && ` (skipped: ${light.reason})`}`, () => {
  const example = async (name: string) => {
    const { stdout } = await run(light.python!, [file(`../python/examples/${name}.py`)], {
      env: { ...process.env, PYTHONPATH },
    });
    return stdout;
  };

  it('a card game, and a vector of them', async () => {
    const env = await make('vlgym/Points24-v1');
    const { info } = await env.reset({ seed: 7 });
    const output = await example('play');
    expect(output).toContain(`cards of seed 7: ${(info.Cards as string[]).join(' ')}\n`);
    expect(output).toMatch(/^\(8, 300, 300, 3\) return of random play: -?\d/m);
  });

  it('TRL finds the tools, the pictures of the prompt, and the reward', async () => {
    const output = await example('trl_tools');
    expect(output).toContain("tools: ['hit', 'stand']");
    expect(output).toContain("'image'");
    expect(output).toMatch(/reward: -?[01]\.0/);
  });
});

const trl = process.env.VLGYM_TRL_PYTHON;
describe.skipIf(!trl)(`TRL${trl ? '' : ' (skipped: VLGYM_TRL_PYTHON names no Python with trl, of 5 GB)'}`, () => {
  /** @returns The last line of a program. */
  const trained = async (program: string, ...words: string[]) => {
    const { stdout } = await run(trl!, [file(`support/python/${program}.py`), ...words], {
      env: { ...process.env, PYTHONPATH, OMP_NUM_THREADS: '1' },
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(stdout.trim().split('\n').at(-1)!);
  };

  it('trains a tiny vision-language model for two steps, with tools, pictures and rewards of an environment', async () => {
    const report = await trained('trl_train', 'vlgym/Blackjack-v1');
    expect(report).toMatchObject({ steps: 2, tools: ['hit', 'stand'], tool_calls: [1, 1], failures: [0, 0] });
    expect(report).toMatchObject({ changed: true, finite: true });
    expect(report.pictures).toBeGreaterThanOrEqual(8);
  });

  it.each([
    ['intact', 'pixels arrive'],
    ['dropped', 'no sight'],
  ])('has the canary say of %s pictures: %s', async (pictures, verdict) => {
    const { episodes } = (await trained('trl_canary', pictures, '60')) as { episodes: CanaryCounts[] };
    // all of them: eight rollouts of a group see the same pictures, and few pictures would say little
    expect(canaryVerdict(episodes)).toMatchObject({ verdict });
  });
});
