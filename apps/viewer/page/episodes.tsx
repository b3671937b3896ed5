/** The episodes of a set: tabs, filters, histograms that filter, and a list that draws only what is in sight. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type EpisodeQuery, pageOf, queryText, readQuery } from '../src/episodes/query.js';
import type { EpisodePage, EpisodeRow, EpisodeSet, RunDetails } from '../src/protocol.js';
import { Standings } from './compare/standings.js';
import { ask, embedded, useAnswer } from './data.js';
import { Filters } from './filters.js';
import { count, percent, short, signed } from './format.js';
import { useKeys } from './keys.js';
import { go, hrefOf, NO_EPISODE, NO_GROUP, type Place } from './place.js';
import { useTick } from './tick.js';

/** Pixels, as in the style sheet. */
const ROW = 46;
const PAGE = 100;
/** Milliseconds between two looks at a list that is still being read. */
const LOOK_AGAIN = 250;

interface EpisodesProps {
  readonly run: string;
  readonly set: EpisodeSet;
  readonly details: RunDetails;
  readonly place: Place;
  readonly cursor: number | undefined;
  readonly fresh: number;
}

export function Episodes({ run, set, details, place, cursor, fresh }: EpisodesProps) {
  const query = useMemo(
    () => queryOf(place),
    [...[place.outcome, place.search, place.texts, place.returns, place.lengths, place.order]],
  );
  const first = useEpisodes(run, set, { ...query, from: 0, count: embedded ? 500 : PAGE }, fresh);
  const page = first.value;
  return (
    <section class="episodes" aria-label="Episodes">
      <Tabs {...{ set, details, cursor, place }} />
      {set === 'pairs' && <Standings run={run} fresh={fresh} />}
      {first.error && (
        <p class="alert" role="alert">
          {first.error}
        </p>
      )}
      {page && (
        <>
          <Filters {...{ page, place }} />
          <p class="soft" role="status">
            {page.matched === page.total
              ? count(page.total, 'episode')
              : `${page.matched} of ${count(page.total, 'episode')}`}
            {page.matched > 0 && !page.reading && ` · ${percent(page.succeeded / page.matched)} solved`}
            {page.reading && ' so far, reading …'}
          </p>
          <List
            key={`${set} ${queryText(query)}`}
            {...{
              run,
              set,
              page,
              query,
              place,
              fresh,
              byAgent: set === 'pairs' || details.summary.agents !== undefined,
            }}
          />
        </>
      )}
    </section>
  );
}

const queryOf = ({
  outcome = '',
  search = '',
  texts = '',
  returns = '',
  lengths = '',
  order = '',
}: Place): EpisodeQuery => readQuery(new URLSearchParams({ outcome, search, texts, returns, lengths, order }));

/** Without a server the page filters by itself. */
function useEpisodes(run: string, set: EpisodeSet, query: EpisodeQuery, fresh: number) {
  const text = queryText(query);
  const rows = useAnswer<readonly EpisodeRow[]>(embedded && `runs/${run}/rows?set=${set}`);
  const [isGrowing, setGrowing] = useState(false);
  const tick = useTick(isGrowing ? LOOK_AGAIN : undefined);
  const answer = useAnswer<EpisodePage>(embedded ? undefined : `runs/${run}/episodes?set=${set}${text && `&${text}`}`, {
    fresh: fresh + tick,
    keep: true,
  });
  useEffect(() => setGrowing(answer.value?.reading === true), [answer.value]);
  const own = useMemo(() => rows.value && pageOf(rows.value, query), [rows.value, text]);
  return embedded ? { value: own, error: rows.error } : answer;
}

function Tabs({
  set,
  details: { recorded, played, branches, pairs, summary },
  cursor,
  place,
}: Pick<EpisodesProps, 'set' | 'details' | 'cursor' | 'place'>) {
  const tab = (name: string, isHere: boolean, to: string | undefined) => (
    <a key={name} href={hrefOf({ ...NO_EPISODE, ...NO_GROUP, set: to })} aria-current={isHere ? 'true' : undefined}>
      {name}
    </a>
  );
  const update = /^update-(\d+)$/.exec(set)?.[1];
  const shown = update ?? String(recorded.findLast((each) => cursor === undefined || each <= cursor) ?? recorded[0]);
  return (
    <nav class="tabs" aria-label="Sets of episodes">
      {recorded.length > 0 && tab(`Update ${shown}`, update !== undefined, undefined)}
      {played && tab(summary.kind === 'training' ? 'Last evaluation' : 'Episodes', set === 'played', 'played')}
      {pairs > 0 && tab(`Arena (${pairs})`, set === 'pairs', 'pairs')}
      {branches > 0 && tab(`Branches (${branches})`, set === 'branches', 'branches')}
      {place.set === undefined && update !== undefined && cursor !== undefined && Number(update) !== cursor && (
        <span class="soft">recorded nearest to update {cursor}</span>
      )}
    </nav>
  );
}

interface ListProps extends Pick<EpisodesProps, 'run' | 'set' | 'place' | 'fresh'> {
  readonly page: EpisodePage;
  readonly query: EpisodeQuery;
  /** The agents tell the episodes apart. */
  readonly byAgent: boolean;
}

function List({ run, set, page, query, place, fresh, byAgent }: ListProps) {
  const scroller = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(480);
  const rowAt = useRows({ run, set, page, query, fresh, top, height });
  const [first, last] = [
    Math.max(0, Math.floor(top / ROW) - 4),
    Math.min(page.matched, Math.ceil((top + height) / ROW) + 4),
  ];
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setHeight(entry!.contentRect.height));
    observer.observe(scroller.current!);
    return () => observer.disconnect();
  }, []);

  const here = place.episode === undefined ? undefined : positionOf(place.episode, page.matched, rowAt);
  const openAt = (index: number) => {
    const row = rowAt(index);
    if (!row) return;
    go({ ...NO_EPISODE, set, episode: row.id });
    const element = scroller.current!;
    const at = index * ROW;
    if (at < element.scrollTop || at + ROW > element.scrollTop + element.clientHeight) element.scrollTop = at - ROW;
  };
  useKeys({ j: () => openAt(here === undefined ? 0 : here + 1), k: () => openAt(here === undefined ? 0 : here - 1) });
  const visible = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  return (
    <section
      class="list"
      ref={scroller}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      tabIndex={0}
      aria-label="List of episodes"
    >
      <ol style={{ height: `${page.matched * ROW}px` }}>
        {visible.map((index) => (
          <Row key={index} {...{ index, set, place, byAgent }} total={page.matched} row={rowAt(index)} />
        ))}
      </ol>
    </section>
  );
}

/** Among the rows that are known. */
function positionOf(id: string, rows: number, rowAt: (index: number) => EpisodeRow | undefined): number | undefined {
  for (let index = 0; index < rows; index += 1) if (rowAt(index)?.id === id) return index;
  return undefined;
}

interface RowProps {
  readonly index: number;
  readonly set: EpisodeSet;
  readonly total: number;
  readonly row: EpisodeRow | undefined;
  readonly place: Place;
  readonly byAgent: boolean;
}

function Row({ index, set, total, row, place, byAgent }: RowProps) {
  const where = { top: `${index * ROW}px` };
  if (!row)
    return (
      <li style={where} class="soft">
        …
      </li>
    );
  const { id, seed, repeat, success, length, error, illegal, advantage, at } = row;
  return (
    <li style={where} aria-posinset={index + 1} aria-setsize={total}>
      <a
        href={hrefOf({ ...NO_EPISODE, set, episode: id, step: stepOf(row) })}
        aria-current={place.episode === id ? 'true' : undefined}
      >
        <span class={`mark ${success === true ? 'good' : success === false ? 'bad' : ''}`} title={row.endedBy}>
          <span aria-hidden="true">{success === true ? '✓' : success === false ? '✗' : '·'}</span>
          <span class="hidden">{success === true ? 'solved' : success === false ? 'not solved' : row.endedBy}</span>
        </span>
        <span class="who">
          <span class="name">
            {seed === undefined ? id : `seed ${seed}${repeat === undefined ? '' : `, attempt ${repeat + 1}`}`}
          </span>
          <span class="soft">
            {row.found?.excerpt ?? error ?? (at === undefined ? aboutOf(row, byAgent) : `branch at step ${at}`)}
          </span>
        </span>
        <span class="numbers">
          <span>return {short(row.return)}</span>
          <span class="soft">
            {count(length, 'step')}
            {advantage !== undefined && ` · adv. ${signed(advantage)}`}
            {illegal > 0 && ` · ${illegal} illegal`}
          </span>
        </span>
      </a>
    </li>
  );
}

/** Where the words of the search are. */
const stepOf = ({ found }: EpisodeRow): string | undefined =>
  found?.step === undefined ? undefined : String(found.step);

const aboutOf = ({ task, agent, endedBy }: EpisodeRow, byAgent: boolean): string => (byAgent ? agent : task) ?? endedBy;

interface RowsOptions extends Omit<ListProps, 'place' | 'byAgent'> {
  readonly top: number;
  readonly height: number;
}

/** Rows near what is in sight, asked for in pages. */
function useRows({
  run,
  set,
  page,
  query,
  fresh,
  top,
  height,
}: RowsOptions): (index: number) => EpisodeRow | undefined {
  const pages = useRef(new Map<number, readonly EpisodeRow[]>());
  const [, setLoaded] = useState(0);
  useEffect(() => {
    pages.current.clear();
  }, [fresh, page]);
  const wanted = [Math.floor(top / ROW / PAGE), Math.floor((top + height) / ROW / PAGE)];
  useEffect(() => {
    if (embedded) return;
    for (const number of new Set(wanted)) {
      if (number === 0 || pages.current.has(number) || number * PAGE >= page.matched) continue;
      pages.current.set(number, []);
      const text = queryText({ ...query, from: number * PAGE, count: PAGE });
      ask<EpisodePage>(`runs/${run}/episodes?set=${set}&${text}`).then(
        ({ rows }) => {
          pages.current.set(number, rows);
          setLoaded((before) => before + 1);
        },
        () => pages.current.delete(number),
      );
    }
  }, [wanted[0], wanted[1], page]);
  return (index) => {
    const number = Math.floor(index / PAGE);
    if (number === 0 || embedded) return (embedded ? page.rows : page.rows.slice(0, PAGE))[index];
    return pages.current.get(number)?.[index - number * PAGE];
  };
}
