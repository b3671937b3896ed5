/** `vlgym serve` and `vlgym mcp` with the programs that people use: the published clients in Python and TypeScript. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { make, registeredIds } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import { digestObservation } from '@vlgym/core/trajectory';
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/serve';
import '@vlgym/webshop';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from './support/free-port.js';
import { pythonEnvironment } from './support/python-environment.js';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const CLI = file('../apps/cli/bin/vlgym.js');
const BLOCKING = file('../packages/serve/test-support/blocking-env.mjs');
const run = promisify(execFile);

// every test starts a server, and most a Python with a hundred packages
vi.setConfig({ testTimeout: 240_000 });

const openenv = pythonEnvironment(['openenv==0.10.0']);
const mcp = pythonEnvironment(['mcp==2.3.0']);

/** Milliseconds between two looks at another process. */
const POLL = 50;

/** These need a browser, a Python with ALFWorld, or ALFWorld's own games. */
const NEED_MORE = /^(vlgym\/(WebShopBrowser|Arcade|MiniWoB)|alfworld\/)/;

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

const spawned = (command: string, args: readonly string[]): ChildProcess => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
};

/** Starts `vlgym …` and returns the addresses that it prints, one for each environment. */
async function addresses(stream: 'stdout' | 'stderr', count: number, args: readonly string[]): Promise<string[]> {
  const child = spawned(process.execPath, [CLI, ...args]);
  const found: string[] = [];
  let words = '';
  child.stderr!.on('data', (piece) => {
    words += String(piece);
  });
  for await (const line of createInterface({ input: child[stream]! })) {
    found.push(...(/http:\/\/\S+/.exec(line) ?? []));
    if (found.length === count) return found;
  }
  throw new Error(`vlgym ${args.join(' ')} has ended: ${words}`);
}
const start = async (stream: 'stdout' | 'stderr', ...args: string[]): Promise<string> =>
  (await addresses(stream, 1, args))[0]!;
const startMany = (command: string, ...args: string[]) =>
  addresses(
    'stdout',
    args.findIndex((each) => each.startsWith('--')),
    [command, ...args],
  );

describe.skipIf(!openenv.python)(
  `the published OpenEnv client${openenv.reason && ` (skipped: ${openenv.reason})`}`,
  () => {
    let client: ChildProcess;
    let answers: AsyncIterator<string>;
    beforeAll(() => {
      const script = file('support/python/openenv_client.py');
      client = spawn(openenv.python!, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
      answers = createInterface({ input: client.stdout! })[Symbol.asyncIterator]();
    });
    afterAll(() => void client.kill('SIGKILL'));

    /** Sends a command to the client. @returns Its answer. */
    async function openenvClient(command: string, ...args: unknown[]): Promise<unknown> {
      client.stdin!.write(`${JSON.stringify([command, ...args])}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`openenv_client.py has ended at ${command}`);
      return JSON.parse(value);
    }

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
      expect(await openenvClient('play', url, replies)).toEqual({
        images: 1,
        reward: null,
        done: false,
        steps,
        step_count: 3,
        seed: 7,
      });
      expect(await openenvClient('validate', url)).toMatchObject({
        passed_count: 6,
        total_count: 6,
      });
    });

    it('drives every environment that needs nothing else, each under its name in one server', async () => {
      const ids = registeredIds().filter((id) => !id.startsWith('openenv:') && !NEED_MORE.test(id));
      const urls = await startMany('serve', ...ids, '--port', '0', '--no-threads');
      expect(urls.length).toBe(ids.length);
      const expected = urls.map((url) => [new URL(url).pathname.slice(1), [null, false, 7, 1]]);
      expect(await openenvClient('drive', urls)).toEqual(Object.fromEntries(expected));
    });

    it('is refused beyond the capacity with the recorded words, and served when a place is free', async () => {
      const url = await start('stdout', 'serve', 'vlgym/Blackjack-v1', '--port', '0', '--max-sessions', '2');
      expect(await openenvClient('capacity', url)).toEqual({
        refused:
          'Server error: Server at capacity: 2/2 sessions active. Cannot accept new connections. (code: CAPACITY_REACHED)',
        served: true,
      });
    });

    it('calls tools over HTTP and steps over its socket in one environment', async () => {
      const url = await start('stdout', 'serve', 'vlgym/Points24-v1', '--port', '0');
      expect(await openenvClient('tools', url)).toEqual({
        names: ['act', 'observe'],
        legal: true,
        reward: 0,
        steps: 1,
      });
    });

    it('that is killed leaves its place to the next', async () => {
      const url = await start('stdout', 'serve', 'vlgym/Blackjack-v1', '--port', '0', '--max-sessions', '1');
      const holder = (await openenvClient('hold', url)) as number;
      process.kill(holder, 'SIGKILL');
      while (isRunning(holder)) await setTimeout(POLL);
      expect(await openenvClient('play', url, [])).toMatchObject({ done: false });
    });
  },
);

describe('our OpenEnv client', () => {
  it('reads that its server was killed, and the next reset plays in the one that follows', async () => {
    const url = await start('stdout', 'serve', 'vlgym/Blackjack-v1', '--port', '0', '--face', 'native');
    const env = await make(`openenv:${url}`);
    const first = await env.reset({ seed: 7 });
    children[0]!.kill('SIGKILL');
    await once(children[0]!, 'exit');
    await expect(env.step(1)).rejects.toMatchObject({ code: 'REMOTE_LOST' });
    await expect(env.reset({ seed: 7 })).rejects.toMatchObject({ code: 'REMOTE_LOST' });
    await start('stdout', 'serve', 'vlgym/Blackjack-v1', '--port', new URL(url).port, '--face', 'native');
    const again = await env.reset({ seed: 7 });
    expect(digestObservation(again.observation)).toBe(digestObservation(first.observation));
    await env.close();
  });
});

describe.skipIf(!openenv.python)(
  `our client with the library's own server${openenv.reason && ` (skipped: ${openenv.reason})`}`,
  () => {
    /** `reference_server.py`, with which the golden frames were recorded. */
    async function reference(kind: string): Promise<string> {
      const port = await freePort();
      const child = spawned(openenv.python!, [file('golden/openenv/reference_server.py'), kind, String(port)]);
      const ended = once(child, 'exit').then(() => Promise.reject(new Error(`reference_server.py ${kind} has ended`)));
      const url = `http://127.0.0.1:${port}`;
      const answers = async () => {
        while (!(await fetch(`${url}/health`).catch(() => undefined))?.ok) await setTimeout(POLL);
      };
      await Promise.race([answers(), ended]);
      ended.catch(() => {});
      return url;
    }

    it('plays an episode of its environment, and reads its errors', async () => {
      const env = await make(`openenv:${await reference('count')}`);
      expect(env.actionSpace.contains({ value: 3 })).toBe(true);
      expect(env.actionSpace.contains({ value: 10 })).toBe(false);
      expect((await env.reset({ seed: 7, options: { level: 'hard' } })).observation).toEqual({
        text: 'Reach 12',
        total: 0,
      });
      expect(await env.step({ value: 5 })).toMatchObject({ observation: { total: 5 }, reward: 0, terminated: false });
      expect(await env.step({ value: 7 })).toMatchObject({ reward: 1, terminated: true, truncated: false });
      await env.reset({ seed: 1 });
      await expect(env.step({ value: 9 })).rejects.toMatchObject({ code: 'REMOTE_ERROR' });
      expect(await env.step({ value: 1 })).toMatchObject({ observation: { total: 1 } });
      await env.close();
    });

    it('calls the tools of its environment as actions', async () => {
      const env = await make(`openenv:${await reference('mcp')}`);
      await env.reset({ seed: 7 });
      const call = { type: 'call_tool', tool_name: 'add', arguments: { value: 4 } };
      expect(env.actionSpace.contains(call)).toBe(true);
      const { observation } = await env.step(call);
      expect(observation).toMatchObject({ tool_name: 'add', error: null });
      expect(JSON.stringify(observation)).toContain('total 4');
      await env.close();
    });
  },
);

describe.skipIf(!mcp.python)(`the official MCP client for Python${mcp.reason && ` (skipped: ${mcp.reason})`}`, () => {
  const actions = [14, 3, 10];

  it.each(['HTTP', 'standard input and output'])('plays over %s with the digests of the environment', async (way) => {
    const env = await make('vlgym/Points24-v1');
    const { labels } = env.actionSpace as { labels?: readonly string[] };
    const played = [{ digest: digestObservation((await env.reset({ seed: 7 })).observation), reward: 0 }];
    for (const action of actions) {
      const { observation, reward } = await env.step(action);
      played.push({ digest: digestObservation(observation), reward });
    }
    const words = JSON.stringify(actions.map((action) => labels![action]));
    const how =
      way === 'HTTP'
        ? ['http', words, await start('stderr', 'mcp', 'vlgym/Points24-v1', '--port', '0')]
        : ['stdio', words, process.execPath, CLI, 'mcp', 'vlgym/Points24-v1'];
    const { stdout } = await run(mcp.python!, [file('support/python/mcp_client.py'), ...how], { timeout: 200_000 });
    const results = JSON.parse(stdout.trim().split('\n').at(-1)!) as {
      kinds: string[];
      picture: string;
      reward: unknown;
    }[];
    for (const { kinds } of results) expect(kinds).toEqual(['text', 'image']);
    const seen = results.map(({ picture, reward }) => {
      const pixels = decodePng(new Uint8Array(Buffer.from(picture, 'base64')));
      return { digest: digestObservation(pixels), reward };
    });
    expect(seen).toEqual(played);
  });
});

interface Called {
  readonly content: readonly { readonly type: string; readonly data?: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

describe.each(['modern', 'legacy'] as const)(
  'the official MCP client over standard input and output, %s era',
  (era) => {
    it('plays an environment that prints there, and the server ends with its host', async () => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [CLI, 'mcp', 'test/Blocking-v0', 'vlgym/Points24-v1', '--import', BLOCKING],
        stderr: 'ignore',
      });
      const client = new Client(
        { name: 'test', version: '1.0.0' },
        era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
      );
      await client.connect(transport);
      const { pid } = transport;
      const call = async (name: string, args: Record<string, unknown>) =>
        (await client.callTool({ name, arguments: args })) as unknown as Called;
      await call('reset', { env: 'Blocking-v0', seed: 7 });
      for (let step = 1; step <= 3; step += 1) {
        expect((await call('act', { action: '0' })).structuredContent).toMatchObject({ step, reward: 0.5 });
      }
      const env = await make('vlgym/Points24-v1');
      const picture = ({ content }: Called) => {
        const { data } = content.find(({ type }) => type === 'image')!;
        return digestObservation(decodePng(new Uint8Array(Buffer.from(data!, 'base64'))));
      };
      const first = await env.reset({ seed: 7 });
      expect(picture(await call('reset', { env: 'Points24-v1', seed: 7 }))).toBe(digestObservation(first.observation));
      const { labels } = env.actionSpace as { labels?: readonly string[] };
      for (const action of [14, 3, 10]) {
        const [here, there] = [await env.step(action), await call('act', { action: labels![action]! })];
        expect(picture(there)).toBe(digestObservation(here.observation));
        expect(there.structuredContent).toMatchObject({ reward: here.reward, terminated: here.terminated });
      }
      await client.close();
      while (isRunning(pid!)) await setTimeout(POLL);
    });
  },
);

it('an MCP server over standard input and output ends when its host is killed', async () => {
  const program = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) + '\\n');
    child.stdout.once('data', () => console.log(child.pid));
  `;
  const host = spawned(process.execPath, ['-e', program, CLI, 'mcp', 'vlgym/Blackjack-v1']);
  const [pid] = (await once(host.stdout!, 'data')).map(Number) as [number];
  expect(isRunning(pid)).toBe(true);
  host.kill('SIGKILL');
  while (isRunning(pid)) await setTimeout(POLL);
});

/** A process that has ended but whose parent has not looked is not running. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
