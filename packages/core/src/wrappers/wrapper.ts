/**
 * Wrapper: one layer around an environment; everything that is not overridden comes from the inner environment.
 *
 * Optional capabilities (snapshot, oracle, expert, mask, dialogue) are present on the wrapper exactly when the inner environment
 * has them, so feature tests work through any stack. A wrapper with state saves it in the snapshot through `saveState` and
 * `loadState`. `spec` describes the whole stack.
 */
import { chain } from '../async/chain.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import type {
  AnyEnv,
  Awaitable,
  Env,
  EnvMetadata,
  EnvSnapshot,
  Info,
  RenderFrame,
  RenderMode,
  ResetOptions,
  ResetResult,
  StepResult,
  TopMarker,
} from '../env.js';
import type { EnvSpec, WrapperSpec } from '../registry/spec/spec.js';
import { SnapshotMismatchError } from '../snapshot.js';
import type { Space } from '../spaces/space.js';
import { isRecord } from '../type-tests.js';
import { applyWrappers, type EnvWrapper, type Pipe, type PipeableEnv } from './pipe.js';

/** Optional parts of an environment that a wrapper with other types cannot pass on. */
export type Capability = 'snapshot' | 'oracle' | 'expert' | 'actionMask' | 'dialogue';

type MapSize = { readonly height: number; readonly width: number };

export interface WrapperOptions {
  /** Capabilities of the inner environment that are not valid for the wrapped one. */
  readonly hide?: readonly Capability[] | undefined;
}

export abstract class Wrapper<
  Observation = unknown,
  Action = unknown,
  I extends Info = Info,
  InnerObservation = Observation,
  InnerAction = Action,
  InnerInfo extends Info = I,
> implements PipeableEnv<Observation, Action, I>
{
  snapshot?(): Awaitable<EnvSnapshot>;
  restore?(snapshot: EnvSnapshot): Awaitable<void>;
  oracle?(): Action | undefined;
  expert?(): Action | undefined;
  actionMask?(): Uint8Array;
  oracleReason?(): string | undefined;
  renderTop?(size?: MapSize): Awaitable<RenderFrame>;
  topMarker?(size?: MapSize): TopMarker;
  declare readonly dialogue?: Dialogue<Observation, Action, I>;

  constructor(
    /** The environment one layer below. */
    readonly env: Env<InnerObservation, InnerAction, InnerInfo>,
    { hide = [] }: WrapperOptions = {},
  ) {
    const inner = env as AnyEnv;
    const offers = (capability: Capability) => inner[capability] !== undefined && !hide.includes(capability);
    if (offers('snapshot') && inner.restore) {
      this.snapshot = () => this.#snapshot();
      this.restore = (snapshot) => this.#restore(snapshot);
    }
    if (offers('oracle')) this.oracle = () => inner.oracle!();
    if (offers('expert')) this.expert = () => inner.expert!();
    if (offers('actionMask')) this.actionMask = () => inner.actionMask!();
    if (offers('dialogue')) this.dialogue = inner.dialogue!;
    if (inner.oracleReason && offers('oracle')) this.oracleReason = () => inner.oracleReason!();
    if (inner.renderTop) this.renderTop = (size) => inner.renderTop!(size);
    if (inner.topMarker) this.topMarker = (size) => inner.topMarker!(size);
  }

  /** Name and options to rebuild this layer; the name must be built in or registered. */
  get wrapperSpec(): WrapperSpec {
    return { name: this.constructor.name };
  }

  get observationSpace(): Space<Observation> {
    return this.env.observationSpace as unknown as Space<Observation>;
  }

  get actionSpace(): Space<Action> {
    return this.env.actionSpace as unknown as Space<Action>;
  }

  get metadata(): EnvMetadata {
    return this.env.metadata;
  }

  get stepLimit(): number | undefined {
    return this.env.stepLimit;
  }

  get renderMode(): RenderMode | undefined {
    return this.env.renderMode;
  }

  get unwrapped(): AnyEnv {
    return this.env.unwrapped;
  }

  /** The stack up to this layer; `undefined` when the innermost environment was not made from a spec. */
  get spec(): EnvSpec | undefined {
    return this.env.spec && this.extendSpec(this.env.spec);
  }

  /** Sets the spec of the innermost environment; the layers add their own specs. */
  set spec(spec: EnvSpec | undefined) {
    this.env.spec = spec;
  }

  protected extendSpec(inner: EnvSpec): EnvSpec {
    return { ...inner, wrappers: [...(inner.wrappers ?? []), this.wrapperSpec] };
  }

  reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    return (this.env as AnyEnv).reset(options);
  }

  step(action: Action): Awaitable<StepResult<Observation, I>> {
    return (this.env as AnyEnv).step(action);
  }

  render(): Awaitable<RenderFrame> {
    return this.env.render();
  }

  close(): Awaitable<void> {
    return this.env.close();
  }

  readonly pipe = ((...wrappers: readonly EnvWrapper[]): AnyEnv => applyWrappers(this, wrappers)) as Pipe<
    Env<Observation, Action, I>
  >;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** State of this layer as JSON data; `undefined` (the default) when it has none. */
  protected saveState(): unknown {
    return undefined;
  }

  /**
   * Validates a state from `saveState` before anything is changed; the result is passed to `loadState`.
   *
   * @throws {SnapshotMismatchError}  Use `parseState` with a schema.
   */
  protected parseState(state: unknown): unknown {
    return state;
  }

  /** Restores a validated state. Must not fail: the inner environment is already restored. */
  protected loadState(_state: unknown): void {}

  /** The kind of this layer's snapshots. */
  protected get snapshotKind(): string {
    return `wrapper:${this.wrapperSpec.name}/1`;
  }

  /** True also if the state cannot be saved now (an observation outside its space). */
  #hasState(): boolean {
    try {
      return this.saveState() !== undefined;
    } catch {
      return true;
    }
  }

  #snapshot(): Awaitable<EnvSnapshot> {
    const inner = this.env.snapshot!();
    const state = this.saveState();
    if (state === undefined) return inner;
    return chain(inner, (env) => ({ kind: this.snapshotKind, state: { own: state, env } }));
  }

  #restore(snapshot: EnvSnapshot): Awaitable<void> {
    if (!this.#hasState()) return this.env.restore!(snapshot);
    const kind = this.snapshotKind;
    if (!isRecord(snapshot) || snapshot.kind !== kind) {
      throw new SnapshotMismatchError(isRecord(snapshot) ? snapshot.kind : snapshot, kind);
    }
    const state: Readonly<Record<string, unknown>> = isRecord(snapshot.state) ? snapshot.state : {};
    if (state.own === undefined) {
      const fault = { path: 'own', value: state.own, expected: 'the state of this wrapper' };
      throw new SnapshotMismatchError(kind, kind, fault);
    }
    const parsed = this.parseState(state.own);
    return chain(this.env.restore!(state.env as EnvSnapshot), () => this.loadState(parsed));
  }
}

/** The first layer of the given class, from the outside in; `undefined` if there is none. */
export function findWrapper<W extends Wrapper>(
  env: AnyEnv,
  // biome-ignore lint/suspicious/noExplicitAny: constructors of any signature
  wrapperClass: abstract new (...parameters: any[]) => W,
): W | undefined {
  for (let layer = env; layer instanceof Wrapper; layer = layer.env) {
    if (layer instanceof wrapperClass) return layer;
  }
  return undefined;
}
