/** `vlgym serve` and `vlgym mcp` with the programs that people use: the published clients in Python and TypeScript. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { make } from '@vlgym/core';
import '@vlgym/points24';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pythonEnvironment } from './support/python-environment.js';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const CLI = file('../apps/cli/bin/vlgym.js');
const BLOCKING = file('../packages/serve/test-support/blocking-env.mjs');
const run = promisify(execFile);

// every test starts a server, and most a Python with a hundred packages
vi.setConfig({ testTimeout: 240_000 });

const openenv = pythonEnvironment(['openenv==0.10.0']);
const mcp = pythonEnvironment(['mcp==2.3.0']);

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** Starts `vlgym …` and returns the address that it prints. */
async function start(stream: 'stdout' | 'stderr', ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  for await (const line of createInterface({ input: child[stream]! })) {
    const [address] = /http:\/\/\S+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`vlgym ${args.join(' ')} has ended`);
}

async function python(
  peer: { readonly python: string | undefined },
  script: string,
  ...args: string[]
): Promise<unknown> {
  const { stdout } = await run(peer.python!, [file(`support/python/${script}.py`), ...args], { timeout: 200_000 });
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

describe.skipIf(!openenv.python)(
  `the published OpenEnv client${openenv.reason && ` (skipped: ${openenv.reason})`}`,
  () => {
    it('plays an episode with the rewards of the environment, and the validator passes 6 of 6', async () => {
      const url = await start('stdout', 'serve', 'vlgym/Points24-v1', '--port', '0');
      const actions = ['(', '7', '+'];
      const replies = actions.map((action) => ({ thoughts: '', action }));
      const env = await make('vlgym/Points24-v1');
      let seen = await env.reset({ seed: 7 });
      const steps: unknown[] = [];
      for (const reply of replies) {
        const parsed = env.dialogue!.parse(JSON.stringify(reply), { ...seen, history: [] });
        const result = await env.step(parsed.action!);
        seen = result;
        steps.push([result.reward, result.terminated || result.truncated, parsed.legal]);
      }
      expect(await python(openenv, 'openenv_client', 'play', url, JSON.stringify(replies))).toEqual({
        images: 1,
        reward: null,
        done: false,
        steps,
        step_count: 3,
        seed: 7,
      });
      expect(await python(openenv, 'openenv_client', 'validate', url)).toMatchObject({
        passed_count: 6,
        total_count: 6,
      });
    });

    it.each(['vlgym/Blackjack-v1', 'MiniWorld-Hallway-v0', 'vlgym/ALFWorld-v1', 'vlgym/WebShop-v1'])(
      'drives %s',
      async (id) => {
        const url = await start('stdout', 'serve', id, '--port', '0');
        expect(await python(openenv, 'openenv_client', 'play', url, '[{"text": "look"}]')).toMatchObject({
          reward: null,
          done: false,
          seed: 7,
          step_count: 1,
        });
      },
    );

    it('is refused beyond the capacity with the recorded words, and served when a place is free', async () => {
      const url = await start('stdout', 'serve', 'vlgym/Blackjack-v1', '--port', '0', '--max-sessions', '2');
      expect(await python(openenv, 'openenv_client', 'capacity', url)).toEqual({
        refused:
          'Server error: Server at capacity: 2/2 sessions active. Cannot accept new connections. (code: CAPACITY_REACHED)',
        served: true,
      });
    });

    it('calls tools over HTTP and steps over its socket in one environment', async () => {
      const url = await start('stdout', 'serve', 'vlgym/Points24-v1', '--port', '0');
      expect(await python(openenv, 'openenv_client', 'tools', url)).toEqual({
        names: ['act', 'observe'],
        legal: true,
        reward: 0,
        steps: 1,
      });
    });

    it('that is killed leaves its place to the next', async () => {
      const url = await start('stdout', 'serve', 'vlgym/Blackjack-v1', '--port', '0', '--max-sessions', '1');
      const holder = spawn(openenv.python!, [file('support/python/openenv_client.py'), 'hold', url], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      children.push(holder);
      await once(holder.stdout!, 'data');
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      expect(await python(openenv, 'openenv_client', 'play', url, '[]')).toMatchObject({ done: false });
    });
  },
);

describe.skipIf(!mcp.python)(`the official MCP client for Python${mcp.reason && ` (skipped: ${mcp.reason})`}`, () => {
  const expected = { kinds: ['text', 'image'], seed: 7, reward: 0, step: 1 };

  it('plays over HTTP', async () => {
    const url = await start('stderr', 'mcp', 'vlgym/Points24-v1', '--port', '0');
    expect(await python(mcp, 'mcp_client', 'http', url)).toEqual(expected);
  });

  it('plays over standard input and output', async () => {
    expect(await python(mcp, 'mcp_client', 'stdio', process.execPath, CLI, 'mcp', 'vlgym/Points24-v1')).toEqual(
      expected,
    );
  });
});

describe.each(['modern', 'legacy'] as const)(
  'the official MCP client over standard input and output, %s era',
  (era) => {
    it('plays an environment that prints there, and the server ends with its host', async () => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [CLI, 'mcp', 'test/Blocking-v0', '--import', BLOCKING],
        stderr: 'ignore',
      });
      const client = new Client(
        { name: 'test', version: '1.0.0' },
        era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
      );
      await client.connect(transport);
      const { pid } = transport;
      const call = async (name: string, args: Record<string, unknown>) =>
        (await client.callTool({ name, arguments: args })) as { structuredContent?: Record<string, unknown> };
      await call('reset', { seed: 7 });
      for (let step = 1; step <= 3; step += 1) {
        expect((await call('act', { action: '0' })).structuredContent).toMatchObject({ step, reward: 0.5 });
      }
      await client.close();
      expect(() => process.kill(pid!, 0)).toThrow();
    });
  },
);
