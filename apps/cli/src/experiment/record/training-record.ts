/**
 * Records the training data of each update, token by token: `RUN/training/update-000005.jsonl`, one line per step in the
 * order of play, and the pictures of its prompts next to it. Written before the weights change; `update-000005.columns.jsonl`
 * has what is known after it. `index.jsonl` says where the lines of each episode lie, and `episodes.jsonl` has those
 * episodes as trajectories, once they have ended, so that they can be shown with their prompts and played again.
 * Recording draws no random numbers and changes no result.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import {
  indexOfSteps,
  JsonLineAppender,
  type PlacedLine,
  TRAINING_FOLDER,
  TRAINING_INDEX,
  type TrainingIndexLine,
  updateColumnsFile,
  updateFile,
  writeFileAtomic,
} from '@vlgym/core/internal';
import type { Policy, StepRecord, TargetsOfUpdate, TrainOptions } from '@vlgym/rl';
import { LearnedEpisodes } from './learned-episodes.js';
import { IMAGES, RecordedImages } from './recorded-images.js';
import { affordableSteps, type ScoreSettings, scoresBefore, scoresNow } from './recorded-scores.js';
import { columnsLine, trainingLine } from './training-line.js';
import { WantedEpisodes } from './wanted-episodes.js';

/** Recording needs all steps of an update in one process. */
export class RecordUnsupportedError extends GymError {
  constructor(processes: number) {
    super('Training episodes are recorded by runs of one process.', {
      code: 'INVALID_OPTION',
      value: processes,
      expected: 'one process with --record',
      hint: 'remove --record or --procs',
    });
  }
}

export interface TrainingRecordOptions extends Omit<ScoreSettings, 'hasReference'> {
  /** The folder of the run. */
  readonly folder: string;
  /** Episodes of each recorded update that are kept, those that began first; default: all. */
  readonly episodes?: number | undefined;
  /** Bytes of the record, from which on nothing more is kept; default: any number. */
  readonly bytes?: number | undefined;
  /** Updates before this process; default 0. */
  readonly done?: number | undefined;
  readonly policy: Policy;
}

/** Counts of what was recorded, and of what was left out. */
export interface RecordTally {
  updates: number;
  episodes: number;
  steps: number;
  /** Steps with the numbers that only a record needs. */
  scored: number;
  /** Updates that had their turn when the record was full. */
  fullUpdates: number;
  /** Episodes and steps of recorded updates that were left out. */
  leftOutEpisodes: number;
  leftOutSteps: number;
  bytes: number;
}

export interface TrainingRecord {
  /** For `train(…)`. */
  readonly hooks: Pick<TrainOptions, 'onTargets' | 'onTrajectory' | 'wantsTrajectory'>;
  /** To be called when an update is done. */
  finished(update: number): void;
  readonly tally: Readonly<RecordTally>;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

/** Steps whose numbers after the update are not known yet, with the lines of the index that will name them. */
interface Pending {
  readonly update: number;
  readonly steps: readonly StepRecord[];
  readonly lines: readonly TrainingIndexLine[];
  isDone: boolean;
}

export async function trainingRecord(options: TrainingRecordOptions): Promise<TrainingRecord> {
  const { every, episodes: limit = Number.POSITIVE_INFINITY, bytes: maxBytes = Number.POSITIVE_INFINITY } = options;
  const folder = join(options.folder, TRAINING_FOLDER);
  const images = await RecordedImages.open(folder);
  const learned = new LearnedEpisodes(folder, images);
  const tally: RecordTally = {
    ...{ updates: 0, episodes: 0, steps: 0, scored: 0 },
    ...{ fullUpdates: 0, leftOutEpisodes: 0, leftOutSteps: 0, bytes: images.bytes },
  };
  let index: JsonLineAppender | undefined;
  /** Updates whose targets were seen. */
  let seen = options.done ?? 0;
  let pending: Pending | undefined;
  const wanted = new WantedEpisodes(every, limit);

  const append = async (lines: readonly TrainingIndexLine[]) => {
    index ??= await JsonLineAppender.open(join(folder, TRAINING_INDEX));
    for (const line of lines) {
      const { from, to } = await index.append(line);
      images.bytes += to - from;
    }
  };
  const write = async (file: string, lines: readonly object[]) => {
    const texts = lines.map((line) => `${JSON.stringify(line)}\n`);
    let from = 0;
    const placed = texts.map((text, position): PlacedLine => {
      const length = Buffer.byteLength(text);
      const place = [from, length] as const;
      from += length;
      return { step: lines[position] as PlacedLine['step'], place };
    });
    await writeFileAtomic(join(folder, file), texts.join(''));
    images.bytes += from;
    return placed;
  };

  /** The weights are those that the last recorded update has led to: no later one has moved them yet. */
  const writePending = async () => {
    const ended = pending;
    pending = undefined;
    if (!ended?.isDone || ended.steps.length === 0) return;
    const { update, steps, lines } = ended;
    const after = await scoresNow({ ...options, hasReference: false }, steps);
    const columns = steps.map((step, row) => columnsLine(step, after[row]!));
    const placed = await write(updateColumnsFile(update), columns);
    const placesOf = (id: string) => placed.filter(({ step }) => step.episode === id).map(({ place }) => place);
    await append(
      lines.flatMap((line) => {
        const places = placesOf(line.id);
        return places.length > 0 ? [{ ...line, columns: places }] : [];
      }),
    );
  };

  const onTargets = async (batch: TargetsOfUpdate) => {
    const { update, buffer } = batch;
    const { steps } = buffer;
    await writePending();
    const hasTurn = update % every === 0;
    const isRecorded = hasTurn && images.bytes < maxBytes;
    seen = update;
    wanted.learn(buffer);
    const kept = new Set(isRecorded ? firstEpisodes(steps, limit) : []);
    await learned.keep(kept);
    if (hasTurn && !isRecorded) tally.fullUpdates += 1;
    if (!isRecorded) return;
    await mkdir(join(folder, IMAGES), { recursive: true });
    const rows = [...steps.keys()].filter((row) => kept.has(steps[row]!.episodeId));
    const hasReference = steps.every((step) => step.referenceLogProbs !== undefined);
    const settings = { ...options, hasReference };
    const scoredRows = inOrderOfEpisodes(rows, steps, kept).slice(0, affordableSteps(settings, steps));
    const scored = scoredRows.map((row) => steps[row]!);
    const scores = await scoresBefore(settings, scored, buffer);
    const scoresOf = new Map(scoredRows.map((row, position) => [row, scores[position]!]));
    const lines: object[] = [];
    for (const row of rows) {
      const pictures = await Promise.all(steps[row]!.input.images.map((image) => images.save(image)));
      lines.push(trainingLine(batch, row, pictures, scoresOf.get(row) ?? {}));
    }
    const ends = new Map(buffer.episodes.map((episode) => [episode.id, episode]));
    const indexLines = indexOfSteps(update, await write(updateFile(update), lines), ends);
    await append(indexLines);
    pending = { update, steps: scored, lines: indexLines, isDone: false };
    tally.updates += 1;
    tally.episodes += kept.size;
    tally.steps += rows.length;
    tally.scored += scored.length;
    tally.leftOutEpisodes += new Set(steps.map(({ episodeId }) => episodeId)).size - kept.size;
    tally.leftOutSteps += steps.length - rows.length;
  };
  const wantsTrajectory = () => {
    const isWanted = wanted.next(seen);
    return isWanted && images.bytes < maxBytes;
  };
  return {
    hooks: { onTargets, onTrajectory: learned.take, wantsTrajectory },
    finished: (update) => {
      if (pending?.update === update) pending.isDone = true;
    },
    get tally() {
      return { ...tally, bytes: images.bytes };
    },
    close: async () => {
      // further numbers of one update never hide how the run has ended
      await writePending().catch(() => {});
      await learned.close();
      await index?.close();
    },
  };
}

/** Ids in the order of play. */
function firstEpisodes(steps: readonly StepRecord[], limit: number): string[] {
  const ids = new Set<string>();
  for (const { episodeId } of steps) {
    if (ids.size >= limit) break;
    ids.add(episodeId);
  }
  return [...ids];
}

/** Whole episodes one after the other: a few of them have all numbers, where not all can. */
function inOrderOfEpisodes(
  rows: readonly number[],
  steps: readonly StepRecord[],
  ids: ReadonlySet<string>,
): readonly number[] {
  const places = new Map([...ids].map((id, place) => [id, place]));
  const place = (row: number) => places.get(steps[row]!.episodeId)!;
  return rows.toSorted((a, b) => place(a) - place(b) || a - b);
}
