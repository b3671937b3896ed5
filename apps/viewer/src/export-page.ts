/** One file with chosen episodes and their pictures: it opens from disk, without a server and without a network. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { checkNames, names, readRegularBytes, writeFileAtomic } from '@vlgym/core/internal';
import { arenaResults } from './compare/arena-results.js';
import { type ComparedSide, compareRuns } from './compare/compare-runs.js';
import { comparePath } from './compare/comparison.js';
import { rowOf } from './episodes/index-line.js';
import { TO_THE_END } from './episodes/played-episodes.js';
import { picturesFolder, readEpisode, readTokens, rowsOf } from './episodes/read-episode.js';
import type { Run } from './folders/run.js';
import type { EpisodeRow, EpisodeSet, RunDetails, RunSummary, ShownEpisode } from './protocol.js';
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
/** Runs, and agents of one recording, of which every two are compared. */
const MAX_COMPARED = 6;

/**
 * Curves and settings of every run, comparisons of a few, and the episodes that fit: those of seeds that one of two lost
 * come first, then failed ones. What is left out is said on the page.
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
  await bundle.compare(await sidesOf(shown, library));
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

/** Lists of runs, and of the agents of a recording, whose members can be compared. */
async function sidesOf(runs: readonly RunSummary[], library: Library): Promise<readonly (readonly ComparedSide[])[]> {
  const sides: ComparedSide[] = [];
  const ofOneRun: ComparedSide[][] = [];
  for (const { id, agents = [] } of runs) {
    const run = await library.run(id);
    if (!run) continue; // deleted meanwhile
    sides.push({ run });
    ofOneRun.push(agents.map((agent) => ({ run, agent })));
  }
  return [sides, ...ofOneRun].filter(({ length }) => length > 1 && length <= MAX_COMPARED);
}

class Bundle {
  readonly answers: Record<string, unknown> = {};
  readonly #pictures: Record<string, string> = {};
  /** Episodes of seeds that one of two has lost, by run. */
  readonly #told = new Map<string, Set<string>>();
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

  /** Every two of each list, in both orders. */
  async compare(lists: readonly (readonly ComparedSide[])[]): Promise<void> {
    for (const sides of lists) {
      for (const first of sides) {
        for (const second of sides) {
          if (first === second || first.run.place.kind !== second.run.place.kind) continue;
          const answer = await compareRuns(first, second);
          this.answers[comparePath(nameOf(first), nameOf(second))] = answer;
          for (const pair of answer.pairs) {
            if (pair.first.success === pair.second.success) continue;
            this.#tell(first.run, pair.first.id);
            this.#tell(second.run, pair.second.id);
          }
        }
      }
    }
  }

  #tell({ place: { id } }: Run, episode: string): void {
    const known = this.#told.get(id) ?? new Set();
    this.#told.set(id, known.add(episode));
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
      const told = (set === 'played' && this.#told.get(id)) || new Set<string>();
      const chosen = toldFirst(rows, told).slice(0, Math.ceil(left / (sets.length - index)));
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

const nameOf = ({ run, agent }: ComparedSide) => ({ run: run.place.id, agent });

/**
 * Those of comparisons first, by seed, so that both sides of one are there. A colleague is rarely asked about the others
 * that went well.
 */
function toldFirst(rows: readonly EpisodeRow[], told: ReadonlySet<string>): EpisodeRow[] {
  const rank = ({ id, success = false }: EpisodeRow) => (told.has(id) ? -1 : Number(success));
  const seedOf = (row: EpisodeRow) => (told.has(row.id) ? (row.seed ?? 0) : 0);
  return rows.toSorted((a, b) => rank(a) - rank(b) || seedOf(a) - seedOf(b));
}
