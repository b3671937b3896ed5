/** The Python package `vlgym`: Gymnasium's own checks, and the same episodes as in Node. */
import { join } from 'node:path';
import { make } from '@vlgym/core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import './support/environments.js';
import { digestsOf } from './support/episode-digest.js';
import { type GymnasiumServer, serveGymnasium } from './support/gymnasium-server.js';
import { GYMNASIUM, NEED_MORE, PythonPackage, type Spec } from './support/python-package.js';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

const { python, reason } = GYMNASIUM;

/** An id of each package that needs nothing else. */
const EACH_PACKAGE = [
  'vlgym/Blackjack-v1',
  'vlgym/MiniGrid-DoorKey-6x6-v0',
  'vlgym/Sokoban-v2',
  'vlgym/CrafterReward-v1',
  'vlgym/MiniWorld-Hallway-v0',
  'vlgym/ALFWorld-v1',
  'vlgym/WebShop-v1',
  'vlgym/Canary-v1',
];

describe.skipIf(!python)(`the Python package${reason && ` (skipped: ${reason})`}`, () => {
  let installed: PythonPackage;
  let specs: readonly Spec[];
  /** Serves every id, without threads. */
  let all: GymnasiumServer;

  beforeAll(async () => {
    installed = await PythonPackage.install();
    specs = installed.specs.filter(({ id }) => !(id in NEED_MORE));
    const socket = join(installed.folder, 'all.sock');
    all = await serveGymnasium([...specs.map(({ spec }) => spec), '--no-threads', '--socket', socket]);
  });
  afterAll(async () => {
    await all?.end();
    installed.remove();
  });

  const servers: GymnasiumServer[] = [];
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const server of servers.splice(0)) await server.end();
  });
  async function serve(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<GymnasiumServer> {
    const server = await serveGymnasium(args, env);
    servers.push(server);
    return server;
  }
  let sockets = 0;
  const serveAtSocket = (...args: string[]) => {
    sockets += 1; // a killed server leaves its file
    return serve([...args, '--socket', join(installed.folder, `${sockets}.sock`)]);
  };

  const checks = (command: string, ...args: unknown[]) => installed.check(command, args);

  it('passes check_env with warnings as errors, for every id', async () => {
    // in a server: the check makes an environment four times, and most of its time would be starts of Node
    const players = specs.map(({ id }) => [id, { connect: all.address }]);
    expect(await checks('check', players)).toEqual({});
  });

  it('passes check_env in processes of its own, for an id of each package', async () => {
    expect(
      await checks(
        'check',
        EACH_PACKAGE.map((id) => [id, {}]),
      ),
    ).toEqual({});
  });

  for (const [id, missing] of Object.entries(NEED_MORE)) {
    // half a minute of processor time where ALFWorld's own engine loads its games
    const asked = id.includes('Python') && !process.env.VLGYM_ALFWORLD_PYTHON ? 'VLGYM_ALFWORLD_PYTHON is not set' : '';
    const reason = missing || asked;
    it.skipIf(reason)(`passes check_env: ${id}${reason && ` (skipped: ${reason})`}`, async () => {
      const { spec, options, variables } = installed.player(id);
      const how = ['--no-threads', '--env-options', JSON.stringify(options), '--port', '0'];
      const { address } = await serve([spec, ...how], variables);
      expect(await checks('check', [[id, { connect: address }]])).toEqual({});
    });

    it.skipIf(missing)(`plays 12 steps as Node does: ${id}${missing && ` (skipped: ${missing})`}`, async () => {
      const player = installed.player(id);
      const { options, variables } = player;
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
      const [there, here] = await Promise.all([
        installed.check('digests', [[[id, options]], [[1, 12]]], { variables }),
        digestsOf(player, [[1, 12]]),
      ]);
      expect(there).toEqual({ [id]: here });
    });
  }

  const trainer = process.env.VLGYM_SB3_PYTHON;
  const noTrainer = trainer
    ? ''
    : ' (skipped: VLGYM_SB3_PYTHON names no Python with stable-baselines3 and gymnasium 1.4)';
  it.skipIf(!trainer)(
    `passes the checker of Stable-Baselines3, for every id of pictures and choices${noTrainer}`,
    async () => {
      const ids = specs
        .filter((each) => each.observation_space.type === 'image' && each.action_space.type === 'discrete')
        .map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(20);
      expect(await installed.check('stable_baselines', [ids], { python: trainer! })).toEqual({});
    },
  );

  // 200 steps of every seed and every id, each in a process of its own: test/parity/run.ts
  it('plays every id, of the many grid worlds every eighth, as Node does: 200 steps of one seed, 20 of two others', async () => {
    const chosen = specs.filter(({ id }, index) => !/(MiniGrid|BabyAI)-/.test(id) || index % 8 === 0);
    const episodes = [
      [1, 200],
      [2, 20],
      [3, 20],
    ] as const;
    const served = chosen.map(({ id }) => [id, { connect: all.address }]);
    const playing = checks('digests', served, episodes);
    const here: Record<string, readonly string[]> = {};
    for (const { id, spec } of chosen) here[id] = await digestsOf({ spec, options: {} }, episodes);
    expect(await playing).toEqual(here);
  });

  it('plays in processes of its own as Node does, an id of each package', async () => {
    const here: Record<string, readonly string[]> = {};
    for (const id of EACH_PACKAGE) {
      here[id] = await digestsOf({ spec: installed.player(id).spec, options: {} }, [[1, 50]]);
    }
    const own = EACH_PACKAGE.map((id) => [id, {}]);
    expect(await checks('digests', own, [[1, 50]])).toEqual(here);
  });

  it.each([
    ['vlgym/Blackjack-v1', 'in separate processes'],
    ['vlgym/NumberLine-v1', 'in a server'],
  ])('%s: sync, async and our vector agree under every autoreset mode, %s', async (id, where) => {
    const connect = where === 'in a server' ? { connect: (await serveAtSocket(id)).address } : {};
    const equal = { async: true, ours: true };
    expect(await checks('vectors', id, 3, 12, connect)).toEqual({ NextStep: equal, SameStep: equal, Disabled: equal });
  });

  it('a killed Node is a ConnectionError, and the next reset starts another', async () => {
    expect(await checks('killed', 'vlgym/Blackjack-v1')).toEqual({
      error: 'The Node process of the environment has ended with code -9; the next reset starts a new one.',
      equal: true,
    });
  });

  it.each(['a Unix socket', 'HTTP'])('plays over %s what it plays in a process of its own', async (way) => {
    const id = 'vlgym/NumberLine-v1';
    const { address } = await (way === 'HTTP' ? serve([id, '--port', '0']) : serveAtSocket(id));
    expect(await checks('attached', id, address, 10)).toBe(true);
    const served = await checks('refused', 'vlgym/Blackjack-v1', address).catch((error: Error) => error.message);
    expect(served).toContain('The server does not serve "vlgym/Blackjack-v1"');
  });

  it('names what keeps it from a server: the token, nobody there', async () => {
    const { address } = await serve(['vlgym/NumberLine-v1', '--port', '0'], {
      VLGYM_TOKEN: 'a-token-of-24-characters',
    });
    expect(await checks('refused', 'vlgym/NumberLine-v1', address)).toContain('401 Unauthorized; set VLGYM_TOKEN');
    expect(await checks('refused', 'vlgym/NumberLine-v1', 'unix:/nowhere/socket')).toContain('No server at unix:');
  });

  it('a server that stops or is killed is a ConnectionError within the time-out, and its successor is found', async () => {
    const { address, child } = await serve(['vlgym/NumberLine-v1', '--port', '0']);
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

  it.each(['a Unix socket', 'HTTP'])(
    'over %s a stopped client loses its place, one that thinks keeps it',
    async (way) => {
      const id = 'vlgym/NumberLine-v1';
      const args = [id, '--max-sessions', '2', '--ping-seconds', '1.5'];
      const { address } = await (way === 'HTTP' ? serve([...args, '--port', '0']) : serveAtSocket(...args));
      expect(await checks('stopped', id, address)).toEqual({
        refused: expect.stringContaining('2/2 sessions active'),
        // over HTTP the system may drop the reason, or deliver it as the answer
        lost:
          way === 'HTTP'
            ? expect.stringMatching(/is lost|^The client was silent for 3 s; the connection was closed\.$/)
            : expect.stringContaining('is lost (The client was silent for 3 s; the connection was closed.)'),
        equal: true,
      });
    },
  );

  it('leaves what a vector gave out as it was', async () => {
    expect(await checks('memory', 3, 12)).toBe(true);
  });

  it('copies no pictures for a caller that drops them', async () => {
    // the pictures of a reset lie in the memory of their frame, so the first two steps need separate memory
    expect(await checks('reuse', 10)).toEqual([2, 10]);
  });

  // 1,000 times: test/parity/run.ts
  it.each([
    [6, 'with processes of its own'],
    [100, 'in a server'],
  ])('opens and closes %i times %s and leaves no descriptor, thread or process', async (rounds, where) => {
    const id = 'vlgym/Blackjack-v1';
    const address = where === 'in a server' ? (await serveAtSocket(id)).address : null;
    const { before, after } = (await checks('leaks', id, rounds, address)) as Record<
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
