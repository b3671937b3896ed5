/**
 * recordVideo: videos of selected episodes, written frame by frame during the episode.
 *
 * Triggers and names follow Gymnasium's `RecordVideo`, which keeps frames in memory until the end (issues 1377, 1378,
 * 1444 there); this one keeps one frame. A video that cannot be written is a warning and does not end the episode.
 */
import type { Awaitable, Env, Info, RenderFrame, ResetOptions, ResetResult, StepResult } from '../../env.js';
import { GymError } from '../../errors.js';
import { builtin } from '../../files/builtin.js';
import type { Image } from '../../image.js';
import { checkNames, names } from '../../options.js';
import { warn } from '../../registry/warn.js';
import { Wrapper } from '../wrapper.js';
import { ApngWriter, type VideoWriter } from './apng-writer.js';

export interface RecordVideoOptions {
  /** Created if it does not exist. */
  readonly folder: string;
  /** Whether to record episode n, counted from 0. Default `cubes`, unless `steps` is given. */
  readonly episodes?: ((episode: number) => boolean) | undefined;
  /** Whether to start a video before step n over all episodes, counted from 0. */
  readonly steps?: ((step: number) => boolean) | undefined;
  /** Frames per video; 0 (default) records to the end of the episode. */
  readonly length?: number | undefined;
  /** Videos are `<prefix>-episode-<n>.png` or `<prefix>-step-<n>.png`. */
  readonly prefix?: string | undefined;
  /** Default `metadata.renderFps`, or 10. */
  readonly fps?: number | undefined;
  /** Opens another type of video; `path` has no extension. */
  readonly open?: ((path: string, options: { readonly fps: number }) => VideoWriter) | undefined;
}

/** 0, 1, 8, 27, … up to 1000, then every thousandth: dense at the start of training, cheap later. */
export function cubes(episode: number): boolean {
  return episode < 1000 ? Math.round(Math.cbrt(episode)) ** 3 === episode : episode % 1000 === 0;
}

const RECORD_VIDEO_OPTIONS = names<RecordVideoOptions>({
  folder: 0,
  episodes: 0,
  steps: 0,
  length: 0,
  prefix: 0,
  fps: 0,
  open: 0,
});

export class RecordVideo<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  readonly #options: RecordVideoOptions;
  #episode = -1;
  #step = 0;
  #video: { readonly writer: VideoWriter; frames: number } | undefined;
  readonly #paths: string[] = [];

  constructor(env: Env<Observation, Action, I>, options: RecordVideoOptions) {
    checkNames('options', options, RECORD_VIDEO_OPTIONS);
    super(env);
    if (env.renderMode !== 'rgb_array') {
      throw new GymError(`A video needs pictures; the render mode is ${env.renderMode ?? 'not set'}.`, {
        code: 'VIDEO_RENDER_MODE',
        value: env.renderMode,
        expected: 'rgb_array',
        hint: "make(id, { renderMode: 'rgb_array' })",
      });
    }
    this.#options = options;
  }

  override get wrapperSpec() {
    return { name: 'recordVideo', options: { ...this.#options } };
  }

  /** Finished videos, in order. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }

  override async reset(options?: ResetOptions): Promise<ResetResult<Observation, I>> {
    if (this.#episode < 0) await this.#warnAboutOldVideos();
    const result = await this.env.reset(options);
    if (this.#video && !this.#options.length) await this.#finish();
    this.#episode += 1;
    const { episodes = this.#options.steps ? undefined : cubes } = this.#options;
    if (episodes?.(this.#episode)) this.#start(`episode-${this.#episode}`);
    await this.#capture();
    return result;
  }

  override async step(action: Action): Promise<StepResult<Observation, I>> {
    if (this.#options.steps?.(this.#step)) this.#start(`step-${this.#step}`);
    const result = await this.env.step(action);
    this.#step += 1;
    await this.#capture();
    const isOver = result.terminated || result.truncated;
    if (isOver && !this.#options.length) await this.#finish();
    return result;
  }

  override async close(): Promise<void> {
    await this.#finish();
    await this.env.close();
  }

  #start(name: string): void {
    if (this.#video) return;
    const { folder, prefix = 'video', open, fps = this.env.metadata.renderFps ?? 10 } = this.#options;
    const path = builtin('node:path').join(folder, `${prefix}-${name}`);
    this.#video = { writer: open ? open(path, { fps }) : new ApngWriter(`${path}.png`, { fps }), frames: 0 };
  }

  async #capture(): Promise<void> {
    const video = this.#video;
    if (!video) return;
    try {
      const frame: Awaitable<RenderFrame> = this.env.render();
      await video.writer.write((await frame) as Image);
      video.frames += 1;
    } catch (error) {
      this.#video = undefined;
      await video.writer.discard();
      warn('VIDEO_LOST', `a video was discarded: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (this.#options.length && video.frames >= this.#options.length) await this.#finish();
  }

  async #finish(): Promise<void> {
    const video = this.#video;
    this.#video = undefined;
    if (!video) return;
    try {
      this.#paths.push(await video.writer.close());
    } catch (error) {
      warn('VIDEO_LOST', `a video could not be finished: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #warnAboutOldVideos(): Promise<void> {
    const { folder, prefix = 'video' } = this.#options;
    const names = await builtin('node:fs/promises')
      .readdir(folder)
      .catch(() => []);
    if (names.some((name) => name.startsWith(`${prefix}-`))) {
      warn('VIDEO_FOLDER', `"${folder}" already has videos; those with the same name are replaced.`);
    }
  }
}

/**
 * Records videos; `env` must render `rgb_array`. Calls become asynchronous, because each waits for its frame to be written.
 *
 * @throws {GymError} `VIDEO_RENDER_MODE`: the render mode is missing or different.
 */
export function recordVideo(options: RecordVideoOptions) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new RecordVideo(env, options);
}
