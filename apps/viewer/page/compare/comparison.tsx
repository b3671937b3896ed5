/** Two runs or agents: who lost on which seed, where they first differ there, and what differs in their settings. */
import { comparePath, type PairedSeed, type RunComparison } from '../../src/compare/comparison.js';
import type { RunSummary } from '../../src/protocol.js';
import { useAnswer } from '../data.js';
import { count } from '../format.js';
import { go, hrefOf, type Place } from '../place.js';
import { Columns } from './side-by-side.js';

interface ComparisonProps {
  readonly run: string;
  readonly other: string;
  readonly runs: readonly RunSummary[];
  readonly place: Place;
  readonly fresh: number;
}

/** Seeds that are listed. */
const MAX_SEEDS = 200;

const points = (share: number): string => `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}`.replace('-', '−');

export function Comparison({ run, other, runs, place, fresh }: ComparisonProps) {
  const path = comparePath({ run, agent: place.first }, { run: other, agent: place.second });
  const { value, error } = useAnswer<RunComparison>(path, { fresh });
  if (error)
    return (
      <p class="alert" role="alert">
        {error}
      </p>
    );
  if (!value) return <p class="soft">Comparing …</p>;
  const { settings, pairs } = value;
  const [first, second] = namesOf(value, [run, other], runs);
  const different = pairs.filter((pair) => pair.first.success !== pair.second.success);
  const alike = pairs.filter((pair) => pair.first.success === pair.second.success);
  const pair = pairs.find((each) => keyOf(each) === place.group);
  const seeds = (of: readonly PairedSeed[]) => <Seeds {...{ of, first, second, place }} />;
  return (
    <section aria-label="Comparison">
      <h2>
        {first} and {second}
      </h2>
      <Figures {...{ value, first, second }} />
      {different.length > 0 && (
        <details open>
          <summary>{count(different.length, 'seed')} that one of them lost</summary>
          {seeds(different)}
        </details>
      )}
      {alike.length > 0 && (
        <details open={different.length === 0}>
          <summary>{count(alike.length, 'seed')} with the same outcome</summary>
          {seeds(alike)}
        </details>
      )}
      {pair && (
        <>
          <h3>
            Seed {pair.seed}
            {pair.repeat !== undefined && `, attempt ${pair.repeat + 1}`}{' '}
            <button type="button" class="quiet" onClick={() => go({ group: undefined })}>
              Close
            </button>
          </h3>
          <Columns
            columns={[
              { run, set: 'played', id: pair.first.id, title: first },
              { run: other, set: 'played', id: pair.second.id, title: second },
            ]}
          />
        </>
      )}
      {settings.length > 0 && <Differences {...{ settings, first, second }} />}
    </section>
  );
}

/** Agents where they differ, and otherwise the runs, as for trainings. */
function namesOf(
  { agents }: RunComparison,
  ids: readonly [string, string],
  runs: readonly RunSummary[],
): readonly [string, string] {
  const [one, other] = agents;
  const isTraining = runs.find((each) => each.id === ids[0])?.kind === 'training';
  if (!isTraining && one !== '' && other !== '' && one !== other) return agents;
  const nameOf = (id: string) => runs.find((each) => each.id === id)?.name ?? id;
  return [nameOf(ids[0]), nameOf(ids[1])];
}

interface Named {
  readonly first: string;
  readonly second: string;
}

function Figures({ value, first, second }: Named & { readonly value: RunComparison }) {
  const { figures, pairs, environments, otherTasks, uncounted } = value;
  const [here, there] = environments;
  const leftOut = [
    otherTasks > 0 && `${count(otherTasks, 'seed')} with another task`,
    uncounted > 0 && `${count(uncounted, 'seed')} that an error or a stop ended`,
  ].filter((each) => each !== false);
  const rest = leftOut.length > 0 && <span class="soft"> Left out: {leftOut.join(', ')}.</span>;
  if (!figures)
    return (
      <p>
        {here !== there && here !== '' && there !== ''
          ? `They play different environments: ${here} and ${there}.`
          : 'They have no seed in common among their recorded episodes.'}
        {rest}
      </p>
    );
  const { difference, interval95, pValue, tasks, onlyFirst, onlySecond } = figures;
  return (
    <p>
      On {count(pairs.length, 'equal seed')} ({count(tasks, 'task')}), the success rate of {first} is{' '}
      {difference === 0 ? (
        <strong>the same as</strong>
      ) : (
        <strong>
          {points(Math.abs(difference)).replace('+', '')} points {difference < 0 ? 'lower' : 'higher'} than
        </strong>
      )}{' '}
      that of {second} (95 % interval {points(interval95[0])} to {points(interval95[1])}, p{' '}
      {pValue < 0.001 ? '< 0.001' : `= ${pValue.toFixed(3)}`}). Only {first} solved {onlyFirst}, only {second}{' '}
      {onlySecond}.{rest}
    </p>
  );
}

const keyOf = ({ seed, repeat }: PairedSeed): string => (repeat === undefined ? String(seed) : `${seed}.${repeat}`);

function Seeds({ of, first, second, place }: Named & { readonly of: readonly PairedSeed[]; readonly place: Place }) {
  const words = (pair: PairedSeed): string => {
    const { success } = pair.first;
    if (success === pair.second.success) return success ? 'both solved it' : 'both lost';
    return `${success ? second : first} lost`;
  };
  return (
    <ul class="seeds">
      {of.slice(0, MAX_SEEDS).map((pair) => (
        <li key={keyOf(pair)}>
          <a
            href={hrefOf({ group: keyOf(pair), step: undefined })}
            aria-current={keyOf(pair) === place.group ? 'true' : undefined}
          >
            seed {pair.seed}
            {pair.repeat !== undefined && `, attempt ${pair.repeat + 1}`}: {words(pair)}
          </a>
        </li>
      ))}
      {of.length > MAX_SEEDS && <li class="soft">and {of.length - MAX_SEEDS} more</li>}
    </ul>
  );
}

function Differences({ settings, first, second }: Named & Pick<RunComparison, 'settings'>) {
  return (
    <details open={settings.length < 15}>
      <summary>{count(settings.length, 'different setting')}</summary>
      <div class="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">setting</th>
              <th scope="col">{first}</th>
              <th scope="col">{second}</th>
            </tr>
          </thead>
          <tbody>
            {settings.map(({ name, first: one, second: two }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="wrap">{one ?? '–'}</td>
                <td class="wrap">{two ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
