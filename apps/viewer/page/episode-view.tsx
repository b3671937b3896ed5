/** One episode, step by step: what was seen, thought, done and earned. */
import { useEffect, useState } from 'preact/hooks';
import type { EpisodeSet, ShownEpisode, ShownStep, Verification } from '../src/protocol.js';
import { act, embedded, useAnswer } from './data.js';
import { count, short } from './format.js';
import { useKeys } from './keys.js';
import { Likewise, remember } from './likewise.js';
import { go, hrefOf, NO_EPISODE, type Place } from './place.js';
import { stageOf } from './stages/index.js';
import { StageView } from './stages/stage-view.js';
import { Pictures, StepView } from './step-view.js';
import { ArenaForm } from './what-if/arena-form.js';
import { BranchForm } from './what-if/branch-form.js';
import { FamilyTree } from './what-if/family-tree.js';
import { TalkForm } from './what-if/talk-form.js';

/** Steps per second. */
const SPEED = 2;

interface EpisodeProps {
  readonly run: string;
  readonly set: EpisodeSet;
  readonly id: string;
  readonly place: Place;
  readonly agents: readonly string[];
  readonly speakers: readonly string[];
  readonly policies: readonly string[];
  readonly onBranch: () => void;
}

export function EpisodeView({ run, set, id, place, agents, speakers, policies, onBranch }: EpisodeProps) {
  const [asked, setAsked] = useState(0);
  const { value: episode, error } = useAnswer<ShownEpisode>(
    `runs/${run}/episode?set=${set}&id=${encodeURIComponent(id)}`,
    { fresh: asked },
  );
  // no other link leaves the set out
  if (error && place.set === undefined) return <Likewise {...{ run, set }} />;
  if (error)
    return (
      <section class="episode" aria-label="Episode">
        <p class="alert" role="alert">
          {error}
        </p>
      </section>
    );
  if (!episode) return <section class="episode soft">Reading the episode …</section>;
  const branched = () => {
    setAsked((before) => before + 1);
    onBranch();
  };
  return <Player {...{ run, set, id, place, agents, speakers, policies, episode, onBranch: branched }} />;
}

function Player(props: EpisodeProps & { readonly episode: ShownEpisode }) {
  const { run, set, id, place, agents, speakers, policies, episode, onBranch } = props;
  const { steps, row, lastPictures } = episode;
  useEffect(() => remember(row.seed), [row.seed]);
  const last = steps.length;
  const at = Math.min(Math.max(Number(place.step ?? 0) || 0, 0), last);
  const [isPlaying, setPlaying] = useState(false);
  const to = (next: number) => go({ step: String(Math.min(Math.max(next, 0), last)), token: undefined }, true);
  const back = () => to(at - 1);
  const forward = () => to(at + 1);
  const play = () => setPlaying((before) => !before);
  useKeys({ ArrowLeft: back, ArrowRight: forward, ' ': play });
  useEffect(() => {
    if (!isPlaying) return;
    if (at >= last) return setPlaying(false);
    const timer = setTimeout(forward, 1000 / SPEED);
    return () => clearTimeout(timer);
  }, [isPlaying, at]);
  const step = steps[at];
  return (
    <section class="episode" aria-label="Episode">
      <header>
        <h2>{row.seed === undefined ? id : `Seed ${row.seed}`}</h2>
        <Outcome {...{ episode }} />
        {!embedded && episode.replayable && <Verify {...{ run, set, id }} />}
        <a class="quiet button" href={hrefOf(NO_EPISODE)} aria-label="Close the episode">
          Close
        </a>
      </header>
      {row.task && <p class="soft wrap">{row.task}</p>}
      {row.error && <Failure {...{ steps, to }} />}
      {(row.group ?? row.seed) !== undefined && (
        <p>
          <a href={hrefOf({ view: 'group', group: String(row.group ?? row.seed) })}>
            Beside the others of the same {row.group === undefined ? 'seed' : 'group'}
          </a>
        </p>
      )}
      <div class="bar player">
        <button type="button" onClick={back} disabled={at === 0} aria-label="Back by a step">
          ←
        </button>
        <button type="button" onClick={play} aria-pressed={isPlaying}>
          {isPlaying ? 'Stop' : 'Play'}
        </button>
        <button type="button" onClick={forward} disabled={at === last} aria-label="Forward by a step">
          →
        </button>
        <label class="grow">
          <span>
            Step <output>{at === last ? 'end' : at}</output> of {last}
          </span>
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            onInput={(event) => to(event.currentTarget.valueAsNumber)}
          />
        </label>
      </div>
      <Strip {...{ steps, at, to }} />
      {step ? (
        <StepView
          {...{ run, set, id, step, place, environment: episode.environment }}
          policies={!embedded && episode.replayable ? policies : []}
        />
      ) : (
        <div class="step">
          <Pictures {...{ run, set, hashes: lastPictures }} />
          <LastScene {...{ episode }} />
          <p>The episode is over: return {short(row.return)}.</p>
        </div>
      )}
      {!embedded && episode.replayable && step && (
        <>
          <BranchForm key={`branch ${step.index}`} {...{ run, set, id, step, agents, speakers, onBranch }} />
          <TalkForm key={`talk ${step.index}`} {...{ run, set, id, step, speakers }} />
          <ArenaForm {...{ run, set, row, agents, onPair: onBranch }} />
        </>
      )}
      <FamilyTree family={episode.family} id={id} />
      {row.parent && episode.family.length === 0 && (
        <p class="soft">
          A branch of {row.parent} at step {row.at}, which is not here any more.
        </p>
      )}
    </section>
  );
}

/** The observation after the last step. */
function LastScene({ episode }: { readonly episode: ShownEpisode }) {
  const { steps, environment, lastPictures, lastObservation } = episode;
  const last = steps.at(-1);
  if (lastObservation === undefined) return null;
  const stage = stageOf(environment, lastPictures.length > 0);
  if (!stage || !last) return <pre tabIndex={0}>{lastObservation}</pre>;
  const { action: _, info: __, ...rest } = last;
  return <StageView stage={stage} step={{ ...rest, observation: lastObservation }} />;
}

function Outcome({ episode: { row } }: { readonly episode: ShownEpisode }) {
  const words = row.success === true ? 'solved' : row.success === false ? 'not solved' : row.endedBy;
  const kind = row.success === true ? 'good' : row.success === false ? 'bad' : '';
  return (
    <span>
      <span class={`badge ${kind}`}>{words}</span> return {short(row.return)}, {count(row.length, 'step')},{' '}
      {row.endedBy}
      {row.reason && row.reason !== row.endedBy && ` (${row.reason})`}
      {row.policyVersion !== undefined && `, policy version ${row.policyVersion}`}
    </span>
  );
}

/** Why the episode failed, and a way to the step. */
function Failure({ steps, to }: { readonly steps: readonly ShownStep[]; readonly to: (step: number) => void }) {
  const at = steps.findIndex(({ error }) => error !== undefined);
  if (at < 0) return null;
  return (
    <p class="alert wrap">
      {steps[at]!.error}{' '}
      <button type="button" onClick={() => to(at)}>
        Go to step {at}
      </button>
    </p>
  );
}

/** Every step as a mark: what went wrong is seen before it is read. */
function Strip({
  steps,
  at,
  to,
}: {
  readonly steps: readonly ShownStep[];
  readonly at: number;
  readonly to: (step: number) => void;
}) {
  if (steps.length > 400) return null;
  return (
    <ol class="strip" aria-label="Steps">
      {steps.map(({ index, legal, error, reward, action = '–' }, position) => {
        const kind = error ? 'bad' : legal === false ? 'illegal' : reward > 0 ? 'good' : '';
        const label = `step ${index}: ${action}, reward ${short(reward)}${error ? ', error' : legal === false ? ', illegal' : ''}`;
        return (
          <li key={index}>
            <button
              type="button"
              class={kind}
              title={label}
              aria-label={label}
              aria-current={position === at ? 'step' : undefined}
              onClick={() => to(position)}
            >
              <span aria-hidden="true">
                {error ? '!' : legal === false ? '×' : reward > 0 ? '+' : reward < 0 ? '−' : '·'}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function Verify({ run, set, id }: Pick<EpisodeProps, 'run' | 'set' | 'id'>) {
  const [state, setState] = useState<'idle' | 'playing' | Verification | Error>('idle');
  const verify = () => {
    setState('playing');
    act<Verification>(`runs/${run}/verify`, { set, id }).then(setState, setState);
  };
  if (state === 'idle')
    return (
      <button type="button" class="quiet" onClick={verify}>
        Play it again and compare
      </button>
    );
  if (state === 'playing') return <span role="status">playing it again …</span>;
  if (state instanceof Error) return <span role="status">{state.message}</span>;
  return (
    <span class={`badge ${state.ok ? 'good' : 'bad'}`} role="status">
      {state.ok ? `replayed: ${state.steps} of ${state.total} steps equal` : `differs at ${state.difference}`}
    </span>
  );
}
