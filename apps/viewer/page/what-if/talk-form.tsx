/** A conversation with a checkpoint or a language model about one step. It is kept while the step is shown. */
import { useState } from 'preact/hooks';
import { act } from '../data.js';
import { AgentChoice } from './agent-choice.js';
import type { StepFormProps } from './branch-form.js';

type TalkProps = Omit<StepFormProps, 'agents' | 'onBranch'>;

export function TalkForm({ run, set, id, step, speakers }: TalkProps) {
  const [agent, setAgent] = useState(speakers.at(-1) ?? '');
  const [said, setSaid] = useState<readonly string[]>([]);
  const [question, setQuestion] = useState('');
  const [state, setState] = useState<'idle' | 'asking' | Error>('idle');
  if (speakers.length === 0) return null;
  const ask = (event: Event) => {
    event.preventDefault();
    setState('asking');
    const asked = [...said, question];
    act<{ answer: string }>(`runs/${run}/talk`, { set, id, at: step.index, agent, said: asked }).then(({ answer }) => {
      setSaid([...asked, answer]);
      setQuestion('');
      setState('idle');
    }, setState);
  };
  return (
    <details class="branch">
      <summary>Ask about this step</summary>
      <form onSubmit={ask}>
        <p class="soft">It reads the prompt of step {step.index} and the answer, and then your question.</p>
        <ol class="talk" aria-live="polite">
          {said.map((words, turn) => (
            <li key={turn} class={`message ${turn % 2 === 0 ? '' : 'assistant'}`}>
              <strong>{turn % 2 === 0 ? 'you' : agent}</strong>
              <p class="pre">{words}</p>
            </li>
          ))}
        </ol>
        <textarea
          rows={2}
          aria-label="Question"
          placeholder="Why not the other way?"
          required
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
        />
        <div class="bar">
          <AgentChoice label="ask" agents={speakers} agent={agent} onChoice={setAgent} />
          <button type="submit" disabled={state === 'asking' || question.trim() === ''}>
            {state === 'asking' ? 'Thinking …' : 'Ask'}
          </button>
          {said.length > 0 && (
            <button type="button" class="quiet" onClick={() => setSaid([])}>
              Begin again
            </button>
          )}
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
