/**
 * An environment in a worker thread, as an `Env`: a step that computes for seconds blocks neither other sessions nor the
 * pings of their connections.
 *
 * It is a `WorkerVectorEnv` of one environment; a failure, which the vector reports as a truncated episode, is an error
 * here.
 */
import {
  type AnyEnv,
  type Awaitable,
  type Env,
  type EnvSnapshot,
  GymError,
  type Info,
  makeVec,
  type RenderFrame,
  type ResetOptions,
  type ResetResult,
  type StepResult,
  type VectorEnv,
  type VectorSnapshot,
} from '@vlgym/core';

export class ThreadedEnv implements Env {
  readonly observationSpace: Env['observationSpace'];
  readonly actionSpace: Env['actionSpace'];
  readonly metadata: Env['metadata'];
  readonly renderMode: Env['renderMode'];
  spec: Env['spec'];
  declare readonly dialogue?: NonNullable<Env['dialogue']>;
  declare snapshot?: () => EnvSnapshot;
  declare restore?: (snapshot: EnvSnapshot) => void;
  readonly #vector: VectorEnv;

  private constructor(vector: VectorEnv, template: AnyEnv) {
    this.#vector = vector;
    this.observationSpace = vector.singleObservationSpace;
    this.actionSpace = vector.singleActionSpace;
    this.metadata = template.metadata;
    this.renderMode = vector.renderMode;
    this.spec = vector.spec;
    if (vector.singleDialogue) this.dialogue = vector.singleDialogue;
    if (template.snapshot) {
      // promises, which `Episode` awaits
      this.snapshot = (() => this.#snapshot()) as unknown as () => EnvSnapshot;
      this.restore = ((snapshot: EnvSnapshot) => this.#restore(snapshot)) as (snapshot: EnvSnapshot) => void;
    }
  }

  /** @param template  The same environment in this thread, for what a vector does not show. */
  static async create(
    template: AnyEnv,
    id: string,
    options: {
      readonly options?: Readonly<Record<string, unknown>> | undefined;
      readonly maxEpisodeSteps?: number | undefined;
    },
  ): Promise<ThreadedEnv> {
    const vector = await makeVec(id, { ...options, numEnvs: 1, vectorization: 'worker', autoreset: 'disabled' });
    return new ThreadedEnv(vector as unknown as VectorEnv, template);
  }

  get unwrapped(): AnyEnv {
    return this;
  }

  async reset({ seed, options }: ResetOptions = {}): Promise<ResetResult<unknown>> {
    const { observations, infos } = await this.#vector.reset({
      ...(seed === undefined ? {} : { seed }),
      ...(options && { options }),
    });
    return { observation: observations[0], info: infos[0]! };
  }

  async step(action: unknown): Promise<StepResult<unknown>> {
    const { observations, rewards, terminated, truncated, infos } = await this.#vector.step([action]);
    const info = infos[0] as Info;
    const { error } = info as { error?: { message?: string; code?: string } };
    if (truncated[0] === 1 && error !== undefined && info.truncationReason !== undefined) {
      throw new GymError(error.message ?? 'The environment failed.', {
        code: error.code ?? String(info.truncationReason).toUpperCase().replaceAll('-', '_'),
        hint: 'reset starts the next episode',
      });
    }
    return {
      observation: observations[0],
      reward: rewards[0]!,
      terminated: terminated[0] === 1,
      truncated: truncated[0] === 1,
      info,
    };
  }

  async render(): Promise<RenderFrame> {
    return (await this.#vector.render())[0];
  }

  close(): Awaitable<void> {
    return this.#vector.close();
  }

  async #snapshot(): Promise<EnvSnapshot> {
    return { kind: 'vector/1', state: await this.#vector.snapshot() };
  }

  async #restore({ state }: EnvSnapshot): Promise<void> {
    await this.#vector.restore(state as VectorSnapshot);
  }
}
