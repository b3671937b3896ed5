/**
 * The base of the four games: the split, the generator, pictures, the order of a reset and of a step, snapshots.
 *
 * A game says how it deals, what an action does, and what is seen of it.
 */
import {
  BaseEnv,
  drawInSplit,
  type EnvSnapshot,
  type Info,
  parseReset,
  parseSnapshot,
  pythonRandomState,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  type Split,
  type StepResult,
} from '@vlgym/core';
import { PythonRandom } from '@vlgym/core/random';
import { z } from 'zod';
import type { DrawIntoOptions } from '../pictures/canvas.js';
import { type ObservationKind, refuseFrame } from './observations.js';
import { type CardGameOptions, RENDERING } from './options.js';

interface Picture {
  copy(): RgbImage;
  observe(last: boolean): RgbImage;
  drawInto(frame: Uint8Array | undefined, options?: DrawIntoOptions): void;
}

/** The result of an action. */
export interface Played<State> {
  readonly state: State;
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated?: boolean;
  /** Further entries of the info. */
  readonly info?: Info;
}

/** The form of a game's state in a snapshot. */
export interface SavedAs<State> {
  readonly kind: string;
  /** Name of its entry. */
  readonly name: string;
  readonly schema: z.ZodType<State>;
}

/** @typeParam State  A hand in play. */
export abstract class CardGameEnv<State, Observation, I extends Info> extends BaseEnv<Observation, number, I> {
  override readonly metadata = RENDERING;
  protected abstract readonly picture: Picture;
  /** Options of `reset`; default none. */
  protected readonly episodeOptions: z.ZodObject | undefined = undefined;
  readonly #split: Split | undefined;
  readonly #kind: ObservationKind;
  #random: PythonRandom | undefined;
  #state: State | undefined;

  constructor({ renderMode, split, observation = 'image' }: CardGameOptions) {
    super({ renderMode });
    this.#split = split;
    this.#kind = observation;
  }

  protected abstract deal(): State;
  /** Also updates the picture. */
  protected abstract play(before: State, action: number): Played<State>;
  /** Draws the whole state. */
  protected abstract show(state: State): void;
  /** The content of the picture in words. */
  protected abstract describe(state: State): string;
  protected abstract infoOf(state: State): I;
  protected abstract keyOf(state: State): string;
  /** For people in a terminal. */
  protected abstract text(state: State): string;
  /** For people who cannot see the picture. */
  protected abstract words(state: State): string;
  protected abstract get saved(): SavedAs<State>;

  reset(given?: ResetOptions): ResetResult<Observation, I> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, this.episodeOptions);
    this.restart(seed);
    const state = this.begin(options);
    this.#state = state;
    this.show(state);
    return {
      observation: this.observe(state, false),
      info: { ...this.infoOf(state), taskKey: this.keyOf(state) },
    };
  }

  step(action: number): StepResult<Observation, I> {
    this.ensureOpen('step');
    this.checkAction(action);
    const { state, reward, terminated, truncated = false, info } = this.play(this.dealt('step'), action);
    this.#state = state;
    return {
      observation: this.observe(state, terminated || truncated),
      reward,
      terminated,
      truncated,
      info: { ...this.infoOf(state), ...info },
    };
  }

  /**
   * Draws all further pictures into this buffer: every observation is a view of it that the next step changes, and that
   * only this environment may write to. With `undefined` observations have their own buffers again, as by default.
   *
   * @throws {InvalidOptionError}  The length is not `3 * height * width` bytes, or observations are no pictures.
   */
  drawInto(frame: Uint8Array | undefined, options?: DrawIntoOptions): void {
    refuseFrame(this.#kind, frame);
    this.picture.drawInto(frame, options);
  }

  override render(): RenderFrame {
    const state = this.dealt('render');
    if (this.renderMode === 'rgb_array') return this.picture.copy();
    return this.renderMode === 'ansi' ? this.text(state) : this.renderNothing();
  }

  /** The state in words, for people who cannot see the picture. */
  describeState(): string {
    return this.words(this.dealt('describeState'));
  }

  snapshot(): EnvSnapshot {
    const { kind, name } = this.saved;
    return { kind, state: structuredClone({ [name]: this.#state ?? null, ...this.saveGenerator() }) };
  }

  restore(snapshot: EnvSnapshot): void {
    const { kind, name, schema } = this.saved;
    const shape = z.strictObject({ [name]: schema.nullable(), ...this.generatorShape });
    const found: Record<string, unknown> = parseSnapshot(snapshot, kind, shape);
    this.loadGenerator(found);
    this.#state = (found[name] as State | null) ?? undefined;
    if (this.#state) this.show(this.#state);
  }

  protected begin(_options: Readonly<Record<string, unknown>>): State {
    return drawInSplit(
      this.#split,
      () => this.deal(),
      (state) => this.keyOf(state),
    );
  }

  protected observe(state: State, last: boolean): Observation {
    return (this.#kind === 'text' ? this.describe(state) : this.picture.observe(last)) as Observation;
  }

  /** @throws {ResetNeededError} Nothing was dealt yet. */
  protected dealt(method: string): State {
    if (!this.#state) throw new ResetNeededError(method);
    return this.#state;
  }

  // the generator of the published code: Python's `random`, seeded once
  protected get random(): PythonRandom {
    this.#random ??= new PythonRandom();
    return this.#random;
  }

  protected restart(seed: number | undefined): void {
    if (seed !== undefined) this.#random = new PythonRandom(seed);
  }

  protected readonly generatorShape: z.ZodRawShape = { random: pythonRandomState.nullable() };

  protected saveGenerator(): Record<string, unknown> {
    return { random: this.#random?.getState() ?? null };
  }

  protected loadGenerator({ random }: Record<string, unknown>): void {
    this.#random = random ? new PythonRandom(0) : undefined;
    if (random) this.#random?.setState(random as Parameters<PythonRandom['setState']>[0]);
  }
}
