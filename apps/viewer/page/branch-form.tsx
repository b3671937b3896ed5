/** What if: another answer at this step, and who plays on. The branch is recorded next to its parent. */
import { useState } from 'preact/hooks';
import type { EpisodeRow, EpisodeSet, ShownStep } from '../src/protocol.js';
import { act } from './data.js';
import { go, NO_EPISODE } from './place.js';

interface BranchProps {
  readonly run: string;
  readonly set: EpisodeSet;
  readonly id: string;
  readonly step: ShownStep;
  readonly agents: readonly string[];
  readonly onBranch: () => void;
}

const WORDS: Readonly<Record<string, string>> = {
  recorded: 'the recorded actions, as far as they go',
  nobody: 'nobody: end after this step',
  policy: 'the newest weights of this run',
  oracle: 'the expert of the environment',
  random: 'random actions',
};

export function BranchForm({ run, set, id, step, agents, onBranch }: BranchProps) {
  const [response, setResponse] = useState(step.response || step.action || '');
  const [agent, setAgent] = useState(agents.includes('oracle') ? 'oracle' : (agents[0] ?? ''));
  const [isEdited, setEdited] = useState(true);
  const [state, setState] = useState<'idle' | 'playing' | Error>('idle');
  const play = (event: Event) => {
    event.preventDefault();
    setState('playing');
    act<EpisodeRow>(`runs/${run}/branch`, { set, id, at: step.index, agent, ...(isEdited && { response }) }).then(
      (row) => {
        setState('idle');
        onBranch();
        go({ ...NO_EPISODE, set: 'branches', episode: row.id, step: String(step.index), view: undefined });
      },
      setState,
    );
  };
  return (
    <details class="branch">
      <summary>Branch here: what if?</summary>
      <form onSubmit={play}>
        <label class="check">
          <input type="checkbox" checked={isEdited} onChange={(event) => setEdited(event.currentTarget.checked)} />{' '}
          answer at step {step.index} with
        </label>
        <textarea
          rows={5}
          aria-label="Answer"
          value={response}
          disabled={!isEdited}
          onInput={(event) => setResponse(event.currentTarget.value)}
        />
        <label>
          then continue with{' '}
          <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
            {agents.map((name) => (
              <option key={name} value={name}>
                {WORDS[name] ?? name}
              </option>
            ))}
          </select>
        </label>{' '}
        <button type="submit" disabled={state === 'playing'}>
          {state === 'playing' ? 'Playing …' : 'Play the branch'}
        </button>
        {state instanceof Error && (
          <p class="alert" role="alert">
            {state.message}
          </p>
        )}
      </form>
    </details>
  );
}
