/** The runs below the given folders: filter, order, open one, or choose two to compare. */
import { useState } from 'preact/hooks';
import type { RunList, RunSummary } from '../src/protocol.js';
import { age, count, percent } from './format.js';
import { hrefOf, NO_RUN } from './place.js';

/** Runs that are drawn at first. */
const SHOWN = 200;

export const STATES = { running: 'running', stopped: 'stopped', done: 'done', recorded: 'recorded' } as const;

export function RunsView({ list }: { readonly list: RunList | undefined }) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [all, setAll] = useState(false);
  if (!list) return <p class="soft">Looking through the folders …</p>;
  if (list.runs.length === 0)
    return (
      <p class="alert">
        There is no run and no recording in these folders. <code>vlgym train … --record</code> or{' '}
        <code>vlgym eval … --record FOLDER</code> makes one.
      </p>
    );
  const found = list.runs.filter((run) => matches(run, search));
  const shown = all ? found : found.slice(0, SHOWN);
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, id].slice(-2) : before.filter((each) => each !== id)));
  const [first, second] = chosen;
  return (
    <>
      <div class="bar">
        <label>
          Find <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
        <span class="soft">
          {count(found.length, 'run')}
          {list.leftOut > 0 && `, ${list.leftOut} more not looked at`}
        </span>
        {first && second ? (
          <a class="button" href={hrefOf({ ...NO_RUN, run: first, other: second })}>
            Compare the two
          </a>
        ) : (
          <span class="soft">Choose two to compare.</span>
        )}
      </div>
      <div class="scroll">
        <table class="cards">
          <thead>
            <tr>
              {['', 'run', 'state', 'algorithm or agent', 'environment', 'seed', 'progress', 'success', 'age'].map(
                (name) => (
                  <th key={name} scope="col">
                    {name || <span class="hidden">compare</span>}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((run) => (
              <tr key={run.id}>
                <td class="narrow-cell">
                  <input
                    type="checkbox"
                    aria-label={`compare ${run.name}`}
                    checked={chosen.includes(run.id)}
                    onChange={(event) => choose(run.id, event.currentTarget.checked)}
                  />
                </td>
                <th scope="row">
                  <a href={hrefOf({ ...NO_RUN, run: run.id })}>{run.name}</a>
                </th>
                <td data-label="state">
                  <span class={`badge ${run.state}`}>{STATES[run.state]}</span>
                </td>
                <td data-label="by">{run.algorithm ?? run.agent ?? '–'}</td>
                <td data-label="environment">{run.environment ?? '–'}</td>
                <td data-label="seed">{run.seed ?? '–'}</td>
                <td data-label="progress">{progress(run)}</td>
                <td data-label="success">{percent(run.success)}</td>
                <td data-label="age">{age(Date.now() - run.changedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < found.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {found.length}
        </button>
      )}
    </>
  );
}

const matches = (run: RunSummary, search: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((word) =>
      [run.name, run.state, run.algorithm, run.environment, run.agent].some((text) =>
        text?.toLowerCase().includes(word),
      ),
    );

const progress = ({ kind, updates, total, episodes, reading }: RunSummary): string =>
  kind === 'recording'
    ? `${count(episodes ?? 0, 'episode')}${reading ? ' so far' : ''}`
    : `${updates ?? 0}${total === undefined ? '' : ` of ${total}`}`;
