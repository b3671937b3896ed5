/** The likeliest tokens at the place of one token, under weights that are chosen; computed when they are asked for. */
import { useState } from 'preact/hooks';
import type { TokenPlace } from '../../src/protocol.js';
import { act } from '../data.js';
import { short } from '../format.js';
import { AgentChoice } from './agent-choice.js';

interface AlternativesProps {
  readonly run: string;
  readonly set: string;
  readonly id: string;
  /** Its place among the steps of the episode. */
  readonly at: number;
  readonly policies: readonly string[];
  readonly token: number;
  readonly tokenId: number;
  /** White space made visible. */
  readonly show: (text: string) => string;
}

type State = 'idle' | 'asking' | Error | { readonly agent: string; readonly places: readonly TokenPlace[] };

export function Alternatives({ run, set, id, at, policies, token, tokenId, show }: AlternativesProps) {
  const [agent, setAgent] = useState(policies[0] ?? '');
  const [state, setState] = useState<State>('idle');
  if (policies.length === 0) return null;
  const ask = (name: string) => {
    setAgent(name);
    setState('asking');
    act<{ places: readonly TokenPlace[] }>(`runs/${run}/alternatives`, { set, id, at, agent: name }).then(
      ({ places }) => setState({ agent: name, places }),
      setState,
    );
  };
  const place = typeof state === 'object' && 'places' in state ? state.places[token] : undefined;
  return (
    <div class="alternatives" aria-live="polite">
      {state === 'idle' ? (
        <button type="button" onClick={() => ask(agent)}>
          What else could it have written?
        </button>
      ) : (
        <AgentChoice label="According to" agents={policies} agent={agent} onChoice={ask} />
      )}
      {state === 'asking' && <p class="soft">Asking these weights …</p>}
      {state instanceof Error && (
        <p class="alert" role="alert">
          {state.message}
        </p>
      )}
      {place && <Places {...{ place, tokenId, show }} />}
    </div>
  );
}

function Places({
  place: { logProb, rank, top },
  tokenId,
  show,
}: Pick<AlternativesProps, 'tokenId' | 'show'> & { readonly place: TokenPlace }) {
  return (
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {['rank', 'token', 'probability', 'log-prob'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {top.map(({ id, text, logProb: own }, position) => (
            <tr key={id} class={id === tokenId ? 'written' : ''}>
              <td>{position + 1}</td>
              <th scope="row">
                <code>{show(text) || `⟨${id}⟩`}</code> {id === tokenId && 'written'}
              </th>
              <td>
                <span class="share" style={{ '--share': `${Math.round(Math.exp(own) * 100)}%` }}>
                  {probability(own)}
                </span>
              </td>
              <td>{short(own)}</td>
            </tr>
          ))}
          {rank >= top.length && (
            <tr class="written">
              <td>{rank + 1}</td>
              <th scope="row">written</th>
              <td>{probability(logProb)}</td>
              <td>{short(logProb)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

const probability = (logProb: number): string => {
  const percent = Math.exp(logProb) * 100;
  return percent < 0.01 ? '< 0.01 %' : `${short(percent)} %`;
};
