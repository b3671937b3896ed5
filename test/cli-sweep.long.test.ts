/** A sweep as a person runs it: by rungs, stopped in between, continued by the same command, refused for another. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endAtMessage } from './support/self-ending.js';
import { vlgym } from './support/vlgym.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

interface Sweep {
  readonly points: readonly { readonly name: string; readonly values: Record<string, unknown> }[];
  readonly rungs: readonly {
    readonly updates: number;
    readonly scores: Record<string, { score?: number; error?: string }[]>;
  }[];
}

let out = '';
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'vlgym-sweep-'));
});
afterAll(() => rm(out, { recursive: true, force: true }));

const small = '--updates 2 --steps-per-update 8 --num-envs 4 --evaluation-episodes 4 --warm-start-examples 64';
const command = (...more: string[]) => searching('halving', ...more);
const searching = (search: string, ...more: string[]) => [
  ...[
    'sweep',
    'vl-dac',
    '--env',
    'vlgym/NumberLine-v1',
    ...small.split(' '),
    '--search',
    search,
    '--samples',
    '3',
    '--out',
    out,
  ],
  ...['--over', 'optimizer.learningRate.initial=log:1e-5..1e-3', '--jobs', '1', ...more],
];
const file = () => JSON.parse(readFileSync(join(out, 'sweep.json'), 'utf8')) as Sweep;

describe('vlgym sweep', () => {
  it('makes no score of a failure: it ends, and the same command tries again', async () => {
    const { code, stdout, stderr } = await vlgym(command(), { env: endAtMessage('update', 2, 'SIGKILL') });
    expect(stderr).toContain('3 runs failed; the same command tries again, --give-up-failed goes on without them');
    expect(stdout).not.toContain('moves the mean');
    expect(existsSync(join(out, 'sweep.json'))).toBe(false);
    expect(code).toBe(1);
  });

  it('trains on with the better points', async () => {
    const { code, stdout, stderr } = await vlgym(command());
    expect(`${stdout}${stderr}`).toContain('sweep vl-dac on vlgym/NumberLine-v1: 3 points, 1 seed, 1 → 2 updates');
    const { points, rungs } = file();
    expect(points.map(({ name }) => name)).toEqual(['p1', 'p2', 'p3']);
    expect(rungs.map(({ updates, scores }) => [updates, Object.keys(scores).length])).toEqual([
      [1, 3],
      [2, 1],
    ]);
    expect(stdout).toMatch(/point +optimizer\.learningRate\.initial +success +by seed +updates\np\d /);
    expect(stdout).toContain('moves the mean by');
    const page = readFileSync(join(out, 'sweep.html'), 'utf8');
    expect(page).toContain('<svg class="chart"');
    expect(page).toContain(points[0]!.name);
    expect(code).toBe(0);
    const set = JSON.parse(readFileSync(join(out, 'vl-dac_p1-0', 'run.json'), 'utf8')).effective.set;
    expect(set).toEqual({
      optimizer: { learningRate: { initial: points[0]!.values['optimizer.learningRate.initial'] } },
    });
  });

  it('repeats nothing when it is done', async () => {
    const before = file();
    const { code, stderr } = await vlgym(command());
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/updates\/s/);
    expect(file()).toEqual(before);
  });

  it.each<[args: string[], code: number, says: RegExp]>([
    [['--sample-seed', '1'], 1, /is a sweep with another --sample-seed/],
    [['--over', 'loss.clipHihg=0.1,0.2'], 1, /clipHihg/],
  ])('refuses %j', async (args, exitCode, says) => {
    const { code, stderr } = await vlgym(command(...args));
    expect(stderr).toMatch(says);
    expect(code).toBe(exitCode);
  });

  it('refuses a number of samples for a grid', async () => {
    const { code, stderr } = await vlgym(searching('grid'));
    expect(stderr).toMatch(/--samples \d+ is not used by --search grid/);
    expect(code).toBe(2);
  });

  it('finds a mistake before anything is written', async () => {
    const other = `${out}-other`;
    const { code } = await vlgym(['sweep', 'vl-dac', '--over', 'loss.clipLow=0.1,no', '--out', other]);
    expect(code).toBe(1);
    expect(existsSync(other)).toBe(false);
  });
});
