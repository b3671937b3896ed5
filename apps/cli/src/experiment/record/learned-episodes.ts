/**
 * Episodes that recorded updates learned from, as whole trajectories: `training/episodes.jsonl` with its index. An episode ends
 * before the update that learns from it, or several updates later; either way it is written once, at its end.
 */
import { join } from 'node:path';
import { EPISODES_FILE, INDEX_FILE, indexTrajectory, JsonLineAppender } from '@vlgym/core/internal';
import type { ContentHash, ImageStore, Trajectory } from '@vlgym/core/trajectory';
import type { RecordedImages } from './recorded-images.js';

interface Ended {
  readonly trajectory: Trajectory;
  readonly images: ImageStore;
}

interface Files {
  readonly episodes: JsonLineAppender;
  readonly index: JsonLineAppender;
  /** Bytes of the episodes that the index accounts for. */
  after: number;
}

export class LearnedEpisodes {
  readonly #folder: string;
  readonly #images: RecordedImages;
  /** Ended since the last update; the next one says which are kept. */
  readonly #ended = new Map<string, Ended>();
  /** Episodes of recorded updates that are still being played. */
  readonly #awaited = new Set<string>();
  #files: Promise<Files> | undefined;

  constructor(folder: string, images: RecordedImages) {
    this.#folder = folder;
    this.#images = images;
  }

  /** For `train({ onTrajectory })`. */
  readonly take = (trajectory: Trajectory, images: ImageStore): void => {
    this.#ended.set(trajectory.id, { trajectory, images });
  };

  /** @param ids  Episodes that the coming update learns from and that are recorded. */
  async keep(ids: ReadonlySet<string>): Promise<void> {
    for (const id of ids) this.#awaited.add(id);
    for (const [id, ended] of this.#ended) if (this.#awaited.delete(id)) await this.#write(ended);
    this.#ended.clear();
  }

  /** Writes those that ended after the last update. */
  async close(): Promise<void> {
    await this.keep(new Set());
    const files = await this.#files;
    await files?.episodes.close();
    await files?.index.close();
  }

  async #write({ trajectory, images }: Ended): Promise<void> {
    this.#files ??= open(this.#folder);
    const files = await this.#files;
    for (const hash of picturesOf(trajectory)) await this.#images.save(await images.load(hash));
    const range = await files.episodes.append(trajectory);
    const line = await files.index.append({ ...indexTrajectory(trajectory, range), after: files.after });
    files.after = range.to;
    this.#images.bytes += range.to - range.from + line.to - line.from;
  }
}

async function open(folder: string): Promise<Files> {
  const episodes = await JsonLineAppender.open(join(folder, EPISODES_FILE));
  const index = await JsonLineAppender.open(join(folder, INDEX_FILE));
  return { episodes, index, after: await episodes.size() };
}

function picturesOf({ observation, steps }: Trajectory): Set<ContentHash> {
  const prompts = steps.flatMap(({ prompt = [] }) => prompt);
  const parts = prompts.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return new Set([
    ...(observation.images ?? []),
    ...steps.flatMap((step) => step.observation?.images ?? []),
    ...parts.flatMap((part) => (part.type === 'image' ? [part.image] : [])),
  ]);
}
