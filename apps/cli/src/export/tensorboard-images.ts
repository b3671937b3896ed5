/**
 * Pictures of recorded updates of a run as image summaries for TensorBoard: of each recorded update the episode of the first
 * environment, one tag for each of its first steps, so that the slider of a tag goes through the training. Episodes that
 * were played have a tag for each seed, whose slider goes through the episode.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { encodePng } from '@vlgym/core/images';
import { AtomicFile, TRAINING_FOLDER, updateFile } from '@vlgym/core/internal';
import { type ContentHash, FolderImages, type ImageStore, readTrajectories } from '@vlgym/core/trajectory';
import { fileVersionRecord, type ImageSummary, imagesRecord } from '@vlgym/rl/update';
import { UsageError } from '../command-line/usage-error.js';
import { jsonLinesIn } from '../folders/text-file.js';

export interface TensorboardImages {
  /** The folder of a run, whose recorded updates are shown; absent for a recording. */
  readonly run?: string | undefined;
  /** Folders with episodes that were played. */
  readonly recordings: readonly string[];
  /** Written into it. */
  readonly folder: string;
  /** Pictures of each recorded update. */
  readonly steps: number;
  /** Episodes of each recording. */
  readonly episodes: number;
}

/** The wall time of records: the same run gives the same bytes, and TensorBoard orders by step. */
const WALL_TIME = 0;
const FILE = 'events.out.tfevents.0000000000.vlgym.images';

/** @returns the file and the number of pictures in it. @throws {UsageError} There are none. */
export async function writeTensorboardImages(options: TensorboardImages): Promise<{ path: string; pictures: number }> {
  const { run, recordings, folder, steps, episodes } = options;
  const path = join(folder, FILE);
  const output = await AtomicFile.create(path);
  let pictures = 0;
  const write = async (step: number, images: readonly ImageSummary[]) => {
    pictures += images.length;
    if (images.length > 0) await output.write(imagesRecord(step, images, WALL_TIME));
  };
  try {
    await output.write(fileVersionRecord(WALL_TIME));
    if (run !== undefined)
      for (const update of await recordedUpdates(run)) await write(update, await ofUpdate(run, update, steps));
    for (const recording of recordings) {
      for await (const { step, image } of ofEpisodes(recording, episodes)) await write(step, [image]);
    }
    if (pictures === 0) {
      throw new UsageError(`${run ?? recordings.join(', ')} has no recorded pictures.`, {
        expected: 'a run of `vlgym train --record`, or recorded episodes of an environment with pictures',
        hint: 'vlgym runs lists them',
      });
    }
    await output.commit();
  } catch (error) {
    await output.discard();
    throw error;
  }
  return { path, pictures };
}

async function recordedUpdates(run: string): Promise<number[]> {
  const names = await readdir(join(run, TRAINING_FOLDER)).catch(() => []);
  const updates = names.flatMap((name) => /^update-(\d{1,9})\.jsonl$/.exec(name)?.[1] ?? []);
  return updates.map(Number).sort((a, b) => a - b);
}

/** The pictures of the first steps of environment 0, in the order of play. */
async function ofUpdate(run: string, update: number, limit: number): Promise<ImageSummary[]> {
  const folder = join(run, TRAINING_FOLDER);
  const lines = (await jsonLinesIn(join(folder, updateFile(update)))) as readonly {
    readonly environment?: number;
    readonly pictures?: readonly ContentHash[];
  }[];
  const hashes = lines
    .filter(({ environment }) => environment === 0)
    .flatMap(({ pictures = [] }) => pictures.slice(-1));
  const images = new FolderImages(join(folder, 'images'));
  return Promise.all(
    hashes
      .slice(0, limit)
      .map((hash, step) => summaryOf(`training/step-${String(step).padStart(2, '0')}`, hash, images)),
  );
}

async function* ofEpisodes(recording: string, limit: number) {
  const reader = readTrajectories(recording, { onInvalid: 'skip' });
  let count = 0;
  for await (const { id, seed, observation, steps } of reader) {
    if (count++ >= limit) return;
    const tag = `episodes/${seed === undefined ? id : `seed-${seed}`}`;
    const seen = [observation, ...steps.map((step) => step.observation)];
    for (const [step, each] of seen.entries()) {
      const [hash] = each?.images ?? [];
      if (hash !== undefined) yield { step, image: await summaryOf(tag, hash, reader.images) };
    }
  }
}

async function summaryOf(tag: string, hash: ContentHash, images: ImageStore): Promise<ImageSummary> {
  const image = await images.load(hash);
  const { height, width, channels } = image;
  return { tag, height, width, channels, png: encodePng(image) };
}
