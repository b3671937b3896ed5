/**
 * All episodes of one recording as a page next to it: the report shows a few, and links to these. Pictures stay files of the
 * recording, loaded when an episode is opened.
 */
import type { Trajectory } from '@vlgym/core/trajectory';
import { reportDocument } from './document/document.js';
import { html, type Markup } from './document/html.js';
import { episodeSteps, pictureOf, short } from './episode-strips.js';

export interface EpisodesPage {
  readonly title: string;
  readonly lead: string;
  readonly episodes: readonly Trajectory[];
  /** Folder of the pictures, relative to the page. */
  readonly images: string;
}

export function episodesPage({ title, lead, episodes, images }: EpisodesPage): string {
  const solved = episodes.filter(isSolved).length;
  const body = html`<p class="soft">${solved} of ${episodes.length} episodes solved.</p>
${episodes.map((episode) => section(episode, images))}`;
  return reportDocument({ title, lead, body, pictures: "'self' file:" });
}

const isSolved = ({ outcome }: Trajectory) => outcome.success ?? outcome.return > 0;

function section(episode: Trajectory, images: string): Markup {
  const solved = isSolved(episode);
  const name = episode.seed === undefined ? episode.id : `Seed ${episode.seed}`;
  const urlOf = (step: Trajectory['steps'][number]) => {
    const hash = pictureOf(episode, step);
    return hash && `${images}/${hash.slice('sha256:'.length)}.png`;
  };
  return html`<details class="episode"><summary><b>${name}</b> <span class="badge ${solved ? 'good' : 'bad'}">${solved ? 'solved' : 'not solved'}</span> return ${short(episode.outcome.return)}, ${episode.steps.length} steps</summary>
<div class="strip" tabindex="0" role="group" aria-label="${name}, step by step">${episodeSteps(episode, urlOf)}</div></details>`;
}
