/**
 * Wrapper: one layer around an environment; everything not overridden is the inner environment's.
 *
 * What an environment may lack (snapshot, oracle, mask, dialogue) is present on the wrapper exactly when it is present
 * below, so feature tests see through any stack. A wrapper with state of its own puts it into the snapshot through
 * `saveState` and `loadState`. `spec` describes the whole stack.
 */
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
} from '../env.js';
import { isPlain } from '../parse-options.js';
import type { EnvSpec, WrapperSpec } from '../registry/spec.js';
import { SnapshotMismatchError } from '../snapshot.js';
import type { Space } from '../spaces/space.js';
import { applyWrappers, type EnvWrapper, type Pipe, type PipeableEnv } from './pipe.js';

/** Optional parts of an environment that a wrapper which changes types cannot pass on. */
export type Capability = 'snapshot' | 'oracle' | 'actionMask' | 'dialogue';

export interface WrapperOptions {
  /** Capabilities of the inner environment that do not hold for the wrapped one. */
  readonly hide?: readonly Capability[];
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
  snapshot?(): EnvSnapshot;
  restore?(snapshot: EnvSnapshot): void;
  oracle?(): Action | undefined;
  actionMask?(): Uint8Array;
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
    if (offers('actionMask')) this.actionMask = () => inner.actionMask!();
    if (offers('dialogue')) this.dialogue = inner.dialogue!;
  }

  /** Name and options from which this layer can be built again; the name must be built in or registered. */
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

  /** Sets the spec of the innermost environment; the layers add themselves. */
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
   * Checks what is said to come from `saveState`, before anything is changed; `loadState` is given what this returns.
   *
   * @throws {SnapshotMismatchError}  Use `parseState` with a schema.
   */
  protected parseState(state: unknown): unknown {
    return state;
  }

  /** Takes back what `saveState` returned, checked. It cannot fail: the environment below is restored already. */
  protected loadState(_state: unknown): void {}

  /** The kind of this layer's snapshots. */
  protected get snapshotKind(): string {
    return `wrapper:${this.wrapperSpec.name}/1`;
  }

  /** A state that cannot be written just now (an observation outside of its space) is one all the same. */
  #hasState(): boolean {
    try {
      return this.saveState() !== undefined;
    } catch {
      return true;
    }
  }

  #snapshot(): EnvSnapshot {
    const env = this.env.snapshot!();
    const own = this.saveState();
    return own === undefined ? env : { kind: this.snapshotKind, state: { own, env } };
  }

  #restore(snapshot: EnvSnapshot): void {
    if (!this.#hasState()) {
      this.env.restore!(snapshot);
      return;
    }
    const kind = this.snapshotKind;
    if (!isPlain(snapshot) || snapshot.kind !== kind) {
      throw new SnapshotMismatchError(isPlain(snapshot) ? snapshot.kind : snapshot, kind);
    }
    const state: Readonly<Record<string, unknown>> = isPlain(snapshot.state) ? snapshot.state : {};
    if (state.own === undefined) {
      const fault = { path: 'own', value: state.own, expected: 'the state of this wrapper' };
      throw new SnapshotMismatchError(kind, kind, fault);
    }
    const own = this.parseState(state.own);
    this.env.restore!(state.env as EnvSnapshot);
    this.loadState(own);
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
