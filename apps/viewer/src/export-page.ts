/** One file with chosen episodes and their pictures: it opens from disk, without a server and without a network. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { checkNames, names, readRegularBytes, writeFileAtomic } from '@vlgym/core/internal';
import { arenaResults } from './compare/arena-results.js';
import { rowOf } from './episodes/index-line.js';
import { TO_THE_END } from './episodes/played-episodes.js';
import { picturesFolder, readEpisode, readTokens, rowsOf } from './episodes/read-episode.js';
import type { Run } from './folders/run.js';
import type { EpisodeRow, EpisodeSet, RunDetails, ShownEpisode } from './protocol.js';
import { pageFiles, viewerDocument } from './server/document.js';
import { Library } from './server/library.js';

export interface ExportOptions {
  readonly folders: readonly string[];
  /** The file that is written. */
  readonly file: string;
  /** Limit over all runs, failed episodes first; default 50. */
  readonly episodes?: number | undefined;
  /** Limit on the pictures together, in bytes; default 20 MB. */
  readonly pictureBytes?: number | undefined;
}

export interface Exported {
  readonly bytes: number;
  /** Episodes in the file. */
  readonly kept: number;
  readonly leftOut: number;
}

const EXPORT_OPTIONS = names<ExportOptions>({ folders: 0, file: 0, episodes: 0, pictureBytes: 0 });
const MAX_PICTURE = 1 << 24;
/** Runs in one file. */
const MAX_RUNS = 50;

/**
 * Curves and settings of every run, and the episodes that fit. What is left out is said on the page.
 *
 * @example await exportPage({ folders: ['runs/vl-dac-0'], file: 'run.html' });
 */
export async function exportPage(options: ExportOptions): Promise<Exported> {
  checkNames('options', options, EXPORT_OPTIONS);
  const { folders, file, episodes = 50, pictureBytes = 20e6 } = options;
  const library = new Library(folders);
  const { runs } = await library.list(TO_THE_END);
  const shown = runs.slice(0, MAX_RUNS);
  const bundle = new Bundle(pictureBytes);
  bundle.answers.runs = { runs: shown, leftOut: runs.length - shown.length };
  for (const [index, { id }] of shown.entries()) {
    const left = Math.max(0, episodes - bundle.kept);
    await bundle.add((await library.run(id))!, Math.ceil(left / (shown.length - index)));
  }
  const document = viewerDocument({ policy: policyOf(), data: bundle.data() });
  await writeFileAtomic(file, document);
  return { bytes: Buffer.byteLength(document), kept: bundle.kept, leftOut: bundle.leftOut };
}

/** Only our own script runs, and nothing is loaded. */
function policyOf(): string {
  const hash = createHash('sha256').update(pageFiles().script).digest('base64');
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
}

class Bundle {
  readonly answers: Record<string, unknown> = {};
  readonly #pictures: Record<string, string> = {};
  #pictureBytes: number;
  #picturesLeftOut = 0;
  kept = 0;
  leftOut = 0;

  constructor(pictureBytes: number) {
    this.#pictureBytes = pictureBytes;
  }

  data(): object {
    const left = [
      this.leftOut > 0 && `${this.leftOut} episodes`,
      this.#picturesLeftOut > 0 && `${this.#picturesLeftOut} pictures`,
    ].filter((each) => each !== false);
    const note = `One file with ${this.kept} episodes${left.length > 0 ? `; ${left.join(' and ')} are left out` : ''}.`;
    return { answers: this.answers, pictures: this.#pictures, note };
  }

  async add(run: Run, limit: number): Promise<void> {
    const { id } = run.place;
    const details: RunDetails = await run.details([]);
    const { records, to } = await run.metrics(0);
    if (details.pairs > 0) this.answers[`runs/${id}/arena`] = await arenaResults(run);
    this.answers[`runs/${id}/metrics?from=0`] = { records, to };
    const sets: EpisodeSet[] = [
      ...(details.played ? (['played'] as const) : []),
      ...(details.branches > 0 ? (['branches'] as const) : []),
      ...(details.pairs > 0 ? (['pairs'] as const) : []),
      ...details.recorded.toReversed().map((update): EpisodeSet => `update-${update}`),
    ];
    const recorded: number[] = [];
    let left = limit;
    for (const [index, set] of sets.entries()) {
      const rows = await rowsOf(run, set, TO_THE_END);
      const chosen = failedFirst(rows).slice(0, Math.ceil(left / (sets.length - index)));
      left -= chosen.length;
      this.leftOut += rows.length - chosen.length;
      if (chosen.length === 0) continue;
      if (set.startsWith('update-')) recorded.unshift(Number(set.slice('update-'.length)));
      const ids = new Set(chosen.map((row) => row.id));
      this.answers[`runs/${id}/rows?set=${set}`] = rows.filter((row) => ids.has(row.id)).map(rowOf);
      for (const row of chosen) await this.#addEpisode(run, set, row.id);
    }
    this.answers[`runs/${id}/details`] = { ...details, recorded };
  }

  async #addEpisode(run: Run, set: EpisodeSet, id: string): Promise<void> {
    const episode = await readEpisode(run, set, id);
    if (!episode) return;
    this.kept += 1;
    const query = `set=${set}&id=${encodeURIComponent(id)}`;
    this.answers[`runs/${run.place.id}/episode?${query}`] = episode;
    for (const { index, tokens } of episode.steps) {
      if (tokens > 0)
        this.answers[`runs/${run.place.id}/tokens?${query}&step=${index}`] = await readTokens(run, set, id, index);
    }
    const folder = picturesFolder(run, set);
    if (folder !== undefined) for (const hash of picturesIn(episode)) await this.#addPicture(folder, hash);
  }

  async #addPicture(folder: string, hash: string): Promise<void> {
    if (hash in this.#pictures) return;
    const name = `${hash.slice('sha256:'.length)}.png`;
    const bytes = await readRegularBytes(join(folder, 'images', name), MAX_PICTURE).catch(() => undefined);
    const text = bytes && Buffer.from(bytes).toString('base64');
    if (text === undefined || text.length > this.#pictureBytes) {
      this.#picturesLeftOut += 1;
      return;
    }
    this.#pictureBytes -= text.length;
    this.#pictures[hash] = `data:image/png;base64,${text}`;
  }
}

function picturesIn({ steps, lastPictures }: ShownEpisode): Set<string> {
  const parts = steps.flatMap(({ prompt = [] }) => prompt.flatMap((message) => message.parts));
  return new Set([
    ...steps.flatMap(({ pictures }) => pictures),
    ...lastPictures,
    ...parts.flatMap(({ image }) => image ?? []),
  ]);
}

/** A colleague is rarely asked about episodes that went well. */
const failedFirst = (rows: readonly EpisodeRow[]): EpisodeRow[] =>
  rows.toSorted((a, b) => Number(a.success ?? false) - Number(b.success ?? false));
