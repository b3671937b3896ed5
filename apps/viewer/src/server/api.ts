/**
 * The questions of the page, by path, and their answers as data. The server sends them; an export keeps the answers that its
 * page will ask for.
 */
import { arenaResults } from '../compare/arena-results.js';
import { compareRuns } from '../compare/compare-runs.js';
import { rowOf } from '../episodes/index-line.js';
import { pageOf, readQuery } from '../episodes/query.js';
import { isReading, readEpisode, readTokens, rowsOf, searchTexts } from '../episodes/read-episode.js';
import type { Run } from '../folders/run.js';
import type { EpisodePage, EpisodeSet } from '../protocol.js';
import type { Library } from './library.js';

/** There is nothing at this path. */
export class NotFoundError extends Error {}

const SET = /^(?:played|branches|pairs|update-\d{1,9})$/;

export interface ApiOptions {
  /** Agents that can continue an episode of a run. */
  readonly agentsOf: (run: Run) => Promise<readonly string[]>;
}

/** @throws {NotFoundError} */
export async function answerTo(
  path: string,
  params: URLSearchParams,
  library: Library,
  options: ApiOptions,
): Promise<unknown> {
  if (path === 'runs') return library.list();
  if (path === 'compare') {
    const [first, second] = await Promise.all(['first', 'second'].map((side) => library.run(params.get(side) ?? '')));
    return compareRuns(
      { run: first ?? missing('the first run'), agent: params.get('firstAgent') ?? undefined },
      { run: second ?? missing('the second run'), agent: params.get('secondAgent') ?? undefined },
    );
  }
  const [head, id = '', question = 'details'] = path.split('/');
  if (head !== 'runs') return missing('this path');
  return aboutRun((await library.run(id)) ?? missing('this run'), question, params, options);
}

async function aboutRun(
  run: Run,
  question: string,
  params: URLSearchParams,
  { agentsOf }: ApiOptions,
): Promise<unknown> {
  switch (question) {
    case 'details':
      return run.details(await agentsOf(run));
    case 'arena':
      return arenaResults(run);
    case 'metrics':
      return run.metrics(wholeOf(params.get('from')));
    case 'episodes':
      return listOf(run, params);
    case 'episode':
      return (await readEpisode(run, setOf(params), params.get('id') ?? '')) ?? missing('this episode');
    case 'tokens':
      return (
        (await readTokens(run, setOf(params), params.get('id') ?? '', wholeOf(params.get('step')))) ??
        missing('this step')
      );
    default:
      return missing('this question');
  }
}

async function listOf(run: Run, params: URLSearchParams): Promise<EpisodePage> {
  const set = setOf(params);
  const query = readQuery(params);
  const rows = await rowsOf(run, set);
  const found = query.texts === 'all' && query.search !== '' ? await searchTexts(run, set, query.search) : undefined;
  const page = pageOf(found ? rows.filter(({ id }) => found.has(id)) : rows, query);
  const shown = page.rows.map((row) => {
    const place = found?.get(row.id);
    return place ? { ...rowOf(row), found: place } : rowOf(row);
  });
  return { ...page, total: rows.length, rows: shown, ...(isReading(run, set) && { reading: true }) };
}

/** @throws {NotFoundError} */
export function setOf(params: URLSearchParams): EpisodeSet {
  const set = params.get('set') ?? '';
  return SET.test(set) ? (set as EpisodeSet) : missing('this set of episodes');
}

export const wholeOf = (value: string | null): number => {
  const found = Number(value ?? 0);
  return Number.isSafeInteger(found) && found >= 0 ? found : 0;
};

export function missing(what: string): never {
  throw new NotFoundError(`There is nothing at ${what}; it may have been moved or deleted.`);
}
