/** Episodes as strips of pictures: what the model saw, thought and did, step by step. */
import type { Trajectory, TrajectoryStep } from '@vlgym/core/trajectory';
import type { EpisodeStrip } from './data.js';
import type { Colors } from './document/colors.js';
import { html, type Markup } from './document/html.js';

/** Hash of the picture that the agent saw at a step: the last one of its prompt, else of the observation before it. */
export function pictureOf(trajectory: Trajectory, step: TrajectoryStep): string | undefined {
  const prompted = (step.prompt ?? [])
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .findLast((part) => part.type === 'image');
  if (prompted?.type === 'image') return prompted.image;
  const before = step.index === 0 ? trajectory.observation : trajectory.steps[step.index - 1]?.observation;
  return before?.images?.at(-1);
}

/** Rewards are whole numbers in most environments, and no longer than needed in others. */
export const short = (value: number) => String(Number(value.toFixed(2))).replace('-', '−');
const signed = (reward: number) => (reward > 0 ? '+' : '') + short(reward);
const tone = (reward: number) => (reward > 0 ? 'good' : reward < 0 ? 'bad' : 'soft');

/** The thought without the JSON around it, where the response is one. */
function readable(step: TrajectoryStep): string {
  const text = step.thought || step.response || '';
  const ended = text.replace(/^\s*\{\s*/, '').trimEnd(); // /\s*$/ is quadratic in blanks
  return (ended.endsWith(',') ? ended.slice(0, -1) : ended).replaceAll('"', '');
}

/** @param urlOf  Address of the picture of a step, if it has one. */
export function episodeSteps({ steps }: Trajectory, urlOf: (step: TrajectoryStep) => string | undefined): Markup[] {
  return steps.map((step) => {
    const picture = urlOf(step);
    return html`<div class="step">${picture && html`<img src="${picture}" alt="what the model saw at step ${step.index + 1}" loading="lazy">`}
<div class="action"><code>${step.actionText || '—'}${step.fallback === true && (step.action === undefined ? ' (unreadable)' : ' (drawn)')}</code><span class="${tone(step.reward)}">${signed(step.reward)}</span></div>
<div class="thought">${readable(step)}${step.thoughtCorrect === false && html` <span class="bad">not true</span>`}</div></div>`;
  });
}

export function episodes(strips: readonly EpisodeStrip[], color: Colors): Markup[] {
  return strips.map(({ caption, algorithm, success, trajectory, images }) => {
    const steps = episodeSteps(trajectory, (step) => {
      const hash = pictureOf(trajectory, step);
      return hash === undefined ? undefined : images.get(hash);
    });
    return html`<section class="episode"><header><h3 class="${algorithm && color(algorithm)}">${caption}</h3><span class="badge ${success ? 'good' : 'bad'}">${success ? 'solved' : 'not solved'}</span><span class="soft">return ${short(trajectory.outcome.return)}</span></header><div class="strip" tabindex="0" role="group" aria-label="${caption}, step by step">${steps}</div></section>`;
  });
}
