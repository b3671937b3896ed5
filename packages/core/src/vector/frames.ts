/**
 * One block of memory for the pictures of a vector: `frames` of `makeVec` and of `SerialVectorEnv`.
 *
 * Picture i is `frames.subarray(i * bytes, (i + 1) * bytes)`, so the block is a batch for a model without copying.
 * Environments with `drawInto` draw there; the pictures of others are copied.
 */
import { chain } from '../async/chain.js';
import type { AnyEnv, Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../env.js';
import type { Image } from '../image.js';
import { InvalidOptionError } from '../options.js';
import { isKind } from '../spaces/kinds.js';
import type { Space } from '../spaces/space.js';
import { ObservationWrapper } from '../wrappers/observation/transform-observation.js';
import { Wrapper } from '../wrappers/wrapper.js';
import type { DrawnRows } from './drawn-rows.js';
import type { AutoresetMode } from './vector-env.js';

/** An environment that can draw its pictures into a buffer of the caller. */
export interface DrawsInto {
  /**
   * Every further observation is a view of the buffer that the next step overwrites; with `undefined` observations have
   * their own buffers again.
   *
   * @param options.copyLast  Copies the last observation of an episode, so that it survives the next reset.
   * @param options.drawn     The environment may mark here which rows it draws; then it marks all of them, from this call on.
   */
  drawInto(
    frame: Uint8Array | undefined,
    options?: { readonly copyLast?: boolean; readonly drawn?: DrawnRows | undefined },
  ): void;
}

export interface FrameOptions {
  /**
   * `numEnvs` pictures one after the other, which may be in a `SharedArrayBuffer`. Pictures of observations are views of
   * it that the next step overwrites; `finalObservation` is a copy. Omitted: every observation has its own buffer.
   */
  readonly frames?: Uint8Array | undefined;
  /** With `frames`: where environment `index` marks the rows that it draws. */
  readonly drawn?: readonly DrawnRows[] | undefined;
}

interface Picture {
  /** Key of the picture in the observation; `undefined`: the observation is the picture. */
  readonly key: string | undefined;
  readonly bytes: number;
}

/** Puts the pictures of environment `index` into its part of the block. */
export function framed<E extends AnyEnv>(
  create: (index: number) => Awaitable<E>,
  {
    frames,
    drawn,
    numEnvs,
    autoreset,
  }: FrameOptions & { readonly numEnvs: number; readonly autoreset?: AutoresetMode | undefined },
): (index: number) => Awaitable<E> {
  if (frames === undefined) return create;
  // `slice` of a Buffer is a view, and environments copy pictures with it
  const isSubclass = frames instanceof Uint8Array && frames.constructor !== Uint8Array;
  const block = isSubclass ? new Uint8Array(frames.buffer, frames.byteOffset, frames.length) : frames;
  return (index) =>
    chain(create(index), (env) => {
      const picture = pictureOf(env.observationSpace);
      checkFrames(frames, numEnvs, picture);
      const part = block.subarray(index * picture!.bytes, (index + 1) * picture!.bytes);
      // In this mode the next episode's first picture is drawn before the caller sees this episode's last one.
      const copyLast = autoreset === 'same-step';
      const painter = painterOf(env);
      if (!painter) return new Framed(env, picture!, part, copyLast) as unknown as E;
      painter.drawInto(part, { copyLast, drawn: drawn?.[index] });
      return env;
    });
}

/** @throws {InvalidOptionError} Not a block of the right size, or the observation has no picture. */
function checkFrames(frames: unknown, numEnvs: number, picture: Picture | undefined): void {
  if (!picture) throw new InvalidOptionError('frames', frames, 'an environment whose observation has one picture');
  const wanted = numEnvs * picture.bytes;
  if (frames instanceof Uint8Array && frames.length === wanted) return;
  const value = frames instanceof Uint8Array ? frames.length : frames;
  throw new InvalidOptionError(
    'frames',
    value,
    `a Uint8Array of ${wanted} bytes, ${numEnvs} pictures of ${picture.bytes}`,
  );
}

function pictureOf(space: Space): Picture | undefined {
  if (isKind(space, 'image')) return { key: undefined, bytes: space.height * space.width * space.channels };
  if (!isKind(space, 'dict')) return undefined;
  const pictures = space.keys.flatMap((key) => {
    const part = pictureOf(space.spaces[key]!);
    return part && part.key === undefined ? [{ key, bytes: part.bytes }] : [];
  });
  return pictures.length === 1 ? pictures[0] : undefined;
}

/** The environment that draws, if no layer around it makes another observation of the picture. */
function painterOf(env: AnyEnv): DrawsInto | undefined {
  let layer = env;
  for (; layer instanceof Wrapper; layer = layer.env) {
    if (layer instanceof ObservationWrapper || layer.observationSpace !== layer.env.observationSpace) return undefined;
  }
  const painter = layer as AnyEnv & Partial<DrawsInto>;
  return typeof painter.drawInto === 'function' ? (painter as DrawsInto) : undefined;
}

/** Copies the picture of every observation into a buffer. */
class Framed<Observation, Action, I extends Info> extends Wrapper<Observation, Action, I> {
  readonly #picture: Picture;
  readonly #frame: Uint8Array;
  readonly #keepsLast: boolean;

  constructor(env: Env<Observation, Action, I>, picture: Picture, frame: Uint8Array, keepsLast: boolean) {
    super(env);
    this.#picture = picture;
    this.#frame = frame;
    this.#keepsLast = keepsLast;
  }

  override get spec() {
    return this.env.spec;
  }

  override set spec(spec) {
    this.env.spec = spec;
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    return chain(this.env.reset(options), (result) => ({ ...result, observation: this.#put(result.observation) }));
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    return chain(this.env.step(action), (result) => {
      if (this.#keepsLast && (result.terminated || result.truncated)) return result;
      return { ...result, observation: this.#put(result.observation) };
    });
  }

  #put(observation: Observation): Observation {
    const { key } = this.#picture;
    const image = (key === undefined ? observation : (observation as Record<string, unknown>)[key]) as Image;
    this.#frame.set(image.data);
    const view = { ...image, data: this.#frame };
    return (key === undefined ? view : { ...observation, [key]: view }) as Observation;
  }
}
