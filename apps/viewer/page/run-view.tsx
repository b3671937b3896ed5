/** One run: its state, its curves with the cursor, the episodes at the cursor, and the episode that is open. */
import type { EpisodeSet, RunDetails, RunSummary } from '../src/protocol.js';
import { Curves } from './charts/curves.js';
import { AgentsForm } from './compare/agents-form.js';
import { Comparison } from './compare/comparison.js';
import { SideBySide } from './compare/side-by-side.js';
import { EpisodeView } from './episode-view.js';
import { Episodes } from './episodes.js';
import { count, percent } from './format.js';
import { useRecords, useRun } from './live-run.js';
import { go, type Place, usePlace } from './place.js';
import { STATES } from './runs-view.js';
import { Scrubber } from './scrubber.js';
import { Settings } from './settings.js';

export function RunView({ id, runs }: { readonly id: string; readonly runs: readonly RunSummary[] }) {
  const place = usePlace();
  const live = useRun(id);
  const { details, records, connected } = live;
  const others = useRecords(place.other === id ? undefined : place.other);
  if (live.error && !details)
    return (
      <p class="alert" role="alert">
        {live.error}
      </p>
    );
  if (!details) return <p class="soft">Reading the run …</p>;
  const { summary, alarms } = details;
  const last = records.at(-1)?.update;
  const cursor = place.update === undefined ? last : Number(place.update);
  const set = setAt(place, details, cursor);
  const hasCurves = summary.kind === 'training';
  return (
    <>
      <StateLine {...{ details, connected, place, runs }} />
      {alarms.length > 0 && (
        <details>
          <summary>{count(alarms.length, 'alarm')}</summary>
          <ul>
            {alarms.map((alarm) => (
              <li key={alarm}>{alarm}</li>
            ))}
          </ul>
        </details>
      )}
      {place.view === 'settings' && <Settings settings={details.settings} />}
      {hasCurves && <Curves {...{ records, others, place, cursor }} />}
      {hasCurves && records.length > 0 && (
        <Scrubber {...{ records, place, cursor, isRunning: summary.state === 'running' }} />
      )}
      {place.other && <Comparison run={id} other={place.other} fresh={live.fresh} {...{ runs, place }} />}
      {place.view === 'group' && set && place.group !== undefined && (
        <SideBySide run={id} set={set} group={place.group} />
      )}
      {set ? (
        <div class={place.episode ? 'split open' : 'split'}>
          <Episodes key={tabOf(set)} {...{ run: id, set, details, place, cursor, fresh: live.fresh }} />
          {place.episode && (
            <EpisodeView
              key={`${set} ${place.episode}`}
              {...{
                run: id,
                set,
                id: place.episode,
                place,
                agents: details.agents,
                speakers: details.speakers,
                policies: details.policies,
                onBranch: live.refresh,
              }}
            />
          )}
        </div>
      ) : (
        !place.other && <NoEpisodes />
      )}
    </>
  );
}

interface StateProps {
  readonly details: RunDetails;
  readonly connected: boolean;
  readonly place: Place;
  readonly runs: readonly RunSummary[];
}

function StateLine({ details: { summary, command, resume, settings }, connected, place, runs }: StateProps) {
  const { state, algorithm, agent, agents = [], environment, seed, updates, total, success, id } = summary;
  const isTraining = summary.kind === 'training';
  const candidates = runs.filter((run) => run.id !== id && run.kind === summary.kind).slice(0, 100);
  return (
    <section class="state" aria-label="State">
      <p>
        <span class={`badge ${state}`} role="status">
          {STATES[state]}
        </span>{' '}
        <strong>{algorithm ?? agent ?? 'episodes'}</strong>
        {environment && ` on ${environment}`}
        {seed !== undefined && `, seed ${seed}`}
        {isTraining && ` · update ${updates ?? 0}${total === undefined ? '' : ` of ${total}`}`}
        {success !== undefined && ` · success ${percent(success)}`}
      </p>
      {!connected && (
        <p class="alert" role="alert">
          <code>vlgym view</code> does not answer any more. What is here stays; start it again to continue.
        </p>
      )}
      {resume && state === 'stopped' && (
        <p>
          The run has stopped before its end. Continue with <code>{resume}</code>
        </p>
      )}
      <div class="bar">
        {settings.length > 0 && (
          <button
            type="button"
            class="quiet"
            aria-pressed={place.view === 'settings'}
            onClick={() => go({ view: place.view === 'settings' ? undefined : 'settings' })}
          >
            Settings
          </button>
        )}
        {candidates.length > 0 && (
          <label>
            Compare with{' '}
            <select
              value={place.other ?? ''}
              onChange={(event) => go({ ...NO_SIDES, other: event.currentTarget.value || undefined })}
            >
              <option value="">no other run</option>
              {candidates.map((run) => (
                <option key={run.id} value={run.id}>
                  {run.name}
                </option>
              ))}
            </select>
          </label>
        )}
        {agents.length > 1 && <AgentsForm run={id} agents={agents} />}
        {command && (
          <details class="command">
            <summary>Command</summary>
            <code>{command}</code>
          </details>
        )}
      </div>
    </section>
  );
}

/** Those of another comparison. */
const NO_SIDES = { first: undefined, second: undefined, group: undefined } as const;

const NoEpisodes = () => (
  <p class="note">
    No episode is recorded yet. A run keeps those of its last evaluation; <code>vlgym train … --record 5</code> also
    keeps what every fifth update learned from, token by token.
  </p>
);

/** The set that the reader chose, or else the record of an update that is nearest to the cursor, or what was played. */
function setAt(
  { set }: Place,
  { recorded, played, branches, pairs }: RunDetails,
  cursor: number | undefined,
): EpisodeSet | undefined {
  if (set === 'played' && played) return 'played';
  if (set === 'branches' && branches > 0) return 'branches';
  if (set === 'pairs' && pairs > 0) return 'pairs';
  if (recorded.some((update) => set === `update-${update}`)) return set as EpisodeSet;
  const nearest = nearestTo(recorded, cursor);
  if (nearest !== undefined) return `update-${nearest}`;
  return played ? 'played' : branches > 0 ? 'branches' : undefined;
}

/** The last recorded update up to the cursor, or the first one after it. */
function nearestTo(recorded: readonly number[], cursor: number | undefined): number | undefined {
  if (cursor === undefined) return recorded.at(-1);
  return recorded.findLast((update) => update <= cursor) ?? recorded[0];
}

/** Another tab starts with an empty list; another update keeps the rows of the one before until its own are there. */
const tabOf = (set: EpisodeSet) => (set.startsWith('update-') ? 'updates' : set);
