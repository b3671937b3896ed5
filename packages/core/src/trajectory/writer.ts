/**
 * Trajectories on disk: `episodes.jsonl`, `episodes.index.jsonl` and `images/` in one folder.
 *
 * Each start, step and end is one line, written when it happens, so that a killed process loses no record:
 * an episode without an end is read as interrupted. Episodes may run in parallel; their lines interleave.
 */
import { builtin } from '../files/builtin.js';
import { type FolderLock, lockFolder } from '../files/folder-lock.js';
import { JsonLineAppender, readJsonLines } from '../files/json-lines.js';
import { removeTemporaries } from '../files/write-file-atomic.js';
import type { EpisodeStart, TrajectoryEvent } from './episode.js';
import { EpisodeIndexer, INDEX_FILE } from './episode-index.js';
import { FolderImages } from './images.js';
import { defaultEpisodeId, EpisodeRecorder } from './recorder.js';

export const EPISODES_FILE = 'episodes.jsonl';
export const IMAGES_FOLDER = 'images';

/** One writer per folder at a time; it may record any number of episodes at once. */
export class TrajectoryWriter {
  readonly images: FolderImages;
  readonly #appender: JsonLineAppender;
  readonly #ids: Set<string>;

  readonly #lock: FolderLock;
  readonly #indexer: EpisodeIndexer;
  /** Absent if it cannot be written: an index is derived, and readers do without. */
  readonly #index: JsonLineAppender | undefined;

  private constructor(
    readonly folder: string,
    appender: JsonLineAppender,
    ids: Set<string>,
    lock: FolderLock,
    indexer: EpisodeIndexer,
    index: JsonLineAppender | undefined,
  ) {
    this.#lock = lock;
    this.#indexer = indexer;
    this.#index = index;
    this.images = new FolderImages(builtin('node:path').join(folder, IMAGES_FOLDER));
    this.#appender = appender;
    this.#ids = ids;
  }

  /**
   * Opens or creates the folder. Earlier records stay; a torn last line and temporary files of a killed writer are removed.
   *
   * @throws {FolderLockedError} `FOLDER_LOCKED`: another live writer has it open.
   */
  static async open(folder: string): Promise<TrajectoryWriter> {
    const { join } = builtin('node:path');
    const path = join(folder, EPISODES_FILE);
    const lock = await lockFolder(folder, 'episodes');
    let appender: JsonLineAppender | undefined;
    try {
      await removeTemporaries(folder);
      await removeTemporaries(join(folder, IMAGES_FOLDER));
      appender = await JsonLineAppender.open(path);
      const ids = new Set<string>();
      for await (const line of readJsonLines(path)) {
        const id = 'value' in line ? episodeIdOf(line.value) : undefined;
        if (id !== undefined) ids.add(id);
      }
      const index = await JsonLineAppender.open(join(folder, INDEX_FILE)).catch(() => undefined);
      return new TrajectoryWriter(folder, appender, ids, lock, new EpisodeIndexer(await appender.size()), index);
    } catch (error) {
      await appender?.close();
      await lock.release();
      throw error;
    }
  }

  /** Length in bytes of a torn line that `open` dropped, left by a killed process. */
  get tornBytes(): number {
    return this.#appender.tornBytes;
  }

  /** Ids in the folder, including unfinished episodes. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Starts to record an episode that was just reset. */
  async start(start: EpisodeStart): Promise<EpisodeRecorder> {
    const id = this.#free(start.id ?? defaultEpisodeId(start.env, start.seed));
    this.#ids.add(id);
    try {
      return await EpisodeRecorder.start(
        { ...start, id },
        { images: this.images, emit: (event) => this.#write(event) },
      );
    } catch (error) {
      this.#ids.delete(id); // nothing was written under this id
      throw error;
    }
  }

  /** Waits for pending records and closes. A second call does nothing. */
  async close(): Promise<void> {
    try {
      await this.#index?.close().catch(() => {});
      await this.#appender.close();
    } finally {
      await this.#lock.release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Steps survive the process; a finished episode survives a power loss. */
  async #write(event: TrajectoryEvent): Promise<void> {
    const range = await this.#appender.append(event, { durable: event.event === 'end' });
    const line = this.#indexer.take(event, range);
    if (line) await this.#index?.append(line).catch(() => {});
  }

  #free(wanted: string): string {
    if (!this.#ids.has(wanted)) return wanted;
    let attempt = 2;
    while (this.#ids.has(`${wanted}~${attempt}`)) attempt += 1;
    return `${wanted}~${attempt}`;
  }
}

/** The episode id of any line of an episodes file, even if the line is invalid. */
export function episodeIdOf(value: unknown): string | undefined {
  const { id, trajectory } = (value ?? {}) as { id?: unknown; trajectory?: { id?: unknown } | null };
  const found = trajectory?.id ?? id;
  return typeof found === 'string' ? found : undefined;
}
