import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asideText,
  matrixOf,
  type TransferCell,
  theseTasksText,
  transferMarkdown,
  transferRows,
  transferSection,
} from './transfer.js';

const TASKS = 40;

/** The first `solved` of forty tasks. */
const judged = (solved: number, legalRate?: number) => ({
  episodes: Array.from({ length: TASKS }, (_, seed) => ({ seed, taskKey: `t:${seed}`, success: seed < solved })),
  legalRate,
});

const cell = (trainedOn: string, judgedOn: string, before: number, after: readonly number[]): TransferCell => ({
  algorithm: 'vl-dac',
  title: 'VL-DAC',
  trainedOn,
  judgedOn,
  before: judged(before),
  after: after.map((solved, seed) => ({ seed, ...judged(solved, 0.5) })),
});

describe('what carries over', () => {
  it('is success after training minus that of the start, over tasks and training seeds', () => {
    const [own, other] = transferRows([cell('a', 'a', 10, [30, 32, 31]), cell('a', 'b', 4, [4, 5, 3])]);
    expect(own).toMatchObject({ rates: { before: 0.25, after: 31 / TASKS }, change: { verdict: 'higher', seeds: 3 } });
    expect(other!.rates.after).toBeCloseTo(0.1);
    expect(other!.change.verdict).toBe('cannot tell');
    expect(other!.legalRate).toBe(0.5);
  });

  it('of the start itself is nothing, whatever it solves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: TASKS }), fc.integer({ min: 1, max: 4 }), (solved, seeds) => {
        const [row] = transferRows([cell('a', 'b', solved, new Array<number>(seeds).fill(solved))]);
        expect(row!.change).toMatchObject({ difference: 0, verdict: 'cannot tell' });
      }),
    );
  });

  it('names the tasks that a policy has met in training', () => {
    const { after, ...rest } = cell('a', 'b', 0, [1, 2]);
    const [row] = transferRows([{ ...rest, after: [{ ...after[0]!, met: 3 }, after[1]!] }]);
    expect(asideText(row!)).toBe('50 % legal, 3 tasks met in training');
  });

  it('shows what the habits of the policies that solved any win without looking', () => {
    const { after, ...rest } = cell('a', 'b', 0, [20, 10, 0]);
    const [first, second, third] = after;
    const looking = { ...first!, withoutLooking: judged(8).episodes };
    const blind = { ...second!, withoutLooking: judged(4).episodes };
    const [row] = transferRows([{ ...rest, after: [looking, blind, third!] }]);
    expect(row!.withoutLooking).toBeCloseTo(6 / TASKS, 12);
    expect(asideText(row!)).toBe('15 % without looking, 50 % legal');
    expect(transferRows([{ ...rest, after }])[0]).not.toHaveProperty('withoutLooking');
  });

  it('on these tasks alone has an interval over training seeds, from six on', () => {
    const [six] = transferRows([cell('a', 'b', 4, [20, 22, 21, 23, 19, 21])]);
    const { effect, interval, pValue } = six!.onTheseTasks;
    expect(effect).toBeCloseTo(six!.change.difference, 12);
    expect(pValue).toBe(2 / 64);
    expect(interval[0]).toBeGreaterThan(0.3);
    expect(theseTasksText(six!)).toMatch(/^these tasks \[\+\d+\.\d, \+\d+\.\d\]$/);
    const [five] = transferRows([cell('a', 'b', 4, [20, 22, 21, 23, 19])]);
    expect(theseTasksText(five!)).toBe('');
  });

  it('cannot be told from one training seed', () => {
    const [row] = transferRows([cell('a', 'b', 0, [40])]);
    expect(row!.change).toMatchObject({ difference: 1, covers: 'tasks', verdict: 'cannot tell' });
  });

  it('has no legal share where a run does not say', () => {
    const { after, ...rest } = cell('a', 'b', 0, [1, 2]);
    const [row] = transferRows([{ ...rest, after: [after[0]!, { seed: 1, episodes: after[1]!.episodes }] }]);
    expect(row).not.toHaveProperty('legalRate');
  });

  it('is a matrix with a hole where an evaluation has failed', () => {
    const rows = transferRows([cell('a', 'a', 1, [2]), cell('a', 'b', 1, [2]), cell('b', 'b', 1, [2])]);
    const { judgedOn, lines } = matrixOf(rows);
    expect(judgedOn).toEqual(['a', 'b']);
    expect(lines.map(({ trainedOn, cells }) => [trainedOn, cells.map((each) => each !== undefined)])).toEqual([
      ['a', [true, true]],
      ['b', [false, true]],
    ]);
    expect(transferMarkdown(rows)).toMatch(/^\| VL-DAC \| b \| – \| 2\.5 % → 5\.0 %, \+2\.5 \[.*\], 50 % legal \|$/m);
    expect(String(transferSection(rows))).toContain('<td data-label="a">–</td>');
  });
});
