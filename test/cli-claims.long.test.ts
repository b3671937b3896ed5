/** A design as a person runs it: its processes are killed and stopped, the same command continues, the cells say what holds. */
import { existsSync, readFileSync, watch } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endAtMessage } from './support/self-ending.js';
import { vlgym } from './support/vlgym.js';
import { ROOT } from './support/workspaces.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const PILOT = join(ROOT, 'docs/claims/pilot.json');

interface Cells {
  readonly digest: string;
  readonly configs: Readonly<Record<string, { readonly config: object; readonly origins: Record<string, string> }>>;
  readonly machines: readonly object[];
  readonly runs: readonly {
    readonly status: string;
    readonly arm: string;
    readonly block: string;
    readonly warmStart: number;
    readonly start?: string;
    readonly cells: readonly { readonly task: string; readonly seed: number }[];
  }[];
}

let out = '';
let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-claims-'));
  out = join(home, 'pilot');
});
afterAll(() => rm(home, { recursive: true, force: true }));

const bench = (design = PILOT, ...more: string[]) => [
  'bench',
  '--design',
  design,
  '--out',
  out,
  '--jobs',
  '1',
  ...more,
];
const cells = () => JSON.parse(readFileSync(join(out, 'cells.json'), 'utf8')) as Cells;
const finished = () =>
  (existsSync(join(out, 'cells.json')) ? cells().runs : []).filter((run) => run.status === 'finished');

describe('vlgym bench --design, then vlgym claims', () => {
  it('lists runs that were killed, scores none of them, and stops after as many as the design says', async () => {
    const killed = await vlgym(bench(), { env: endAtMessage('update', 2, 'SIGKILL') });
    expect(killed.stdout).toMatch(/^design A pilot in seconds\nsha256:[0-9a-f]{64}$/m);
    expect(killed.stderr).toContain('2 runs failed in this call; 4 runs not finished');
    expect(killed.code).toBe(1);
    const { code, stdout } = await vlgym(['claims', out]);
    expect(stdout).toContain('pilot: for spread and budget only, partial: 0 of 4 runs');
    expect(stdout).toMatch(/^failed line, vl-dac, block 0\.0: .*ended without a result: killed by SIGKILL/m);
    expect(stdout).not.toMatch(/: holds|: equal|: does not/);
    expect(code).toBe(0);
  });

  it('continues after a stop with what is missing, and keeps what is finished', async () => {
    const stopped = await vlgym(bench(), {
      started: (child) => {
        const watcher = watch(out, () => {
          if (finished().length === 0) return;
          watcher.close(); // a second signal would not wait
          child.kill('SIGINT');
        });
        child.once('close', () => watcher.close());
      },
    });
    expect(stopped.stderr).toContain('stopped; the same command continues');
    const before = cells();
    expect(finished().length).toBeGreaterThan(0);
    expect(finished().length).toBeLessThan(4);

    const last = await vlgym(bench());
    expect([last.code, last.code === 0 ? '' : last.stderr]).toEqual([0, '']);
    expect(last.stdout).toContain('4 of 4 runs finished');
    const after = cells();
    expect(after.runs.map(({ arm, block }) => `${arm} ${block}`).sort()).toEqual([
      'rl4vlm 0.0',
      'rl4vlm 1.0',
      'vl-dac 0.0',
      'vl-dac 1.0',
    ]);
    for (const run of before.runs.filter(({ status }) => status === 'finished')) expect(after.runs).toContainEqual(run);
  });

  it('judges all arms on the same seeds, from warm starts that differ between blocks', async () => {
    const { runs, configs, machines } = cells();
    const seedsOf = (index: number) => runs[index]!.cells.map(({ seed }) => seed);
    for (const index of runs.keys()) expect(seedsOf(index)).toEqual(seedsOf(0));
    expect(Object.keys(configs)).toHaveLength(2);
    for (const config of Object.values(configs)) expect(config.origins.updates).toBe('design');
    expect(machines).toHaveLength(1);
    const [first, second] = await Promise.all(
      [0, 1].map((seed) => readFile(join(out, `line-warm-start-${seed}`, 'start', 'result.json'), 'utf8')),
    );
    expect(JSON.parse(first!).result.loss).not.toEqual(JSON.parse(second!).result.loss);
  });

  it('computes its rows from cells.json alone', async () => {
    const alone = join(home, 'alone');
    await mkdir(alone);
    await cp(join(out, 'cells.json'), join(alone, 'cells.json'));
    const { code, stdout } = await vlgym(['claims', alone, '--json']);
    expect(code).toBe(0);
    expect(stdout).toBe((await vlgym(['claims', join(out, 'cells.json'), '--json'])).stdout);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ isPartial: false, isPilot: true, finishedRuns: 4, plannedRuns: 4, failed: [], digest: cells().digest },
      rows: [
        { id: 'P1', verdict: 'cannot tell', reason: 'a pilot', blocks: 2, plannedBlocks: 2, isPrimary: true },
        { id: 'P2', verdict: 'cannot tell', reason: 'a pilot', isPrimary: false },
      ],
    });
  });

  it('says which given weights its runs began from, and adds no run from others, on whatever machine', async () => {
    const given = join(home, 'given');
    const pilot = JSON.parse(await readFile(PILOT, 'utf8'));
    const { warmStartExamples: _, ...line } = pilot.worlds.line;
    const design = join(home, 'given.json');
    const blocks = { warmStarts: [0], seeds: [0, 1] };
    await writeFile(design, JSON.stringify({ ...pilot, worlds: { line: { ...line, start: given } }, blocks }));
    const run = (folder: string) => vlgym(['bench', '--design', design, '--out', folder, '--jobs', '1']);
    const startOf = (seed: number) => join(out, `line-warm-start-${seed}`, 'start');
    const cellsIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'cells.json'), 'utf8')) as Cells;

    await cp(startOf(0), given, { recursive: true });
    const first = join(home, 'first');
    expect((await run(first)).stdout).toContain('4 of 4 runs finished');
    const { runs, ...file } = cellsIn(first);
    const [digest, ...others] = new Set(runs.map(({ start }) => start));
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(others).toEqual([]);

    const second = join(home, 'second');
    await mkdir(second);
    await writeFile(join(second, 'cells.json'), JSON.stringify({ ...file, runs: runs.slice(0, 2) }));
    await rm(given, { recursive: true });
    await cp(startOf(1), given, { recursive: true });
    expect((await run(second)).stderr).toMatch(
      /^START_DIFFERS The runs beside .* start from the weights of [0-9a-f]{64}/m,
    );
    expect(cellsIn(second).runs).toHaveLength(2);
  });

  it('refuses another design in the folder, options beside a design, and what holds no cells', async () => {
    const other = join(home, 'other.json');
    await writeFile(other, JSON.stringify({ ...JSON.parse(await readFile(PILOT, 'utf8')), title: 'another' }));
    expect((await vlgym(bench(other))).stderr).toMatch(/^DESIGN_CHANGED .*cells\.json belong to another design/m);
    expect((await vlgym(bench(PILOT, '--updates', '3'))).stderr).toMatch(/^USAGE --design decides what runs/m);
    expect((await vlgym(bench(join(home, 'missing.json')))).stderr).toMatch(/^DESIGN_INVALID No design was found/m);

    const empty = await vlgym(['claims', join(home, 'empty')]);
    expect(empty.stderr).toMatch(/^USAGE .*holds no cells/m);
    expect(empty.code).not.toBe(0);
    const changed = join(home, 'changed.json');
    const file = cells() as Cells & { design: object };
    await writeFile(changed, JSON.stringify({ ...file, design: { ...file.design, title: 'after the fact' } }));
    expect((await vlgym(['claims', changed])).stderr).toMatch(/^CELLS_INVALID The design in .* is not the one/m);
    await writeFile(changed, JSON.stringify({ ...file, runs: [{ ...file.runs[0], cells: [] }] }));
    expect((await vlgym(['claims', changed])).stderr).toMatch(/^CELLS_INVALID .*does not hold cells: runs\.0\.cells/m);
    await writeFile(changed, JSON.stringify({ ...file, runs: [file.runs[0], file.runs[0]] }));
    expect((await vlgym(['claims', changed])).stderr).toMatch(/^CELLS_INVALID [\s\S]*each run once/m);
    await writeFile(changed, '{');
    expect((await vlgym(['claims', changed])).stderr).toMatch(/^CELLS_INVALID .*is not JSON/m);
  });
});
