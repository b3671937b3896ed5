/** Episodes that began alike, side by side: steps in columns, and where they first differ. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EpisodeRow, EpisodeSet, ShownEpisode, ShownStep } from '../../src/protocol.js';
import { ask, pictureOf } from '../data.js';
import { short, signed } from '../format.js';
import { go, hrefOf, NO_EPISODE } from '../place.js';
import { useRowsOf } from '../rows.js';
import { type Column, TwoSteps } from './two-steps.js';

/** Episodes that fit; more are counted. */
const MAX_COLUMNS = 8;
/** Steps that are drawn. */
const MAX_STEPS = 300;

/** The rollouts of a group, or the episodes of a seed. */
export function SideBySide({
  run,
  set,
  group,
}: {
  readonly run: string;
  readonly set: EpisodeSet;
  readonly group: string;
}) {
  const rows = useRowsOf(run, set, group) ?? [];
  const agents = new Set(rows.map(({ agent }) => agent));
  const columns = rows
    .slice(0, MAX_COLUMNS)
    .map((row) => ({ run, set, id: row.id, title: titleOf(row, agents.size > 1) }));
  return (
    <section aria-label="Side by side">
      <h2>
        Side by side{' '}
        <a class="quiet button" href={hrefOf({ view: undefined, group: undefined })}>
          Close
        </a>
      </h2>
      {rows.length > MAX_COLUMNS && (
        <p class="soft">
          the first {MAX_COLUMNS} of {rows.length}
        </p>
      )}
      {rows.length === 1 ? <p class="soft">This set has no other episode of it.</p> : <Columns columns={columns} />}
    </section>
  );
}

/** @param byAgent  The agents tell them apart. */
function titleOf({ id, agent, repeat, advantage }: EpisodeRow, byAgent: boolean): string {
  if (byAgent) return `${agent ?? id}${repeat === undefined ? '' : `, attempt ${repeat + 1}`}`;
  return advantage === undefined ? id : `${id} · advantage ${signed(advantage)}`;
}

/** One row for each episode, one column for each step. */
export function Columns({ columns }: { readonly columns: readonly Column[] }) {
  const { episodes, error } = useEpisodesOf(columns);
  const scroller = useRef<HTMLElement>(null);
  const first = firstDifference(episodes);
  useEffect(() => {
    const cell = scroller.current?.querySelector<HTMLElement>('thead .differs');
    if (cell) scroller.current!.scrollLeft = cell.offsetLeft - scroller.current!.clientWidth / 2;
  }, [episodes]);
  if (error)
    return (
      <p class="alert" role="alert">
        {error}
      </p>
    );
  if (episodes.length === 0) return <p class="soft">Reading …</p>;
  const length = Math.min(Math.max(...episodes.map(({ steps }) => steps.length)), MAX_STEPS);
  const steps = Array.from({ length }, (_, at) => at);
  return (
    <>
      <p role="status">
        {episodes.length < 2
          ? ''
          : first === undefined
            ? 'They are equal in every step.'
            : `They first differ at step ${first}${episodes.length === 2 ? `: ${actionsAt(first, columns, episodes)}` : ''}.`}
      </p>
      {episodes.length === 2 && <TwoSteps {...{ columns, episodes, first }} />}
      <section class="scroll" tabIndex={0} ref={scroller} aria-label="Steps side by side">
        <table class="beside">
          <thead>
            <tr>
              <th scope="col">episode</th>
              {steps.map((at) => (
                <th key={at} scope="col" class={at === first ? 'differs' : ''}>
                  step {at} {at === first && <span class="badge bad">first difference</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {episodes.map((episode, index) => (
              <tr key={columns[index]!.id}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => open(columns[index]!)}>
                    {columns[index]!.title}
                  </button>
                  <br />
                  <span class="soft">
                    {outcomeOf(episode)}, return {short(episode.row.return)}
                  </span>
                </th>
                {steps.map((at) => (
                  <td key={at} class={at === first ? 'differs' : ''}>
                    {episode.steps[at] && <Cell step={episode.steps[at]} column={columns[index]!} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

const actionsAt = (at: number, columns: readonly Column[], episodes: readonly ShownEpisode[]): string =>
  episodes
    .map(({ steps }, index) => {
      const step = steps[at];
      return `${columns[index]!.title} ${step ? `chose ${step.action ?? 'nothing that could be read'}` : 'was done'}`;
    })
    .join(', ');

const outcomeOf = ({ row: { success, endedBy } }: ShownEpisode): string =>
  success === true ? '✓ solved' : success === false ? '✗ not solved' : endedBy;

const open = ({ run, set, id }: Column) =>
  go({ ...NO_EPISODE, run, set, episode: id, other: undefined, view: undefined, group: undefined });

function Cell({
  step: { action, thought, reward, pictures, legal, error },
  column: { run, set },
}: {
  readonly step: ShownStep;
  readonly column: Column;
}) {
  const [picture] = pictures;
  const source = picture && pictureOf(run, set, picture);
  return (
    <div class="cell">
      {source && <img src={source} alt="" loading="lazy" />}
      <code>{action ?? 'none'}</code> {reward !== 0 && <b>{signed(reward)}</b>}{' '}
      {legal === false && <span class="badge bad">not legal</span>}
      {error && <span class="badge bad">error</span>}
      {thought && <p class="soft">{thought.slice(0, 200)}</p>}
    </div>
  );
}

/** The first step whose action differs, or that only some of them have. */
function firstDifference(episodes: readonly ShownEpisode[]): number | undefined {
  const [one, ...others] = episodes;
  if (!one || others.length === 0) return undefined;
  const length = Math.max(...episodes.map(({ steps }) => steps.length));
  const same = (at: number) =>
    others.every(
      ({ steps }) =>
        steps[at] !== undefined && one.steps[at] !== undefined && actionOf(steps[at]) === actionOf(one.steps[at]),
    );
  const at = Array.from({ length }, (_, step) => step).find((step) => !same(step));
  return at;
}

/** An agent writes `+` for what another chooses as number 1. */
const actionOf = ({ taken, action }: ShownStep): string | undefined => taken ?? action;

function useEpisodesOf(columns: readonly Column[]): Read {
  const key = JSON.stringify(columns);
  const [read, setRead] = useState<Read & { readonly key: string }>();
  useEffect(() => {
    let isOver = false;
    void Promise.all(
      columns.map(({ run, set, id }) =>
        ask<ShownEpisode>(`runs/${run}/episode?set=${set}&id=${encodeURIComponent(id)}`),
      ),
    ).then(
      (episodes) => !isOver && setRead({ key, episodes }),
      ({ message }: Error) => !isOver && setRead({ key, episodes: [], error: message }),
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  return read?.key === key ? read : NONE; // not those of other columns
}

interface Read {
  readonly episodes: readonly ShownEpisode[];
  readonly error?: string;
}

const NONE: Read = { episodes: [] };
