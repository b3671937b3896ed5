/** The tokens of an answer, colored by a number of each, with all numbers of the one that is chosen. */
import type { ShownStep, TokenColumns } from '../src/protocol.js';
import { useAnswer } from './data.js';
import { short } from './format.js';
import { go, type Place } from './place.js';
import { Alternatives } from './what-if/alternatives.js';

interface TokensProps {
  readonly run: string;
  readonly set: string;
  readonly id: string;
  readonly step: ShownStep;
  readonly place: Place;
  /** Weights that can be asked for other tokens; none where the episode cannot be played again. */
  readonly policies: readonly string[];
}

export function Tokens({ run, set, id, step, place, policies }: TokensProps) {
  const { value: tokens, error } = useAnswer<TokenColumns>(
    `runs/${run}/tokens?set=${set}&id=${encodeURIComponent(id)}&step=${step.index}`,
  );
  if (error) return <p class="alert">{error}</p>;
  if (!tokens) return <p class="soft">Reading {step.tokens} tokens …</p>;
  const { columns, texts, ids, parts } = tokens;
  const column = columns.find(({ name }) => name === place.column) ?? columns[0];
  const chosen = place.token === undefined ? undefined : Number(place.token);
  const shade = column ? shadesOf(column.name, column.values) : [];
  return (
    <section aria-label="Tokens">
      <h3>Tokens</h3>
      {columns.length > 0 && (
        <label>
          Colored by{' '}
          <select value={column?.name ?? ''} onChange={(event) => go({ column: event.currentTarget.value }, true)}>
            {columns.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="tokens">
        {ids.map((tokenId, token) => (
          <button
            key={token}
            type="button"
            class={`${parts[token]} ${shade[token]! < 0 ? 'below' : ''}`}
            style={{ '--shade': `${Math.round(Math.abs(shade[token] ?? 0) * 100)}%` }}
            aria-pressed={chosen === token}
            title={`${column ? `${column.title} ${short(column.values[token])}` : `token ${tokenId}`}${parts[token] ? `, ${parts[token]}` : ''}`}
            onClick={() => go({ token: chosen === token ? undefined : String(token) }, true)}
          >
            {visible(texts[token] ?? '') || `⟨${tokenId}⟩`}
          </button>
        ))}
      </p>
      <p class="soft legend">
        <span class="thought">thought</span> <span class="action">action</span> underlined; darker is{' '}
        {column && LOG_PROBS.has(column.name) ? 'less likely' : 'farther from neutral'}
      </p>
      {chosen !== undefined && chosen < ids.length && (
        <>
          <Numbers {...{ tokens, chosen }} />
          <Alternatives
            key={step.index}
            {...{ run, set, id, policies, at: step.index, token: chosen, tokenId: ids[chosen]!, show: visible }}
          />
        </>
      )}
      <details>
        <summary>All numbers as a table</summary>
        <div class="scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {['', 'token', 'id', 'part', ...columns.map(({ title }) => title)].map((name, index) => (
                  <th key={index} scope="col">
                    {name || <span class="hidden">position</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ids.map((tokenId, token) => (
                <tr key={token}>
                  <td>{token}</td>
                  <th scope="row">
                    <code>{visible(texts[token] ?? '')}</code>
                  </th>
                  <td>{tokenId}</td>
                  <td>{parts[token]}</td>
                  {columns.map(({ name, values }) => (
                    <td key={name}>{short(values[token])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function Numbers({
  tokens: { ids, parts, columns, texts },
  chosen,
}: {
  readonly tokens: TokenColumns;
  readonly chosen: number;
}) {
  return (
    <dl class="facts chosen" aria-live="polite">
      <div>
        <dt>token {chosen}</dt>
        <dd>
          <code>{visible(texts[chosen] ?? '')}</code> id {ids[chosen]} {parts[chosen] && `in the ${parts[chosen]}`}
        </dd>
      </div>
      {columns.map(({ name, title, values }) => (
        <div key={name}>
          <dt>{title}</dt>
          <dd>{short(values[chosen])}</dd>
        </div>
      ))}
    </dl>
  );
}

const LOG_PROBS = new Set(['logProb', 'behavior', 'reference', 'teacher', 'after']);

/** 0 to 1, negative below the neutral value: 0, or 1 for a ratio. */
function shadesOf(name: string, values: readonly number[]): number[] {
  const neutral = name.startsWith('ratio') ? 1 : 0;
  const shifted = values.map((value) => (Number.isFinite(value) ? value - neutral : 0));
  const most = Math.max(...shifted.map(Math.abs), 1e-9);
  return shifted.map((value) => value / most);
}

/** White space that would not be seen. */
const visible = (text: string): string => text.replaceAll('\n', '⏎').replaceAll('\t', '⇥').replace(/^ /, '␣');
