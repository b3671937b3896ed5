/** What all pairs of the arena say together: one line for each two agents. */
import type { ArenaResults } from '../../src/protocol.js';
import { useAnswer } from '../data.js';
import { count } from '../format.js';
import { hrefOf } from '../place.js';

const points = (share: number): string => `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}`.replace('-', '−');
const mark = (success: boolean | undefined): string => (success ? '✓' : '✗');

export function Standings({ run, fresh }: { readonly run: string; readonly fresh: number }) {
  const { value, error } = useAnswer<ArenaResults>(`runs/${run}/arena`, { fresh, keep: true });
  if (error) return <p class="alert">{error}</p>;
  if (!value) return null;
  const { standings, pairs } = value;
  return (
    <section aria-label="Arena">
      <div class="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {['first', 'second', 'seeds', 'only the first', 'only the second', 'both', 'neither', 'difference'].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {standings.map((each, index) => (
              <tr key={index}>
                <th scope="row">{each.first}</th>
                <td>{each.second}</td>
                <td>{each.pairs}</td>
                <td>{each.onlyFirst}</td>
                <td>{each.onlySecond}</td>
                <td>{each.both}</td>
                <td>{each.neither}</td>
                <td>
                  {points(each.difference)} of 100, 95 % {points(each.interval95[0])} to {points(each.interval95[1])}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <details open>
        <summary>{count(pairs.length, 'pair')}</summary>
        <ul class="seeds">
          {pairs.map(({ group, first, second }) => (
            <li key={group}>
              <a href={hrefOf({ set: 'pairs', view: 'group', group })}>
                seed {first.seed}: {first.agent} {mark(first.success)}, {second.agent} {mark(second.success)}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
