/** What if: another answer or another picture at this step, and who plays on. The branch is recorded next to its parent. */
import { useState } from 'preact/hooks';
import type { EpisodeRow, EpisodeSet, ShownStep } from '../../src/protocol.js';
import { act } from '../data.js';
import { go, NO_EPISODE } from '../place.js';
import { AgentChoice } from './agent-choice.js';
import { type ChangedPicture, PictureEditor } from './picture-editor.js';

export interface StepFormProps {
  readonly run: string;
  readonly set: EpisodeSet;
  readonly id: string;
  readonly step: ShownStep;
  readonly agents: readonly string[];
  readonly speakers: readonly string[];
  readonly onBranch: () => void;
}

type Change = 'answer' | 'picture' | 'nothing';

export function BranchForm({ run, set, id, step, agents, speakers, onBranch }: StepFormProps) {
  const [change, setChange] = useState<Change>('answer');
  const [response, setResponse] = useState(step.response || step.action || '');
  const [picture, setPicture] = useState<ChangedPicture>();
  const [chosen, setChosen] = useState(agents.includes('oracle') ? 'oracle' : (agents[0] ?? ''));
  const [state, setState] = useState<'idle' | 'playing' | Error>('idle');
  // a player without words leaves no prompt: the next one sees the picture of the observation
  const shown = step.prompt?.flatMap(({ parts }) => parts.flatMap(({ image }) => image ?? [])) ?? step.pictures;
  const canChangePicture = shown.length > 0 && speakers.length > 0;
  const choices = change === 'picture' ? speakers : agents;
  const agent = choices.includes(chosen) ? chosen : (choices[0] ?? '');
  const play = (event: Event) => {
    event.preventDefault();
    setState('playing');
    const changed = { ...(change === 'answer' && { response }), ...(change === 'picture' && { picture }) };
    act<EpisodeRow>(`runs/${run}/branch`, { set, id, at: step.index, agent, ...changed }).then((row) => {
      setState('idle');
      onBranch();
      go({ ...NO_EPISODE, set: 'branches', episode: row.id, step: String(step.index), view: undefined });
    }, setState);
  };
  const option = (value: Change, words: string) => (
    <label class="check">
      <input type="radio" name="change" value={value} checked={change === value} onChange={() => setChange(value)} />{' '}
      {words}
    </label>
  );
  return (
    <details class="branch">
      <summary>Branch here: what if?</summary>
      <form onSubmit={play}>
        <fieldset>
          <legend>At step {step.index}</legend>
          {option('answer', 'another answer')}
          {canChangePicture && option('picture', 'another picture')}
          {option('nothing', 'nothing changed: the next player answers')}
        </fieldset>
        {change === 'answer' && (
          <textarea
            rows={5}
            aria-label="Answer"
            value={response}
            onInput={(event) => setResponse(event.currentTarget.value)}
          />
        )}
        {change === 'picture' && <PictureEditor {...{ run, set, hashes: shown, onChange: setPicture }} />}
        <div class="bar">
          <AgentChoice label="then continue with" {...{ agents: choices, agent, onChoice: setChosen }} />
          <button type="submit" disabled={state === 'playing' || (change === 'picture' && !picture)}>
            {state === 'playing' ? 'Playing …' : 'Play the branch'}
          </button>
        </div>
        {state instanceof Error && (
          <p class="alert" role="alert">
            {state.message}
          </p>
        )}
      </form>
    </details>
  );
}
