/** Episodes for the report: the same evaluation seeds before training and after it, chosen by seed and not by result. */
import { join, relative, sep } from 'node:path';
import { toDataUrl } from '@vlgym/core/images';
import { writeFileAtomic } from '@vlgym/core/internal';
import { type ImageStore, readTrajectories, type Trajectory } from '@vlgym/core/trajectory';
import type { EpisodeStrip, RunResult } from '../../report/data.js';
import { pictureOf } from '../../report/episode-strips.js';
import { episodesPage } from '../../report/episodes-page.js';
import { episodesOf } from '../warm-start/warm-start.js';

/** Episodes shown per algorithm. */
const SHOWN = 2;

/** @param startFolder  Folder of episodes before training, if there are any. */
export async function collectStrips(runs: readonly RunResult[], startFolder?: string): Promise<EpisodeStrip[]> {
  const seeds = (runs[0]?.after ?? []).slice(0, SHOWN).map(({ seed }) => seed);
  const firstSeeds = runs.filter((run) => run.seed === runs[0]?.seed);
  const strips: EpisodeStrip[] = [];
  for (const seed of seeds) {
    if (startFolder) strips.push(...(await stripsOf(startFolder, seed, `Seed ${seed}, before training`, '')));
    for (const run of firstSeeds) {
      strips.push(...(await stripsOf(run.folder, seed, `Seed ${seed}, ${run.title}`, run.algorithm)));
    }
  }
  return strips;
}

async function stripsOf(folder: string, seed: number, caption: string, algorithm: string): Promise<EpisodeStrip[]> {
  const reader = readTrajectories(episodesOf(folder));
  for await (const trajectory of reader) {
    if (trajectory.seed !== seed) continue;
    const images = await pictures(trajectory, reader.images);
    return [
      { caption, algorithm, success: trajectory.outcome.success ?? trajectory.outcome.return > 0, trajectory, images },
    ];
  }
  return [];
}

async function pictures(trajectory: Trajectory, store: ImageStore): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for (const step of trajectory.steps) {
    const hash = pictureOf(trajectory, step);
    if (hash !== undefined && !urls.has(hash)) urls.set(hash, toDataUrl(await store.load(hash)));
  }
  return urls;
}

/** Writes a page with all episodes next to each recording. @returns titles and paths, where there is a recording. */
export async function writeEpisodePages(
  out: string,
  env: string,
  sources: readonly { readonly title: string; readonly folder: string }[],
): Promise<{ title: string; href: string }[]> {
  const pages: { title: string; href: string }[] = [];
  for (const { title, folder } of sources) {
    const episodes: Trajectory[] = [];
    try {
      for await (const episode of readTrajectories(episodesOf(folder))) episodes.push(episode);
    } catch {
      continue; // the recording was deleted or damaged: the report omits it
    }
    const file = join(folder, 'episodes.html');
    const lead = `Every evaluated episode on ${env}, in the order of their seeds. vlgym watch ${relative(out, episodesOf(folder))} plays them.`;
    episodes.sort((a, b) => (a.seed ?? 0) - (b.seed ?? 0));
    await writeFileAtomic(
      file,
      episodesPage({ title: `Episodes: ${title}`, lead, episodes, images: 'episodes/images' }),
    );
    pages.push({ title, href: relative(out, file).split(sep).map(encodeURIComponent).join('/') });
  }
  return pages;
}
