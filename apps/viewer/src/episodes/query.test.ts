/** Lists of episodes: filters, order, histograms, and the text of a query. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EpisodeRow } from '../protocol.js';
import { DEFAULT_QUERY, histogram, pageOf, queryText, readQuery } from './query.js';

const row = (index: number, more: Partial<EpisodeRow> = {}): EpisodeRow => ({
  id: `episode-${index}`,
  seed: index,
  return: index,
  length: index % 4,
  success: index % 2 === 0,
  endedBy: 'terminated',
  illegal: 0,
  fallbacks: 0,
  ...more,
});
const rows = Array.from({ length: 40 }, (_, index) => row(index));
const ids = (query: Partial<typeof DEFAULT_QUERY>) =>
  pageOf(rows, { ...DEFAULT_QUERY, ...query }).rows.map(({ id }) => id);

describe('a list of episodes', () => {
  it('is filtered by outcome, text, seed and ranges', () => {
    expect(pageOf(rows, { ...DEFAULT_QUERY, outcome: 'failure' })).toMatchObject({
      total: 40,
      matched: 20,
      succeeded: 0,
    });
    expect(ids({ search: '7' })).toEqual(['episode-7', 'episode-17', 'episode-27', 'episode-37']);
    expect(ids({ returns: [3, 5] })).toEqual(['episode-3', 'episode-4', 'episode-5']);
    expect(ids({ returns: [0, 9], lengths: [3, 3] })).toEqual(['episode-3', 'episode-7']);
    expect(ids({ group: '12' })).toEqual(['episode-12']);
    const grouped = pageOf([row(1, { group: '0' }), row(2, { group: '1' })], { ...DEFAULT_QUERY, group: '1' });
    expect(grouped.rows.map(({ id }) => id)).toEqual(['episode-2']); // not the seed that is called like the group
  });

  it('offers the errors and the reasons of truncations that occur, and finds them', () => {
    const cut = row(1, { endedBy: 'truncated', reason: 'step-limit' });
    const failed = row(2, { endedBy: 'error', reason: 'model-error', error: 'model MODEL_TIMEOUT' });
    const found = pageOf([row(0), cut, failed], { ...DEFAULT_QUERY, search: 'step-limit' });
    expect([found.errors, found.rows]).toEqual([['step-limit', 'model MODEL_TIMEOUT'], [cut]]);
  });

  it('comes in pages and in an order', () => {
    expect(ids({ from: 38 })).toEqual(['episode-38', 'episode-39']);
    expect(
      pageOf([row(1, { return: 3 }), row(2, { return: -1 })], { ...DEFAULT_QUERY, order: 'return' }).rows[0]!.id,
    ).toBe('episode-2');
  });

  it('has histograms that show what their own filter leaves out', () => {
    const { returns, lengths, matched } = pageOf(rows, { ...DEFAULT_QUERY, lengths: [0, 0] });
    const total = (bars: typeof lengths) => bars.reduce((sum, { count }) => sum + count, 0);
    expect([total(returns), total(lengths), matched]).toEqual([10, 40, 10]);
  });
});

it('every value is in a bar, and every bar in the range', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }), (values) => {
      const bars = histogram(values);
      expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      expect(bars[0]!.from === Math.min(...values)).toBe(true); // +0 is −0 here
      expect(bars.length).toBeLessThanOrEqual(24);
    }),
  );
});

it('a query survives its text, and nonsense is the default', () => {
  const query = {
    ...DEFAULT_QUERY,
    outcome: 'illegal',
    search: 'a&b',
    returns: [-1, 0.5],
    order: 'length',
    from: 100,
  } as const;
  expect(readQuery(new URLSearchParams(queryText(query)))).toEqual(query);
  expect(readQuery(new URLSearchParams('from=-1&count=1e99&outcome=x&returns=1..&order=__proto__'))).toEqual(
    DEFAULT_QUERY,
  );
});
