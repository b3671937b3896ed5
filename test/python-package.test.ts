/** The Python package `vlgym`: Gymnasium's own checks, and the same episodes as in Node. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import '@vlgym/alfworld';
import { isImage, make, setWarningSink } from '@vlgym/core';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/webshop';
import { findChromium } from '@vlgym/webshop/browser';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DATA } from '../packages/envs/alfworld/test-support/data.js';
import { pythonEnvironment } from './support/python-environment.js';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);
const { python, reason } = pythonEnvironment(['gymnasium==1.4.0', 'setuptools==80.9.0']);

interface Spec {
  readonly id: string;
  readonly spec: string;
  readonly observation_space: { readonly type: string };
  readonly action_space: { readonly type: string };
}

const NO_BROWSER = chromium() ? '' : 'no Chromium';
const NO_GAMES = DATA ? '' : 'no ALFWorld data; set VLGYM_ALFWORLD_DATA';
// a quarter of a minute of processor time, so it runs where it is asked for
const NO_ALFWORLD =
  NO_GAMES || (process.env.VLGYM_ALFWORLD_PYTHON ? '' : 'VLGYM_ALFWORLD_PYTHON names no Python with ALFWorld');

/** What these need besides Node is absent, or empty. */
const NEED_MORE: Readonly<Record<string, string>> = {
  'vlgym/WebShopBrowser-v1': NO_BROWSER,
  'vlgym/WebShopBrowser-v2': NO_BROWSER,
  'vlgym/alfworld-AlfredTWEnv-v0': NO_GAMES,
  'vlgym/alfworld-AlfredTWEnvPython-v0': NO_ALFWORLD,
  'vlgym/alfworld-AlfredThorEnv-v0': 'AI2-THOR needs a display and its own Unity build',
};

function chromium(): string | undefined {
  try {
    return findChromium();
  } catch {
    return undefined;
  }
}

describe.skipIf(!python)(`the Python package${reason && ` (skipped: ${reason})`}`, () => {
  let folder: string;
  let specs: readonly Spec[];

  beforeAll(async () => {
    setWarningSink(() => {});
    execFileSync(process.execPath, [file('../scripts/python-package.mjs')], { stdio: 'pipe' });
    // installed as users do it from a clone
    folder = mkdtempSync(join(tmpdir(), 'vlgym-python-'));
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-deps',
      '--no-build-isolation',
      '--target',
      folder,
      file('../python'),
    ];
    await run(python!, pip);
    const text = readFileSync(join(folder, 'vlgym', '_specs.json'), 'utf8');
    specs = (JSON.parse(text) as { environments: Spec[] }).environments.filter(({ id }) => !(id in NEED_MORE));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** `vlgym serve … --protocol gymnasium`, and the address that it prints. */
  async function serve(id: string, env: NodeJS.ProcessEnv, ...args: string[]) {
    const command = [file('../apps/cli/bin/vlgym.js'), 'serve', id, '--protocol', 'gymnasium', ...args];
    const child = spawn(process.execPath, command, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    servers.push(child);
    for await (const line of createInterface({ input: child.stdout }))
      return { child, address: line.split(' at ')[1]! };
    throw new Error('The server has ended.');
  }
  const servers: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of servers.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  const checks = (command: string, ...args: unknown[]) => checksWith(python!, command, ...args);

  async function checksWith(interpreter: string, command: string, ...args: unknown[]): Promise<unknown> {
    const script = [file('support/python/vlgym_checks.py'), command, JSON.stringify(args)];
    const { stdout } = await run(interpreter, script, {
      env: {
        ...process.env,
        PYTHONPATH: [folder, process.env.PYTHONPATH].filter(Boolean).join(':'),
        ...(DATA && { VLGYM_ALFWORLD_DATA: DATA }),
      },
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(stdout.trim().split('\n').at(-1)!);
  }

  it('passes check_env with warnings as errors, for every id', async () => {
    expect(
      await checks(
        'check',
        specs.map(({ id }) => id),
      ),
    ).toEqual({});
  });

  for (const [id, missing] of Object.entries(NEED_MORE)) {
    it.skipIf(missing)(`passes check_env: ${id}${missing && ` (skipped: ${missing})`}`, async () => {
      expect(await checks('check', [id])).toEqual({});
    });
  }

  const trainer = process.env.VLGYM_SB3_PYTHON;
  const noTrainer = trainer
    ? ''
    : ' (skipped: VLGYM_SB3_PYTHON names no Python with stable-baselines3 and gymnasium 1.4)';
  it.skipIf(!trainer)(
    `passes the checker of Stable-Baselines3, for every id of pictures and choices${noTrainer}`,
    async () => {
      const ids = specs.filter(
        (each) => each.observation_space.type === 'image' && each.action_space.type === 'discrete',
      );
      expect(ids.length).toBeGreaterThan(20);
      expect(
        await checksWith(
          trainer!,
          'stable_baselines',
          ids.map(({ id }) => id),
        ),
      ).toEqual({});
    },
  );

  it('plays 200 steps of every id and three seeds as Node does', async () => {
    const [steps, seeds] = [200, [1, 2, 3]];
    const there = (await checks(
      'digests',
      specs.map(({ id }) => id),
      steps,
      seeds,
    )) as Record<string, string>;
    const here: Record<string, string> = {};
    for (const { id, spec } of specs) {
      for (const seed of seeds) here[`${id} ${seed}`] = await digestOf(spec, seed, steps);
    }
    expect(there).toEqual(here);
  });

  it.each(['vlgym/Blackjack-v1', 'vlgym/NumberLine-v1'])(
    '%s: sync, async and our vector agree under every autoreset mode',
    async (id) => {
      const equal = { async: true, ours: true };
      expect(await checks('vectors', id, 3, 12)).toEqual({ NextStep: equal, SameStep: equal, Disabled: equal });
    },
  );

  it('a killed Node is a ConnectionError, and the next reset starts another', async () => {
    expect(await checks('killed', 'vlgym/Blackjack-v1')).toEqual({
      error: 'The Node process of the environment has ended with code -9; the next reset starts a new one.',
      equal: true,
    });
  });

  it.each(['a Unix socket', 'HTTP'])('plays over %s what it plays in a process of its own', async (way) => {
    const socket = join(folder, 'vlgym.sock');
    const how = way === 'HTTP' ? ['--port', '0'] : ['--socket', socket];
    const { address } = await serve('vlgym/NumberLine-v1', {}, ...how);
    expect(await checks('attached', 'vlgym/NumberLine-v1', address, 10)).toBe(true);
    const served = await checks('refused', 'vlgym/Blackjack-v1', address).catch((error: Error) => error.message);
    expect(served).toContain('The server does not serve "vlgym/Blackjack-v1"');
  });

  it('names what keeps it from a server: the token, nobody there', async () => {
    const { address } = await serve('vlgym/NumberLine-v1', { VLGYM_TOKEN: 'a-token-of-24-characters' }, '--port', '0');
    expect(await checks('refused', 'vlgym/NumberLine-v1', address)).toContain('401 Unauthorized; set VLGYM_TOKEN');
    expect(await checks('refused', 'vlgym/NumberLine-v1', 'unix:/nowhere/socket')).toContain('No server at unix:');
  });

  it('a server that stops or is killed is a ConnectionError within the time-out, and its successor is found', async () => {
    const { address, child } = await serve('vlgym/NumberLine-v1', {}, '--port', '0');
    const restart = [...child.spawnargs.slice(0, -1), new URL(address).port];
    const result = (await checks('server_lost', 'vlgym/NumberLine-v1', address, child.pid, restart)) as {
      again: number;
    };
    expect(result).toEqual({
      errors: [
        `The server at ${address} did not answer in time; the next reset connects again.`,
        `The server at ${address} is lost`,
        // the socket may die after the connection
        expect.stringMatching(/^No server at|is lost$/),
      ],
      again: expect.any(Number),
      follower: result.again,
    });
  });

  it('leaves what a vector gave out as it was', async () => {
    expect(await checks('memory', 3, 12)).toBe(true);
  });

  it('copies no pictures for a caller that drops them', async () => {
    // the pictures of a reset lie in the memory of their frame, so the first two steps need memory of their own
    expect(await checks('reuse', 10)).toEqual([2, 10]);
  });

  it.each([
    [12, 'with processes of its own'],
    [100, 'in a server'],
  ])('opens and closes %i times %s and leaves no descriptor, thread or process', async (rounds) => {
    const socket = join(folder, 'leaks.sock');
    const { address } = rounds < 100 ? { address: null } : await serve('vlgym/Blackjack-v1', {}, '--socket', socket);
    const { before, after } = (await checks('leaks', 'vlgym/Blackjack-v1', rounds, address)) as Record<
      'before' | 'after',
      [descriptors: number, threads: number, processes: number]
    >;
    expect(after[0]).toBeLessThanOrEqual(before[0]);
    expect(after[1]).toBeLessThanOrEqual(before[1]);
    expect(after[2]).toBe(0);
  });

  it('is pickled by its spec, restores snapshots, and never reuses what it returned', async () => {
    expect(await checks('copies', 'vlgym/Blackjack-v1')).toEqual({
      pickled: true,
      restored: true,
      kept: true,
      options: [300, 300, 3],
    });
  });

  it('samples actions as Node does', async () => {
    const ids = ['vlgym/Points24-v1', 'vlgym/ALFWorld-v1', 'vlgym/MiniWorld-CollectHealth-v0'];
    const here = [];
    for (const id of ids) {
      const env = await make(specs.find((each) => each.id === id)!.spec);
      env.actionSpace.seed(7);
      here.push(Array.from({ length: 5 }, () => String(env.actionSpace.sample())));
      await env.close();
    }
    expect(await checks('samples', ids)).toEqual(here);
  });

  it('speaks in prompts with pictures, for trainers of language models', async () => {
    expect(await checks('dialogue', 'vlgym/Points24-v1')).toEqual({
      kinds: ['image', 'text'],
      legal: [false, true],
      hint: true,
      urls: ['data:image/png;base64,'],
    });
  });
});

/** The same bytes as `digests` in vlgym_checks.py. */
async function digestOf(id: string, seed: number, steps: number): Promise<string> {
  const env = await make(id);
  const hash = createHash('sha256');
  env.actionSpace.seed(seed);
  feed(hash, (await env.reset({ seed })).observation);
  for (let step = 0; step < steps; step += 1) {
    const { observation, reward, terminated, truncated } = await env.step(env.actionSpace.sample());
    feed(hash, observation);
    hash
      .update(new Uint8Array(Float64Array.of(reward).buffer))
      .update(Uint8Array.of(Number(terminated), Number(truncated)));
    if (terminated || truncated) feed(hash, (await env.reset()).observation);
  }
  await env.close();
  return hash.digest('hex');
}

function feed(hash: Hash, value: unknown): void {
  if (isImage(value)) hash.update(value.data);
  else if (ArrayBuffer.isView(value)) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  else if (Array.isArray(value)) for (const each of value) feed(hash, each);
  else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value).sort()) feed(hash, (value as Record<string, unknown>)[key]);
  } else hash.update(String(value));
}
