/** Two runs: what differs in their settings, and how they did on the seeds that both played. */
import type { RunComparison, RunSummary } from '../../src/protocol.js';
import type { Answer } from '../data.js';
import { count } from '../format.js';
import { go, hrefOf, type Place } from '../place.js';
import { Columns } from './side-by-side.js';

interface ComparisonProps {
  readonly run: string;
  readonly other: string;
  readonly answer: Answer<RunComparison>;
  readonly runs: readonly RunSummary[];
  readonly place: Place;
}

const points = (share: number): string => `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}`.replace('-', '−');

export function Comparison({ run, other, answer: { value, error }, runs, place }: ComparisonProps) {
  const nameOf = (id: string) => runs.find((each) => each.id === id)?.name ?? id;
  const [first, second] = [nameOf(run), nameOf(other)];
  if (error) return <p class="alert">{error}</p>;
  if (!value) return <p class="soft">Comparing …</p>;
  const { settings, pairs, difference, interval95, pValue, tasks } = value;
  const different = pairs.filter((pair) => pair.first.success !== pair.second.success);
  const seed = Number(place.group);
  const pair = place.group === undefined ? undefined : pairs.find((each) => each.seed === seed);
  return (
    <section aria-label="Comparison">
      <h2>
        {first} and {second}
      </h2>
      {difference === undefined ? (
        <p>They have no seed in common among their recorded episodes.</p>
      ) : (
        <p>
          On {count(pairs.length, 'equal seed')} ({count(tasks ?? 0, 'task')}), the success rate of {first} is{' '}
          <strong>{points(Math.abs(difference)).replace('+', '')} points</strong> {difference < 0 ? 'lower' : 'higher'}{' '}
          than that of {second}
          {interval95 && ` (95 % interval ${points(interval95[0])} to ${points(interval95[1])})`}
          {pValue !== undefined && `, p = ${pValue < 0.001 ? '< 0.001' : pValue.toFixed(3)}`}.
        </p>
      )}
      {different.length > 0 && (
        <details open>
          <summary>{count(different.length, 'seed')} with another outcome</summary>
          <ul class="seeds">
            {different.slice(0, 200).map((each) => (
              <li key={each.seed}>
                <a href={hrefOf({ group: String(each.seed) })} aria-current={each.seed === seed ? 'true' : undefined}>
                  seed {each.seed}: only {each.first.success ? 'the first' : 'the second'}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
      {pair && (
        <>
          <h3>
            Seed {pair.seed}{' '}
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
      <details open={settings.length > 0 && settings.length < 15}>
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
    </section>
  );
}
