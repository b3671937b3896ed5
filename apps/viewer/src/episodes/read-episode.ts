/** One episode with its steps, from what a run recorded: its trajectory, what an update learned from it, or both. */
import type { TrainingIndexLine } from '@vlgym/core/internal';
import type { Run } from '../folders/run.js';
import { type Json, number, record, text } from '../folders/values.js';
import type { EpisodeRow, EpisodeSet, Relative, ShownEpisode, ShownStep, TokenColumns } from '../protocol.js';
import { rowOf } from './index-line.js';
import type { PlayedEpisodes } from './played-episodes.js';
import type { FoundText } from './search-texts.js';
import { observationText, picturesOf, stepOfTrajectory, stepOfUpdate, withUpdate } from './shown-step.js';
import { tokensOfTrajectory, tokensOfUpdate } from './token-columns.js';

/** Branches of branches of branches … */
const MAX_LEVELS = 50;
const MAX_FAMILY = 1000;

/** The update of a set, where it is one. */
function updateOf(set: EpisodeSet): number | undefined {
  const [, update] = /^update-(\d{1,9})$/.exec(set) ?? [];
  return update === undefined ? undefined : Number(update);
}

/** Rows as they are kept; `rowOf` makes them those of the page. */
export async function rowsOf(run: Run, set: EpisodeSet, patience?: number): Promise<readonly EpisodeRow[]> {
  const update = updateOf(set);
  if (update === undefined) return (await storeOf(run, set)?.all(patience)) ?? [];
  return (await run.training.episodes(update)).map(({ steps: _, update: __, columns: ___, ...row }) => row);
}

/** More rows will come: a file without an index is still being read. */
export const isReading = (run: Run, set: EpisodeSet): boolean =>
  updateOf(set) === undefined && storeOf(run, set)?.isComplete === false;

const storeOf = (run: Run, set: EpisodeSet): PlayedEpisodes | undefined =>
  set === 'branches' ? run.branches : set === 'pairs' ? run.pairs : run.played;

/** Episodes of a set in whose texts the words are. */
export async function searchTexts(run: Run, set: EpisodeSet, words: string): Promise<ReadonlyMap<string, FoundText>> {
  const store = updateOf(set) === undefined ? storeOf(run, set) : run.learned;
  return (await store?.texts.find(words)) ?? new Map();
}

/** The folder with the pictures of a set. */
export function picturesFolder(run: Run, set: EpisodeSet): string | undefined {
  return updateOf(set) === undefined ? storeOf(run, set)?.folder : run.training.folder;
}

interface Found {
  readonly row: EpisodeRow;
  readonly trajectory: { readonly header: Json; readonly steps: readonly Json[] } | undefined;
  /** By step. */
  readonly lines: ReadonlyMap<number, Json>;
  /** In the index of what updates learned from. */
  readonly line?: TrainingIndexLine;
}

async function find(run: Run, set: EpisodeSet, id: string): Promise<Found | undefined> {
  const update = updateOf(set);
  if (update === undefined) {
    const store = storeOf(run, set);
    const line = await store?.find(id);
    return line && { row: rowOf(line), trajectory: await store!.read(line), lines: new Map() };
  }
  const line = (await run.training.episodes(update)).find((each) => each.id === id);
  if (!line) return undefined;
  const whole = await run.learned.find(id);
  const { steps: _steps, update: _update, columns: _columns, ...row } = line;
  return { row, line, trajectory: whole && (await run.learned.read(whole)), lines: await run.training.steps(line) };
}

export async function readEpisode(run: Run, set: EpisodeSet, id: string): Promise<ShownEpisode | undefined> {
  const found = await find(run, set, id);
  if (!found) return undefined;
  const { row, trajectory, lines } = found;
  const family = await familyOf(run, { set, row });
  if (!trajectory) {
    return { row, steps: [...lines.values()].map(stepOfUpdate), lastPictures: [], replayable: false, family };
  }
  const { header, steps } = trajectory;
  const observations = [record(header.observation), ...steps.map((step) => record(step.observation))];
  const infos = [record(header.info), ...steps.map((step) => record(step.info))];
  const environment = text(record(header.env).id);
  const shown = steps.map((step, index): ShownStep => {
    const own = stepOfTrajectory(step, observations[index]!, infos[index]!);
    const line = lines.get(own.index);
    return line ? withUpdate(own, line) : own;
  });
  const last = observations.at(-1)!;
  const lastObservation = observationText(last);
  return {
    row,
    ...(environment !== undefined && { environment }),
    steps: shown,
    lastPictures: picturesOf(last),
    ...(lastObservation !== undefined && { lastObservation }),
    replayable: number(header.seed) !== undefined && record(header.env).id !== undefined,
    family,
  };
}

/** The episode that the branches began with, and all of them, parents before their branches. */
async function familyOf(run: Run, own: Relative): Promise<readonly Relative[]> {
  const branches = (await rowsOf(run, 'branches')).map(rowOf);
  const known = new Map(branches.map((row) => [row.id, row]));
  let first = own;
  for (let level = 0; level < MAX_LEVELS && first.row.parent !== undefined; level += 1) {
    const { parent, parentSet = 'played' } = first.row;
    const row = known.get(parent) ?? (await find(run, parentSet as EpisodeSet, parent))?.row;
    if (!row) break;
    first = { set: known.has(parent) ? 'branches' : (parentSet as EpisodeSet), row };
  }
  const family: Relative[] = [first];
  const placed = new Set([first.row.id]);
  // grows while it is gone through
  for (const { row } of family) {
    if (family.length > MAX_FAMILY) break;
    for (const each of branches) {
      if (each.parent !== row.id || placed.has(each.id)) continue;
      placed.add(each.id);
      family.push({ set: 'branches', row: each });
    }
  }
  return family.length > 1 ? family : [];
}

export async function readTokens(
  run: Run,
  set: EpisodeSet,
  id: string,
  step: number,
): Promise<TokenColumns | undefined> {
  const found = await find(run, set, id);
  const line = found?.lines.get(step);
  if (found?.line && line) return tokensOfUpdate(line, await run.training.columns(found.line, step));
  const own = found?.trajectory?.steps.find(({ index }) => index === step);
  return own && tokensOfTrajectory(own);
}

/** The trajectory as it was written, to be played again. */
export async function readWhole(run: Run, set: EpisodeSet, id: string): Promise<Json | undefined> {
  const store = updateOf(set) === undefined ? storeOf(run, set) : run.learned;
  const line = await store?.find(id);
  const whole = line && (await store!.read(line));
  return whole && { ...whole.header, steps: whole.steps, outcome: whole.outcome };
}
