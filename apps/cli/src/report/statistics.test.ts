import { describe, expect, it } from 'vitest';
import type { RunResult } from './data.js';
import { points, whole } from './format.js';
import { markdownTables } from './markdown.js';
import { across, summarize } from './statistics.js';
import { method, separation, verdicts } from './verdicts.js';

const HANDS = 40;

it.each([
  [0.053, '+5.3'],
  [-0.053, '−5.3'],
  [-0.0004, '+0.0'],
  [0, '+0.0'],
])('writes %d as %s points', (share, written) => expect(points(share)).toBe(written));

/** A run that solves `solved` of forty hands, each played five times. */
function run(algorithm: string, seed: number, solved: number, change: Partial<RunResult> = {}): RunResult {
  const after = Array.from({ length: 5 * HANDS }, (_, index) => ({
    seed: index,
    taskKey: `hand:${index % HANDS}`,
    success: index % HANDS < solved,
  }));
  const point = (update: number, successes: number) => ({
    update,
    steps: 100 * update,
    successes,
    episodes: 5 * HANDS,
    meanReturn: 1,
    meanLength: 3,
    legalRate: 1,
  });
  return {
    algorithm,
    title: algorithm.toUpperCase(),
    envId: 'test/Cards-v0',
    seed,
    evaluations: [point(0, 100), point(10, 5 * solved)],
    after,
    seen: after.slice(0, 20),
    content: { met: 99, overlap: 0 },
    metrics: {},
    cpuSeconds: 60,
    trainedSteps: 1000,
    alarms: [],
    folder: 'runs/test',
    ...change,
  };
}

const seeds = [0, 1, 2, 3, 4];
const good = seeds.map((seed) => run('good', seed, 36 + (seed % 3)));
const poor = seeds.map((seed) => run('poor', seed, 10 + (seed % 2)));
const same = seeds.map((seed) => run('same', seed, 10 + ((seed + 1) % 2)));

describe('rows of a comparison', () => {
  it('count hands and training seeds, not episodes', () => {
    const [row] = summarize(good);
    expect(row).toMatchObject({ end: { tasks: HANDS, seeds: 5, covers: 'tasks and training' }, start: 0.5 });
    const [low, high] = row!.end.interval95;
    expect(high - low).toBeGreaterThan(0.1); // Wilson over 1,000 episodes would be 0.035 wide
  });

  it('say in words what is better, and where nobody can tell', () => {
    const rows = summarize([...good, ...poor, ...same], 'poor');
    const texts = verdicts(rows, 'poor').map(({ text }) => text);
    expect(texts[0]).toMatch(
      /^GOOD solves more than POOR\. \+\d+\.\d points, .* 5 training seeds, 40 tasks, p < 0\.001$/,
    );
    expect(texts[1]).toMatch(/^SAME against POOR: cannot tell\. /);
  });

  it('claim nothing from one training seed, however big the difference', () => {
    const rows = summarize([good[0]!, poor[0]!], 'poor');
    const [verdict] = verdicts(rows, 'poor');
    expect(verdict!.text).toMatch(/^GOOD against POOR: cannot tell from one training seed\. .* over tasks;/);
    expect(verdict!.text).not.toContain('p ');
    expect(method(rows)).toContain('there are no p-values, because nothing is known of what another seed would give');
  });

  it('call tasks unseen only where every run has asserted it', () => {
    expect(separation(summarize(good))).toMatch(/^No evaluated task was seen .* overlap 0/);
    const mixed = [
      ...good.slice(1),
      run('good', 0, 36, { content: { met: 0, notSeparated: 'the environment has no splits' } }),
    ];
    const task = { envId: 'test/Cards-v0', runs: mixed } as never;
    expect(separation(summarize(mixed))).toBe('Seen and unseen are not separated: the environment has no splits.');
    expect(markdownTables([task], 'good')).not.toContain('unseen |');
  });

  it('keep controls below the algorithms, compare with them, and show what other pictures give', () => {
    const control = seeds.map((seed) => run('imitation', seed, 35, { isControl: true }));
    const looking = good.map((result) => ({
      ...result,
      pictures: { blanked: result.after.map((row) => ({ ...row, success: false })) },
    }));
    const rows = summarize([...control, ...looking], 'good');
    expect(rows.map(({ algorithm }) => algorithm)).toEqual(['good', 'imitation']);
    expect(rows[0]!.pictures.blanked).toMatchObject({ rate: 0, tasks: HANDS });
    expect(verdicts(rows, 'good')[0]!.text).toMatch(/^GOOD .*IMITATION/);
    const table = markdownTables([{ envId: 'test/Cards-v0', runs: [...control, ...looking] } as never], 'good');
    expect(table).toMatch(/\| control: IMITATION \| 5 \| 40 \|/);
    expect(table).toContain('controls: gray pictures');
  });

  it('takes the mean over environments, each of them counting the same', () => {
    const walks = good.map((result) => ({
      ...result,
      envId: 'test/Walk-v0',
      after: result.after.map((row) => ({ ...row, success: false })),
    }));
    const tasks = [{ runs: good }, { runs: walks }] as never;
    const [row] = across(tasks);
    expect(row!.end.tasks).toBe(2 * HANDS);
    expect(row!.end.rate).toBeCloseTo(summarize(good)[0]!.end.rate / 2, 12);
  });
});

it.each([
  [0.995, '99.5 %'],
  [0.004, '0.4 %'],
  [1, '100 %'],
  [0, '0 %'],
  [0.62, '62 %'],
])('a share of %d is said as %s: all and none are never rounded to', (share, text) => {
  expect(whole(share)).toBe(text);
});
