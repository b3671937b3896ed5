/**
 * Videos of episodes as animated PNG: lossless, plays in every browser, needs no codec.
 *
 * Frames go to disk as they arrive, only the region that differs from the previous one; memory holds one frame. The
 * number of frames is written at the end, then the file gets its name. Format: W3C PNG, third edition, sections 4.9 and
 * 11.3.2 (acTL, fcTL, fdAT).
 */
import { SerialQueue } from '../../async/serial-queue.js';
import { GymError } from '../../errors.js';
import { AtomicFile } from '../../files/write-file-atomic.js';
import type { Image } from '../../image.js';
import { assertImage } from '../../images/is-image.js';
import { compressPixels, pngHeader } from '../../images/png.js';
import { PNG_SIGNATURE, writePngChunk } from '../../images/png-chunks.js';
import { checkNames, names } from '../../options.js';

/** Writes frames to a video file. */
export interface VideoWriter {
  /**
   * Adds a frame. Calls may overlap; the pixels are read before the call returns.
   *
   * @throws {VideoError} `VIDEO_FRAME`: the size or number of channels differs from the first frame.
   */
  write(frame: Image): Promise<void>;
  /** Finishes the file. @returns its path. Rejects with the first failed write, and then leaves no file. */
  close(): Promise<string>;
  /** Discards the video and leaves no file. */
  discard(): Promise<void>;
}

export interface VideoOptions {
  /** Frames per second, above 0, at most 600. */
  readonly fps?: number | undefined;
}

/** An invalid frame or option of a video. */
export class VideoError extends GymError {}

const ACTL_OFFSET = PNG_SIGNATURE.length + 25;

const APNG_WRITER_OPTIONS = names<VideoOptions>({ fps: 0 });

export class ApngWriter implements VideoWriter {
  readonly #fps: number;
  #file: AtomicFile | undefined;
  readonly #queue = new SerialQueue();
  #failure: unknown;
  #closed = false;
  #last: Image | undefined;
  #frames = 0;
  /** Numbers fcTL and fdAT chunks together. */
  #sequence = 0;

  /** @param path ends in `.png` or `.apng`; the file appears at `close`. */
  constructor(
    readonly path: string,
    options: VideoOptions = {},
  ) {
    checkNames('options', options, APNG_WRITER_OPTIONS);
    const { fps = 10 } = options;
    if (!(fps > 0 && fps <= 600)) {
      throw new VideoError(`Invalid fps: ${fps}.`, {
        code: 'VIDEO_OPTIONS',
        value: fps,
        expected: 'fps above 0 and at most 600',
      });
    }
    this.#fps = fps;
  }

  write(frame: Image): Promise<void> {
    let chunks: Uint8Array[];
    try {
      chunks = this.#encode(frame);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#queue.run(async () => {
      if (this.#failure !== undefined) throw this.#failure;
      try {
        this.#file ??= await AtomicFile.create(this.path);
        for (const chunk of chunks) await this.#file.write(chunk);
      } catch (error) {
        this.#failure = error;
        throw error;
      }
    });
  }

  async close(): Promise<string> {
    if (this.#closed) return this.path;
    this.#closed = true;
    await this.#queue.idle();
    try {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#file === undefined) {
        throw new VideoError(`The video ${this.path} has no frames.`, {
          code: 'VIDEO_EMPTY',
          value: this.path,
          hint: 'write at least one frame, or call `discard`',
        });
      }
      await this.#file.write(writePngChunk('IEND', new Uint8Array(0)));
      await this.#file.write(animationControl(this.#frames), ACTL_OFFSET);
      await this.#file.commit();
      return this.path;
    } catch (error) {
      await this.#file?.discard();
      throw error;
    }
  }

  async discard(): Promise<void> {
    this.#closed = true;
    await this.#queue.idle();
    await this.#file?.discard();
  }

  #encode(frame: Image): Uint8Array[] {
    if (this.#closed) throw new VideoError('The video is closed.', { code: 'VIDEO_CLOSED', value: this.path });
    assertImage(frame);
    const last = this.#last;
    if (last !== undefined && !sameShape(frame, last)) {
      throw new VideoError(`Frame ${this.#frames} is ${words(frame)}, the first was ${words(last)}.`, {
        code: 'VIDEO_FRAME',
        value: words(frame),
        expected: words(last),
        hint: 'resize frames with `resizeImage`',
      });
    }
    const region = last === undefined ? { x: 0, y: 0, ...frame } : changedRegion(last, frame);
    const control = writePngChunk('fcTL', frameControl(this.#sequence++, region, this.#fps));
    const pixels = compressPixels(crop(frame, region));
    const data = last === undefined ? writePngChunk('IDAT', pixels) : this.#frameData(pixels);
    const head =
      last === undefined ? [PNG_SIGNATURE, writePngChunk('IHDR', pngHeader(frame)), animationControl(1)] : [];
    this.#last = { ...frame, data: new Uint8Array(frame.data) };
    this.#frames += 1;
    return [...head, control, data];
  }

  #frameData(pixels: Uint8Array): Uint8Array {
    const data = new Uint8Array(4 + pixels.length);
    new DataView(data.buffer).setUint32(0, this.#sequence++);
    data.set(pixels, 4);
    return writePngChunk('fdAT', data);
  }
}

/** In pixels, `x` from the left and `y` from the top. */
interface Region {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly width: number;
}

/** acTL: number of frames, played in a loop. */
function animationControl(frames: number): Uint8Array {
  const data = new Uint8Array(8);
  new DataView(data.buffer).setUint32(0, frames);
  return writePngChunk('acTL', data);
}

/** The data of fcTL. New pixels replace old ones and stay for the next frame. */
function frameControl(sequence: number, { x, y, height, width }: Region, fps: number): Uint8Array {
  const data = new Uint8Array(26);
  const view = new DataView(data.buffer);
  [sequence, width, height, x, y].forEach((value, i) => {
    view.setUint32(4 * i, value);
  });
  // seconds per frame as a fraction of 16-bit integers
  view.setUint16(20, 100);
  view.setUint16(22, Math.max(1, Math.round(fps * 100)));
  return data;
}

/** The smallest rectangle with all pixels that differ; one pixel if none does. */
function changedRegion(before: Image, after: Image): Region {
  const { height, width, channels } = after;
  const stride = width * channels;
  let [top, bottom, left, right] = [height, -1, stride, -1];
  for (let y = 0; y < height; y++) {
    const row = y * stride;
    let first = 0;
    while (first < stride && before.data[row + first] === after.data[row + first]) first += 1;
    if (first === stride) continue;
    let end = stride - 1;
    while (before.data[row + end] === after.data[row + end]) end -= 1;
    top = Math.min(top, y);
    bottom = y;
    left = Math.min(left, first);
    right = Math.max(right, end);
  }
  if (bottom === -1) return { x: 0, y: 0, height: 1, width: 1 };
  const x = Math.floor(left / channels);
  return { x, y: top, height: bottom - top + 1, width: Math.floor(right / channels) - x + 1 };
}

function crop({ data, width: stride, channels }: Image, { x, y, height, width }: Region): Image {
  const cropped = new Uint8Array(height * width * channels);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * stride + x) * channels;
    cropped.set(data.subarray(from, from + width * channels), row * width * channels);
  }
  return { data: cropped, height, width, channels };
}

function sameShape(a: Image, b: Image): boolean {
  return a.height === b.height && a.width === b.width && a.channels === b.channels;
}

function words({ height, width, channels }: Image): string {
  return `${height} by ${width} with ${channels} channels`;
}
