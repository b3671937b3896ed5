import { describe, expect, it } from 'vitest';
import { claimsMarkdown } from '../../terminal/claims-markdown.js';
import { claimsText } from '../../terminal/claims-text.js';
import type { CellsFile, FinishedRun } from './cells.js';
import { parseDesign } from './design.js';
import { areaOf, lateSlope } from './finished-run.js';
import { scoreOf } from './outcomes.js';
import { claimsOf } from './rows.js';

const TASKS = ['a', 'b', 'c', 'd', 'e'];

/** A contrast first − second on success; eight blocks. */
const designOf = (change: object = {}, contrast: object = {}) =>
  parseDesign(
    {
      schema: 'vlgym.design/1',
      title: 'A design',
      worlds: { line: { env: 'vlgym/NumberLine-v1' } },
      arms: { new: { algorithm: 'vl-dac' }, old: { algorithm: 'rl4vlm' } },
      blocks: { warmStarts: [0, 1], seeds: [0, 1, 2, 3] },
      outcomes: { primary: ['success', 'thoughts'], secondary: ['area'] },
      contrasts: [
        {
          ...{ id: 'C1', family: 'C', claim: 'new wins more', world: 'line', first: 'new', second: 'old' },
          ...{ outcome: 'success', margin: 0.1, ...contrast },
        },
      ],
      budget: { cpuHours: 1, cpuMinutesPerRun: 1 },
      stop: { failedRuns: 1 },
      ...change,
    },
    'here',
  );

/** Ten attempts per task, the first `hits` of which succeed. */
const run = (arm: string, warmStart: number, seed: number, hits: number): FinishedRun => ({
  ...{ status: 'finished', world: 'line', arm, block: `${warmStart}.${seed}`, warmStart, seed },
  ...{ config: 'x', machine: 0, load: 1, wallSeconds: 2, checksThoughts: true, curve: [], alarms: [] },
  measures: { area: hits / 10, 'cpu-seconds': 3600 },
  cells: TASKS.flatMap((task, index) =>
    Array.from({ length: 10 }, (_, attempt) => ({
      ...{ task, attempt, seed: 10 * index + attempt, success: attempt < hits, strict: attempt < hits },
      legal: [1, 1] as [number, number],
      thoughts: [1, 2] as [number, number],
    })),
  ),
});

type Hits = (block: number) => readonly [own: number, other: number];
function fileOf(hits: Hits): Pick<CellsFile, 'digest' | 'runs'> {
  const blocks = [0, 1].flatMap((warmStart) => [0, 1, 2, 3].map((seed) => ({ warmStart, seed })));
  const runs = blocks.flatMap(({ warmStart, seed }, block) => {
    const [own, other] = hits(block);
    return [run('new', warmStart, seed, own), run('old', warmStart, seed, other)];
  });
  return { digest: 'sha256:0', runs };
}
const rowOf = (hits: Hits, contrast: object = {}) => claimsOf(designOf({}, contrast), fileOf(hits)).rows[0]!;

describe('the row of a contrast', () => {
  it('holds, does not hold, is equal, or cannot be told', () => {
    expect(rowOf((block) => [8 + (block % 2), 5]).verdict).toBe('holds');
    expect(rowOf((block) => [8 + (block % 2), 5], { expect: 'lower' }).verdict).toBe('does not hold');
    expect(rowOf(() => [5, 5])).toMatchObject({ verdict: 'equal', effect: 0, equivalenceP: 1 / 256 });
    expect(rowOf(() => [5, 5], { margin: undefined }).verdict).toBe('cannot tell');
    expect(rowOf((block) => (block < 4 ? [9, 5] : [2, 5])).verdict).toBe('cannot tell');
  });

  it('has effect, interval, p, blocks, tasks and the detectable effect', () => {
    const row = rowOf((block) => [8 + (block % 2), 5]);
    expect(row).toMatchObject({ effect: expect.closeTo(0.35, 9), p: 2 / 256, pHolm: 2 / 256, blocks: 8, tasks: 5 });
    expect(row.interval![0]).toBeGreaterThanOrEqual(0.3);
    expect(row.interval![1]).toBeLessThanOrEqual(0.4);
    expect(row.detectable).toBeGreaterThan(0.04);
    expect(row.detectable).toBeLessThan(0.1);
  });

  it('is corrected over its family, primary and secondary apart, contrasts without a result included', () => {
    const one = designOf().contrasts[0]!;
    const design = designOf({
      contrasts: [one, { ...one, id: 'C2' }, { ...one, id: 'C3', outcome: 'area' }, { ...one, id: 'D1', family: 'D' }],
    });
    const file = fileOf((block) => [8 + (block % 2), 5]);
    expect(claimsOf(design, file).rows.map(({ pHolm }) => pHolm)).toEqual([4, 4, 2, 2].map((count) => count / 256));
    const unmeasured = designOf({
      outcomes: { primary: ['success', 'sight'] },
      contrasts: [one, { ...one, id: 'C2', outcome: 'sight' }],
    });
    expect(claimsOf(unmeasured, file).rows).toMatchObject([
      { pHolm: 4 / 256, verdict: 'holds' },
      { verdict: 'cannot tell', reason: 'sight was not measured' },
    ]);
  });

  it('compares with the mean of several arms, and compares spreads', () => {
    const row = rowOf((block) => [5, block], { test: 'spread', expect: 'lower', margin: undefined });
    expect(row.varianceRatio).toBe(0);
    expect(row.effect).toBeLessThan(0);
    expect(row.newTasks).toBeUndefined();
    const several = designOf(
      { arms: { ...designOf().arms, other: { algorithm: 'grpo' } } },
      { second: ['old', 'other'] },
    );
    const file = fileOf((block) => [8 + (block % 2), 5]);
    const others = file.runs.map((each) => ({ ...(each as FinishedRun), arm: 'other' })).filter((_, i) => i % 2 === 0);
    const { rows } = claimsOf(several, { ...file, runs: [...file.runs, ...others] });
    expect(rows[0]!.effect).toBeCloseTo(0.175, 9);
  });
});

describe('a design that is not finished', () => {
  const clear = fileOf((block) => [8 + (block % 2), 5]);

  it('holds nothing while a run is missing', () => {
    const { rows, isPartial } = claimsOf(designOf(), { ...clear, runs: clear.runs.slice(0, -1) });
    expect(isPartial).toBe(true);
    expect(rows[0]).toMatchObject({ verdict: 'cannot tell', reason: 'partial', blocks: 7, plannedBlocks: 8 });
    expect(claimsOf(designOf(), clear).rows[0]!.verdict).toBe('holds');
  });

  it('lists a failed run, and does not score it', () => {
    const { cells: _, ...first } = clear.runs[0] as FinishedRun;
    const { world, arm, block, warmStart, seed } = first;
    const failed = { world, arm, block, warmStart, seed, status: 'failed' as const, error: 'killed by SIGKILL' };
    const claims = claimsOf(designOf(), { ...clear, runs: [failed, ...clear.runs.slice(1)] });
    expect(claims).toMatchObject({ isPartial: true, finishedRuns: 15, failed: [failed] });
    expect(claims.rows[0]).toMatchObject({ verdict: 'cannot tell', blocks: 7 });
    expect(claimsText(claims)).toContain('failed line, new, block 0.0: killed by SIGKILL');
    expect(claimsText(claims)).toContain('partial: 15 of 16 runs');
  });

  it('holds nothing as a pilot, and plans for the blocks that are meant', () => {
    const { rows } = claimsOf(designOf({ pilot: { plannedBlocks: 30 } }), clear);
    expect(rows[0]).toMatchObject({ verdict: 'cannot tell', reason: 'a pilot' });
    expect(rows[0]!.detectable).toBeLessThan(claimsOf(designOf(), clear).rows[0]!.detectable!);
  });

  it('holds nothing of an arm whose settings have changed between its runs', () => {
    const [first, ...rest] = clear.runs as FinishedRun[];
    const claims = claimsOf(designOf(), { ...clear, runs: [{ ...first!, config: 'y' }, ...rest] });
    expect(claims.mixed).toEqual([{ world: 'line', arm: 'new', configs: 2 }]);
    expect(claims.rows[0]).toMatchObject({ verdict: 'cannot tell', reason: 'settings differ between runs of an arm' });
    expect(claimsText(claims)).toContain('mixed line, new: runs with 2 configurations');
  });

  it('holds nothing of runs that were judged on different tasks', () => {
    const renamed = clear.runs.map((each) => {
      if (each.status === 'failed' || each.arm === 'old') return each;
      return { ...each, cells: each.cells.map((cell) => ({ ...cell, task: cell.task === 'a' ? 'easy' : cell.task })) };
    });
    const claims = claimsOf(designOf(), { ...clear, runs: renamed });
    const reason = 'its runs were judged on different tasks';
    expect(claims.rows[0]).toMatchObject({ verdict: 'cannot tell', reason, blocks: 8, tasks: 4 });
    expect(claims.rows[0]).not.toHaveProperty('effect');
    expect(claimsText(claims)).toContain(`cannot tell (${reason})`);
  });

  it('holds nothing of a block whose arms were judged on different episode seeds', () => {
    const moved = clear.runs.map((each) => {
      if (each.status === 'failed' || each.arm === 'old' || each.block !== '0.0') return each;
      return { ...each, cells: each.cells.map((cell) => ({ ...cell, seed: cell.seed + 1000 })) };
    });
    const claims = claimsOf(designOf(), { ...clear, runs: moved });
    const reason = 'its runs were judged on different episode seeds';
    expect(claims.rows[0]).toMatchObject({ verdict: 'cannot tell', reason, blocks: 8, tasks: 5 });
    expect(claims.rows[0]).not.toHaveProperty('effect');
    const otherwise = clear.runs.map((each) =>
      each.status === 'failed' ? each : { ...each, cells: each.cells.toReversed() },
    );
    expect(claimsOf(designOf(), { ...clear, runs: otherwise }).rows[0]!.verdict).toBe('holds');
  });

  it('prints text of a file as one cell of a table, and as one line of a terminal', () => {
    const claim = 'a|b\n|---|\u001b[2Jc\u202e<img>\u2028`d` [e](f)\\';
    const claims = claimsOf(designOf({ title: 't\u001b[2Ju' }, { claim }), clear);
    const lines = claimsMarkdown(claims).split('\n');
    expect(lines.length).toBe(3);
    expect(lines[2]).toContain('| a\\|b \\|---\\| \\[2Jc \\<img> \\`d\\` \\[e](f)\\\\ |');
    expect(`${lines.join('')}${claimsText(claims)}`.replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\p{Bidi_Control}\p{Zl}]/u,
    );
  });

  it('prints an error without what a terminal would execute, and not more than a line of it', () => {
    const { world, arm, block, warmStart, seed } = clear.runs[0]!;
    const error = `a\u001b]0;title\u0007b\u009b31mc\u202ed\n${'e'.repeat(1000)}`;
    const failed = { world, arm, block, warmStart, seed, status: 'failed' as const, error };
    const text = claimsText(claimsOf(designOf(), { ...clear, runs: [failed, ...clear.runs.slice(1)] }));
    const line = text.split('\n').find((each) => each.startsWith('failed'))!;
    expect(line).toMatch(/^failed line, new, block 0\.0: a \]0;title b 31mc d e+…$/);
    expect(line.length).toBeLessThan(350);
  });

  it('has rows before its first run', () => {
    const claims = claimsOf(designOf(), { digest: '', runs: [] });
    expect(claims.rows[0]).toMatchObject({ verdict: 'cannot tell', blocks: 0, tasks: 0 });
    expect(claimsText(claims)).toContain('cannot tell (no block is finished)');
  });
});

describe('the score of a run', () => {
  it('gives every task the same weight, and a run without readable thoughts none that are right', () => {
    const one = run('new', 0, 0, 5);
    const uneven = { ...one, cells: [...one.cells.slice(0, 10), one.cells.at(-1)!] };
    expect(scoreOf(uneven, 'success')).toBe(0.25);
    expect(scoreOf(one, 'thoughts')).toBe(0.5);
    const silent = { ...one, cells: one.cells.map((cell) => ({ ...cell, thoughts: [0, 0] as [number, number] })) };
    expect(scoreOf(silent, 'thoughts')).toBe(0);
    expect(scoreOf({ ...silent, checksThoughts: false }, 'thoughts')).toBeUndefined();
    expect(scoreOf(one, 'sight')).toBeUndefined();
  });

  it('has the area under its curve as a share of the whole', () => {
    const at = (update: number, successes: number) => ({
      update,
      successes,
      episodes: 10,
      steps: 0,
      meanReturn: 0,
      meanLength: 0,
    });
    expect(areaOf([at(0, 0), at(2, 10), at(4, 10)])).toBe(0.75);
    expect(areaOf([at(0, 5)])).toBe(0.5);
  });
});

it('prints every figure of a row', () => {
  const text = claimsText(
    claimsOf(
      designOf(),
      fileOf((block) => [8 + (block % 2), 5]),
    ),
  );
  expect(text).toContain('C1  new wins more: holds');
  expect(text).toContain('line, success: new − old');
  expect(text).toContain('+35.0 [+30.0, +40.0] points');
  expect(text).toContain('p 0.008, Holm 0.008');
  expect(text).toMatch(/8 of 8 blocks, 5 tasks, detectable at 80 %: \d\.\d points, new tasks \[/);
  expect(
    claimsText(
      claimsOf(
        designOf(),
        fileOf(() => [5, 5]),
      ),
    ),
  ).toContain('C1  new wins more: equal within ±10.0 points');
});

it('compares a difference with 0, and nothing else', () => {
  const contrast = { outcome: 'teacher-gap', second: undefined, margin: 0.05 };
  const outcomes = { primary: ['teacher-gap', 'success'] };
  const arms = { new: { algorithm: 'gtr-turbo-kl' } };
  const { runs } = fileOf(() => [5, 5]);
  const gap = (run: (typeof runs)[number], value: number) =>
    run.status === 'finished' ? { ...run, measures: { ...run.measures, 'teacher-gap': value } } : run;
  const own = runs.filter(({ arm }) => arm === 'new').map((run, i) => gap(run, 0.1 + 0.01 * i));
  const claims = claimsOf(designOf({ arms, outcomes }, contrast), { digest: 'sha256:0', runs: own });
  expect(claims.rows[0]).toMatchObject({ verdict: 'holds', blocks: 8 });
  expect(claims.rows[0]!.effect).toBeCloseTo(0.135, 12);
  expect(claimsText(claims)).toContain('teacher-gap: new\n');
  expect(() => designOf({ arms, outcomes }, { ...contrast, outcome: 'success' })).toThrow('second');
});

it('has the slope of the last third of the updates', () => {
  const points = Array.from({ length: 13 }, (_, update) => [update, update <= 8 ? 0 : 0.1 * (update - 8)] as const);
  expect(lateSlope(points)).toBeCloseTo(0.1, 12);
  expect(lateSlope(points.map(([update]) => [update, undefined]))).toBeUndefined();
});

describe('the gain over the start', () => {
  const withCurve = (each: FinishedRun, curve: FinishedRun['curve']): FinishedRun => ({ ...each, curve });
  const one = run('new', 0, 0, 5);

  it('is success at the end minus that before the first update', () => {
    const curve: FinishedRun['curve'] = [
      [0, 40, 100],
      [5, 90, 100],
      [10, 65, 100],
    ];
    expect(scoreOf(withCurve(one, curve), 'gain')).toBeCloseTo(0.25, 12);
    for (const partial of [[], curve.slice(0, 1), curve.slice(1)]) {
      expect(scoreOf(withCurve(one, partial), 'gain')).toBeUndefined();
    }
  });

  it('of one arm is compared with 0', () => {
    const design = designOf(
      {
        arms: { new: { algorithm: 'vl-dac' } },
        outcomes: { primary: ['gain'] },
      },
      { outcome: 'gain', second: undefined, claim: 'new gains' },
    );
    const { runs, ...file } = fileOf(() => [5, 5]);
    const gains = [0.1, 0.2, 0.15, 0.1, 0.2, 0.15, 0.1, 0.2];
    const own = runs.filter(({ arm }) => arm === 'new') as FinishedRun[];
    const gained = own.map((each, i) =>
      withCurve(each, [
        [0, 40, 100],
        [10, 40 + 100 * gains[i]!, 100],
      ]),
    );
    const [row] = claimsOf(design, { ...file, runs: gained }).rows;
    expect(row).toMatchObject({ verdict: 'holds', blocks: 8 });
    expect(row!.effect).toBeCloseTo(0.15, 12);
  });
});
