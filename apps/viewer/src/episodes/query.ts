/** Filters, order and histograms of a list of episodes. The server applies them, and a page in one file by itself. */
import type { Bar, EpisodePage, EpisodeRow } from '../protocol.js';

export interface EpisodeQuery {
  readonly from: number;
  readonly count: number;
  readonly outcome: 'all' | 'success' | 'failure' | 'error' | 'illegal';
  /** A part of the id, task, agent or error; a whole seed. */
  readonly search: string;
  /** `all`: the words may be in any text of an episode. Whoever has the texts leaves the others out. */
  readonly texts: 'row' | 'all';
  readonly returns?: readonly [low: number, high: number];
  readonly lengths?: readonly [low: number, high: number];
  readonly order: 'played' | 'return' | 'length' | 'advantage';
  readonly group?: string;
}

const BARS = 24;
const MAX_ROWS = 500;
const SHOWN_ERRORS = 20;

export const DEFAULT_QUERY: EpisodeQuery = {
  from: 0,
  count: 100,
  outcome: 'all',
  search: '',
  texts: 'row',
  order: 'played',
};

/** @param params  As `queryText` writes them; anything else counts as the default. */
export function readQuery(params: URLSearchParams): EpisodeQuery {
  const outcome = params.get('outcome');
  const order = params.get('order');
  const group = params.get('group');
  const returns = rangeOf(params.get('returns'));
  const lengths = rangeOf(params.get('lengths'));
  return {
    from: wholeOf(params.get('from'), 0),
    count: Math.min(wholeOf(params.get('count'), DEFAULT_QUERY.count), MAX_ROWS),
    outcome: isOneOf(outcome, ['success', 'failure', 'error', 'illegal'] as const) ? outcome : 'all',
    search: (params.get('search') ?? '').slice(0, 200),
    texts: params.get('texts') === 'all' ? 'all' : 'row',
    order: isOneOf(order, ['return', 'length', 'advantage'] as const) ? order : 'played',
    ...(returns && { returns }),
    ...(lengths && { lengths }),
    ...(group !== null && { group }),
  };
}

export function queryText(query: Partial<EpisodeQuery>): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' || value === DEFAULT_QUERY[name as keyof EpisodeQuery]
      ? []
      : [[name, Array.isArray(value) ? value.join('..') : String(value)]],
  );
  return new URLSearchParams(entries).toString();
}

/** Histograms show what the other filters leave, so that each of them can be moved. */
export function pageOf(all: readonly EpisodeRow[], query: EpisodeQuery): EpisodePage {
  const { from, count } = query;
  const [inReturns, inLengths] = [within(query.returns), within(query.lengths)];
  const passes = filterOf(query);
  const matched: EpisodeRow[] = [];
  const [returns, lengths]: [number[], number[]] = [[], []];
  const errors = new Set<string>();
  let succeeded = 0;
  for (const row of all) {
    const why = row.error ?? (row.endedBy === 'truncated' ? row.reason : undefined);
    if (why !== undefined && errors.size < SHOWN_ERRORS) errors.add(why);
    if (!passes(row)) continue;
    const [hasReturn, hasLength] = [inReturns(row.return), inLengths(row.length)];
    if (hasLength) returns.push(row.return);
    if (hasReturn) lengths.push(row.length);
    if (!hasReturn || !hasLength) continue;
    matched.push(row);
    if (row.success) succeeded += 1;
  }
  return {
    total: all.length,
    matched: matched.length,
    succeeded,
    from,
    rows: sorted(matched, query.order).slice(from, from + count),
    returns: histogram(returns),
    lengths: histogram(lengths),
    errors: [...errors],
  };
}

const within = (range: readonly [number, number] | undefined) => (value: number) =>
  range === undefined || (value >= range[0] && value <= range[1]);

/** The rollouts of one start: those of a group, or else those of a seed. */
export const groupOf = ({ group, seed }: EpisodeRow): string => group ?? String(seed);

function filterOf({ outcome, search, texts, group }: EpisodeQuery): (row: EpisodeRow) => boolean {
  const wanted = texts === 'all' ? '' : search.toLowerCase();
  return (row) => {
    if (outcome === 'success' && row.success !== true) return false;
    if (outcome === 'failure' && row.success !== false) return false;
    if (outcome === 'error' && row.error === undefined) return false;
    if (outcome === 'illegal' && row.illegal === 0) return false;
    if (group !== undefined && groupOf(row) !== group) return false;
    if (wanted === '' || String(row.seed) === wanted) return true;
    return [row.id, row.task, row.agent, row.error, row.reason].some((text) => text?.toLowerCase().includes(wanted));
  };
}

function sorted(rows: readonly EpisodeRow[], order: EpisodeQuery['order']): readonly EpisodeRow[] {
  if (order === 'played') return rows;
  const value = (row: EpisodeRow) => row[order] ?? Number.NEGATIVE_INFINITY;
  return rows.toSorted((a, b) => (order === 'length' ? value(b) - value(a) : value(a) - value(b)));
}

/** Whole numbers with few values have a bar each. */
export function histogram(values: readonly number[]): Bar[] {
  if (values.length === 0) return [];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isWhole = true;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    isWhole &&= Number.isInteger(value);
  }
  const perValue = isWhole && high - low < BARS;
  const bars = perValue ? high - low + 1 : low === high ? 1 : BARS;
  const width = perValue ? 1 : (high - low) / bars;
  const counts = new Array<number>(bars).fill(0);
  for (const value of values) {
    const bar = width === 0 ? 0 : Math.min(Math.floor((value - low) / width), bars - 1);
    counts[bar] = counts[bar]! + 1;
  }
  return counts.map((count, bar) => ({
    from: low + bar * width,
    to: perValue ? low + bar : bar === bars - 1 ? high : low + (bar + 1) * width,
    count,
  }));
}

const isOneOf = <T extends string>(value: string | null, names: readonly T[]): value is T =>
  (names as readonly (string | null)[]).includes(value);

function wholeOf(value: string | null, otherwise: number): number {
  const found = Number(value ?? Number.NaN);
  return Number.isSafeInteger(found) && found >= 0 ? found : otherwise;
}

function rangeOf(value: string | null): readonly [number, number] | undefined {
  const [low, high, ...more] = (value ?? '').split('..').map((end) => (end === '' ? Number.NaN : Number(end)));
  return more.length === 0 && Number.isFinite(low) && Number.isFinite(high) ? [low!, high!] : undefined;
}
