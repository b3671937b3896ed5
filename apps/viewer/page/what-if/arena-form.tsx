/** The arena: two agents play the seed of this episode, or another one, and are shown side by side. */
import { useState } from 'preact/hooks';
import type { EpisodeRow, EpisodeSet, PlayedPair } from '../../src/protocol.js';
import { act } from '../data.js';
import { go, NO_EPISODE } from '../place.js';
import { AgentChoice } from './agent-choice.js';

interface ArenaProps {
  readonly run: string;
  readonly set: EpisodeSet;
  readonly row: EpisodeRow;
  readonly agents: readonly string[];
  readonly onPair: () => void;
}

export function ArenaForm({ run, set, row, agents, onPair }: ArenaProps) {
  const players = agents.filter((name) => name !== 'nobody');
  const [first, setFirst] = useState(players[0] ?? '');
  const [second, setSecond] = useState(players.find((name) => name !== first) ?? '');
  const [seed, setSeed] = useState(String(row.seed ?? 0));
  const [state, setState] = useState<'idle' | 'playing' | Error>('idle');
  if (players.length < 2) return null;
  const play = (event: Event) => {
    event.preventDefault();
    setState('playing');
    act<PlayedPair>(`runs/${run}/pair`, { set, id: row.id, first, second, seed: Number(seed) }).then(({ group }) => {
      setState('idle');
      onPair();
      go({ ...NO_EPISODE, set: 'pairs', view: 'group', group });
    }, setState);
  };
  return (
    <details class="branch">
      <summary>Arena: two on one seed</summary>
      <form onSubmit={play}>
        <div class="bar">
          <AgentChoice label="first" agents={players} agent={first} onChoice={setFirst} />
          <AgentChoice label="second" agents={players} agent={second} onChoice={setSecond} />
          <label>
            seed{' '}
            <input
              type="number"
              min={0}
              step={1}
              required
              value={seed}
              onInput={(event) => setSeed(event.currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={state === 'playing' || first === second}>
            {state === 'playing' ? 'Playing …' : 'Let them play'}
          </button>
        </div>
        {first === second && <p class="soft">Choose two that differ.</p>}
        {state instanceof Error && (
          <p class="alert" role="alert">
            {state.message}
          </p>
        )}
      </form>
    </details>
  );
}
