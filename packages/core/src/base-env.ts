/**
 * BaseEnv: what almost every environment needs besides its rules - a seeded generator, an idempotent `close`, `pipe`.
 *
 * Seeding follows `Farama-Foundation/Gymnasium`, `gymnasium/core.py`: the generator is created on first use, `reset` with
 * a seed restarts it, `reset` without one continues. An environment may also implement `Env` directly.
 */
import type {
  AnyEnv,
  Awaitable,
  Env,
  EnvMetadata,
  Info,
  RenderFrame,
  RenderMode,
  ResetOptions,
  ResetResult,
  StepResult,
} from './env.js';
import { ClosedError, InvalidActionError, ResetNeededError } from './errors.js';
import { Generator } from './random/generator.js';
import type { EnvSpec } from './registry/spec/spec.js';
import { warnWithoutRenderMode } from './registry/warn.js';
import type { Space } from './spaces/space.js';
import { applyWrappers, type EnvWrapper, type Pipe, type PipeableEnv } from './wrappers/pipe.js';

export interface BaseEnvOptions {
  readonly renderMode?: RenderMode | undefined;
}

export abstract class BaseEnv<Observation = unknown, Action = unknown, I extends Info = Info>
  implements PipeableEnv<Observation, Action, I>
{
  abstract readonly observationSpace: Space<Observation>;
  abstract readonly actionSpace: Space<Action>;
  readonly metadata: EnvMetadata = { renderModes: [] };
  readonly renderMode: RenderMode | undefined;
  spec: EnvSpec | undefined;

  #rng: Generator | undefined;
  #closing: Awaitable<void> | undefined;
  #closed = false;

  constructor({ renderMode }: BaseEnvOptions = {}) {
    this.renderMode = renderMode;
  }

  abstract reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>>;
  abstract step(action: Action): Awaitable<StepResult<Observation, I>>;

  get unwrapped(): this {
    return this;
  }

  render(): Awaitable<RenderFrame> {
    return this.renderNothing();
  }

  /** The result of `render` without a render mode; warns once, as in Gymnasium. */
  protected renderNothing(): undefined {
    warnWithoutRenderMode(this);
    return undefined;
  }

  /** This environment under the given wrappers, innermost first. */
  readonly pipe = ((...wrappers: readonly EnvWrapper[]): AnyEnv => applyWrappers(this, wrappers)) as Pipe<
    Env<Observation, Action, I>,
    this
  >;

  /** Seed of the current generator; `undefined` before its first use and after it was replaced. */
  get rngSeed(): number | bigint | undefined {
    return this.#rng?.seedUsed;
  }

  /** The generator of this environment, NumPy's `default_rng`; created from fresh entropy if it was never seeded. */
  protected get rng(): Generator {
    this.#rng ??= new Generator();
    return this.#rng;
  }

  protected set rng(generator: Generator) {
    this.#rng = generator;
  }

  /** Restarts the generator. Call it from `reset` if and only if a seed is given. */
  protected reseed(seed: number | bigint): void {
    this.#rng = new Generator(seed);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Throws `CLOSED` once `close` was called. */
  protected ensureOpen(method: string): void {
    if (this.#closed) throw new ClosedError(method);
  }

  /** @throws {InvalidActionError} The action is not in the action space. */
  protected checkAction(action: Action): void {
    if (!this.actionSpace.contains(action)) throw new InvalidActionError(action, this.actionSpace.describe());
  }

  /** What `reset` has begun. @throws {ClosedError} @throws {ResetNeededError} It is `undefined`: there was no `reset`. */
  protected started<Episode>(method: string, episode: Episode | undefined): Episode {
    this.ensureOpen(method);
    if (episode === undefined) throw new ResetNeededError(method);
    return episode;
  }

  /** Calls `dispose` once; later calls return the result of the first. */
  close(): Awaitable<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#closing = this.dispose();
    }
    return this.#closing;
  }

  /** Releases files, processes, buffers. Override if there are any. */
  protected dispose(): Awaitable<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
