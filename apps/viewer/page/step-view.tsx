/** One step: pictures, prompt, answer with thought and action marked, tools, reward parts, and its tokens. */
import type { ComponentChildren } from 'preact';
import type { EpisodeSet, ShownMessage, ShownStep } from '../src/protocol.js';
import { pictureOf } from './data.js';
import { short, signed } from './format.js';
import type { Place } from './place.js';
import { stageOf } from './stages/index.js';
import { StageView } from './stages/stage-view.js';
import { Tokens } from './tokens.js';

interface StepProps {
  readonly run: string;
  readonly set: EpisodeSet;
  readonly id: string;
  readonly step: ShownStep;
  readonly place: Place;
  /** Its id. */
  readonly environment: string | undefined;
  /** Weights that can be asked for other tokens. */
  readonly policies: readonly string[];
}

export function StepView({ run, set, id, step, place, environment, policies }: StepProps) {
  const { pictures, observation, prompt, error, reasoning, toolCalls, facts } = step;
  const inPrompt = new Set(prompt?.flatMap(({ parts }) => parts.flatMap(({ image }) => image ?? [])));
  const seen = [...new Set([...pictures, ...inPrompt])];
  const stage = stageOf(environment, seen.length > 0);
  return (
    <div class="step">
      <Pictures {...{ run, set, hashes: seen }} />
      <div class="words">
        {stage && <StageView stage={stage} step={step} />}
        {observation && seen.length === 0 && (
          <details open={!stage}>
            <summary>Observation</summary>
            <pre tabIndex={0}>{observation}</pre>
          </details>
        )}
        {reasoning && (
          <details open>
            <summary>Reasoning</summary>
            <p class="pre">{reasoning}</p>
          </details>
        )}
        {toolCalls.length > 0 && (
          <>
            <h3>Tools</h3>
            <ol class="tools">
              {toolCalls.map(({ name, input, output, error: problem }, index) => (
                <li key={index}>
                  <strong>{name}</strong> <code class="pre">{input}</code>
                  {output !== undefined && <pre tabIndex={0}>{output}</pre>}
                  {problem !== undefined && <p class="alert pre">{problem}</p>}
                </li>
              ))}
            </ol>
          </>
        )}
        <Answer step={step} />
        {error && <p class="alert pre">{error}</p>}
        <Numbers step={step} />
        {step.tokens > 0 && <Tokens {...{ run, set, id, step, place, policies }} />}
        {prompt && <Prompt messages={prompt} />}
        {facts.length > 0 && (
          <details>
            <summary>Usage and settings of the turn</summary>
            <Facts facts={facts} />
          </details>
        )}
      </div>
    </div>
  );
}

export function Pictures({
  run,
  set,
  hashes,
}: {
  readonly run: string;
  readonly set: string;
  readonly hashes: readonly string[];
}) {
  if (hashes.length === 0) return null;
  return (
    <div class="pictures">
      {hashes.map((hash, index) => {
        const source = pictureOf(run, set, hash);
        return source === '' ? (
          <p key={hash} class="soft">
            picture left out
          </p>
        ) : (
          <img
            key={hash}
            src={source}
            alt={`What the agent saw${hashes.length > 1 ? `, picture ${index + 1}` : ''}`}
            loading="lazy"
          />
        );
      })}
    </div>
  );
}

/** The answer with its parts marked; without one, thought and action. */
function Answer({
  step: { response, thoughtSpan, actionSpan, thought, action, legal, fallback, reason },
}: {
  readonly step: ShownStep;
}) {
  return (
    <>
      <h3>{response || thought ? 'Answer' : 'Action'}</h3>
      {response ? (
        <p class="answer pre">{marked(response, thoughtSpan, actionSpan)}</p>
      ) : (
        thought && <p class="answer pre">{thought}</p>
      )}
      <p>
        <span class="soft">action</span> <code class="action pre">{action ?? 'none could be read'}</code>{' '}
        {legal === false && <span class="badge bad">not legal</span>}{' '}
        {fallback && <span class="badge bad">replaced by the rule for unreadable answers</span>}{' '}
        {reason && <span class="soft">{reason}</span>}
      </p>
    </>
  );
}

type Span = readonly [number, number];

function marked(text: string, thought: Span | undefined, action: Span | undefined): ComponentChildren[] {
  const spans = [
    ...(thought ? [{ span: thought, kind: 'thought' }] : []),
    ...(action ? [{ span: action, kind: 'act' }] : []),
  ].sort((a, b) => a.span[0] - b.span[0]);
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { span, kind } of spans) {
    const from = Math.max(at, span[0]);
    parts.push(text.slice(at, from));
    parts.push(
      <mark key={kind} class={kind} title={kind === 'act' ? 'action' : kind}>
        {text.slice(from, Math.max(from, span[1]))}
      </mark>,
    );
    at = Math.max(from, span[1]);
  }
  return [...parts, text.slice(at)];
}

function Numbers({ step }: { readonly step: ShownStep }) {
  const { reward, rewardParts, value, advantage, return: target, inPolicyLoss, policyVersion } = step;
  const facts: (readonly [string, string])[] = [
    ['reward', signed(reward)],
    ...rewardParts.map(([name, part]) => [`· ${name}`, signed(part)] as const),
    ...(advantage === undefined ? [] : [['advantage', signed(advantage)] as const]),
    ...(value === undefined ? [] : [['value', short(value)] as const]),
    ...(target === undefined ? [] : [['return of the target', short(target)] as const]),
    ...(inPolicyLoss === undefined ? [] : [['in the loss of the policy', inPolicyLoss ? 'yes' : 'no'] as const]),
    ...(policyVersion === undefined ? [] : [['policy version', String(policyVersion)] as const]),
    ...(step.terminated ? [['end', 'terminated'] as const] : []),
    ...(step.truncated
      ? [['end', `truncated${step.truncationReason ? `: ${step.truncationReason}` : ''}`] as const]
      : []),
  ];
  return <Facts facts={facts} />;
}

const Facts = ({ facts }: { readonly facts: readonly (readonly [string, string])[] }) => (
  <dl class="facts">
    {facts.map(([name, value], index) => (
      <div key={index}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

function Prompt({ messages }: { readonly messages: readonly ShownMessage[] }) {
  return (
    <details class="prompt">
      <summary>
        Prompt, {messages.length} {messages.length === 1 ? 'message' : 'messages'}
      </summary>
      {messages.map(({ role, parts }, index) => (
        <div key={index} class={`message ${role === 'assistant' ? 'assistant' : ''}`}>
          <strong>{role}</strong>
          {parts.map((part, at) =>
            part.image === undefined ? (
              <p key={at} class="pre">
                {part.text}
              </p>
            ) : (
              <p key={at} class="soft">
                [the picture]
              </p>
            ),
          )}
        </div>
      ))}
    </details>
  );
}
