/**
 * Two processes with equal options are one run: their gradients are those of one process with the whole batch, their
 * metrics are equal, and what one rank writes all can continue.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { UpdateRecord } from '@vlgym/rl';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 300_000 });

const child = fileURLToPath(new URL('./algos-ranks-child.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

interface Outcome {
  readonly rank: number;
  readonly digest: string;
  readonly weights: Readonly<Record<string, readonly number[]>>;
  readonly records: readonly UpdateRecord[];
}

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-ranks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly errors: string;
}

async function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const process = spawn(globalThis.process.execPath, ['--import', tsx, child, ...args], {
    stdio: 'pipe',
    env: { ...globalThis.process.env, ...env },
  });
  const [output, errors, [code, signal]] = await Promise.all([
    text(process.stdout),
    text(process.stderr),
    once(process, 'close') as Promise<[number | null, string | null]>,
  ]);
  return { code, signal, output, errors };
}

async function startRanks(size: number, args: readonly string[], faults: readonly string[] = []): Promise<Ended[]> {
  const port = String(await freePort());
  const ranks = Array.from({ length: size }, (_, rank) =>
    start([...args, ...(faults[rank] ? [faults[rank]] : [])], {
      RANK: String(rank),
      WORLD_SIZE: String(size),
      MASTER_ADDR: '127.0.0.1',
      MASTER_PORT: port,
    }),
  );
  return Promise.all(ranks);
}

function outcome({ code, output, errors }: Ended): Outcome {
  expect(code, errors).toBe(0);
  return JSON.parse(output) as Outcome;
}

function largestDifference(a: Outcome['weights'], b: Outcome['weights']): number {
  expect(Object.keys(a)).toEqual(Object.keys(b));
  return Math.max(...Object.keys(a).flatMap((name) => a[name]!.map((value, i) => Math.abs(value - b[name]![i]!))));
}

/** Metrics that are functions of seed and configuration. */
const figures = ({ metrics }: UpdateRecord) =>
  Object.fromEntries(Object.entries(metrics).filter(([name]) => !name.startsWith('time/')));

const PRESETS = ['rl4vlm', 'vl-dac', 'gtr-turbo-kl', 'gtr-turbo-sft', 'grpo', 'dapo', 'loop', 'rloo', 'gigpo'];

describe.each(PRESETS)('%s', (preset) => {
  it('learns the same in two processes as in one, to rounding of float64', async () => {
    const [whole, ranks] = await Promise.all([start([preset, '-', '2']), startRanks(2, [preset, '-', '2'])]);
    const one = outcome(whole);
    const [first, second] = ranks.map(outcome) as [Outcome, Outcome];
    expect(first.digest).toBe(second.digest);
    expect(largestDifference(one.weights, first.weights)).toBeLessThan(1e-9);
    expect(second.records).toEqual([]);
    expect(first.records).toHaveLength(one.records.length);
    for (const [index, record] of first.records.entries()) {
      const [theirs, ours] = [figures(record), figures(one.records[index]!)];
      expect(Object.keys(theirs)).toEqual(Object.keys(ours));
      for (const [name, value] of Object.entries(ours)) expect(theirs[name], name).toBeCloseTo(value, 6);
    }
  });
});

it('a killed rank ends the others with a clear error, and the continued run is the undisturbed one', async () => {
  const whole = (await startRanks(2, ['vl-dac', join(folder, 'whole'), '4'])).map(outcome);
  const broken = join(folder, 'broken');
  const [killed, survivor] = (await startRanks(2, ['vl-dac', broken, '4'], ['die'])) as [Ended, Ended];
  expect(killed.signal).toBe('SIGKILL');
  expect(survivor.code).toBe(1);
  expect(survivor.errors).toContain('PROCESS_GROUP_FAILED');
  const continued = (await startRanks(2, ['vl-dac', broken, '4'])).map(outcome);
  expect(continued.map(({ digest }) => digest)).toEqual(whole.map(({ digest }) => digest));
});

it.each([
  ['another seed', 'other-seed'],
  ['other observations', 'other-picture'],
])('a rank with %s is refused', async (_, fault) => {
  const ranks = await startRanks(2, ['vl-dac', '-', '1'], ['', fault]);
  for (const { code, errors } of ranks) {
    expect(code).toBe(1);
    expect(errors).toContain('RANKS_DIFFER');
  }
});
