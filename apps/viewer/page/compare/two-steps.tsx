/** Two episodes at the same step, with one cursor for both. */
import { useEffect, useState } from 'preact/hooks';
import type { EpisodeSet, ShownEpisode } from '../../src/protocol.js';
import { short } from '../format.js';
import { useKeys } from '../keys.js';
import { go, usePlace } from '../place.js';
import { StepView } from '../step-view.js';

/** Steps per second. */
const SPEED = 2;

export interface Column {
  readonly run: string;
  readonly set: EpisodeSet;
  readonly id: string;
  readonly title: string;
}

interface TwoProps {
  readonly columns: readonly Column[];
  readonly episodes: readonly ShownEpisode[];
  /** The first step that differs. */
  readonly first: number | undefined;
}

export function TwoSteps({ columns, episodes, first }: TwoProps) {
  const place = usePlace();
  const last = Math.max(...episodes.map(({ steps }) => steps.length)) - 1;
  const at = Math.min(Math.max(Number(place.step ?? first ?? 0) || 0, 0), Math.max(last, 0));
  const [isPlaying, setPlaying] = useState(false);
  const to = (next: number) => go({ step: String(Math.min(Math.max(next, 0), last)), token: undefined }, true);
  const play = () => setPlaying((before) => !before);
  const keys = { ArrowLeft: () => to(at - 1), ArrowRight: () => to(at + 1), ' ': play };
  useKeys(place.episode === undefined ? keys : {});
  useEffect(() => {
    if (!isPlaying) return;
    if (at >= last) return setPlaying(false);
    const timer = setTimeout(() => to(at + 1), 1000 / SPEED);
    return () => clearTimeout(timer);
  }, [isPlaying, at]);
  return (
    <section class="two" aria-label="Step by step">
      <div class="bar player">
        <button type="button" onClick={() => to(at - 1)} disabled={at === 0} aria-label="Both back by a step">
          ←
        </button>
        <button type="button" onClick={play} aria-pressed={isPlaying}>
          {isPlaying ? 'Stop' : 'Play'}
        </button>
        <button type="button" onClick={() => to(at + 1)} disabled={at >= last} aria-label="Both forward by a step">
          →
        </button>
        <label class="grow">
          <span>
            Step <output>{at}</output> of both{at === first && ': the first difference'}
          </span>
          <input
            type="range"
            min={0}
            max={Math.max(last, 0)}
            value={at}
            onInput={(event) => to(event.currentTarget.valueAsNumber)}
          />
        </label>
      </div>
      <div class="pair">
        {episodes.map(({ steps, row, environment }, index) => {
          const { run, set, id, title } = columns[index]!;
          const step = steps[at];
          return (
            <section key={`${run} ${id}`} class="side" aria-label={title}>
              <h3>{title}</h3>
              {step ? (
                <StepView {...{ run, set, id, step, place, environment }} policies={[]} />
              ) : (
                <p class="soft">
                  The episode was over after {steps.length} steps: return {short(row.return)}.
                </p>
              )}
            </section>
          );
        })}
      </div>
    </section>
  );
}
