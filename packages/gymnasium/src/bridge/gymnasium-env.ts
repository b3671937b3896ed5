/**
 * Any environment of Python's Gymnasium as an `Env`: `make('gymnasium:CartPole-v1')`.
 *
 * Spaces, seeds, rewards and ends are Python's. The limit of steps is Python's, too. Language models play through the
 * generic dialogue: the observation, or the drawn picture, and the names of the actions.
 */
import {
  BaseEnv,
  checkResetOptions,
  type Dialogue,
  type EnvMetadata,
  type EnvRegistration,
  type EnvSnapshot,
  GymError,
  type Image,
  type RenderFrame,
  type ResetOptions,
  type ResetResult,
  registerScheme,
  SnapshotMismatchError,
  type Space,
  type StepResult,
  spaceDialogue,
  spaces,
} from '@vlgym/core';
import { isImage } from '@vlgym/core/images';
import { isRecord } from '@vlgym/core/internal';
import { NdArray } from '../frames/codec.js';
import { fromWire, plainData, toWire } from '../frames/values.js';
import { type Lease, leasePython } from './lease.js';
import { type Made, type PythonSpec, readMade } from './made.js';
import { type GymnasiumOptions, splitOptions } from './options.js';
import type { PythonProcess } from './python-process.js';

const SNAPSHOT_KIND = 'gymnasium/1';

/** A process with its environment. */
type Start = () => Promise<readonly [Lease, Made]>;

export class GymnasiumEnv extends BaseEnv {
  override readonly metadata: EnvMetadata;
  readonly observationSpace: Space;
  readonly actionSpace: Space;
  readonly dialogue: Dialogue;
  readonly pythonSpec: PythonSpec;
  declare snapshot?: () => Promise<EnvSnapshot>;
  declare restore?: (snapshot: EnvSnapshot) => Promise<void>;
  readonly #start: Start;
  readonly #timeoutMs: number | undefined;
  #lease: Lease;
  #frame: RenderFrame;
  #return = 0;
  #copies = 0;

  private constructor(id: string, lease: Lease, made: Made, start: Start, options: GymnasiumOptions) {
    super({ renderMode: options.renderMode });
    this.#lease = lease;
    this.#start = start;
    this.#timeoutMs = options.timeoutMs;
    this.metadata = made.metadata;
    this.pythonSpec = made.spec;
    this.observationSpace = spaces.fromJSON(made.observationSpace);
    this.actionSpace = spaces.fromJSON(made.actionSpace);
    const { observationSpace, actionSpace } = this;
    this.dialogue = spaceDialogue({
      title: id,
      observationSpace,
      actionSpace,
      actionNames: made.actionMeanings,
      picture: () => (isImage(this.#frame) ? this.#frame : undefined),
    });
    if (made.snapshots) {
      this.snapshot = () => this.#takeSnapshot();
      this.restore = (snapshot) => this.#putSnapshot(snapshot);
    }
  }

  /**
   * @param id  As `gymnasium.make` takes it, `module:` in front included.
   * @throws {PythonEnvError} Gymnasium refuses, or is not installed. @throws {PythonLostError} Python cannot be started.
   */
  static async create(id: string, given: GymnasiumOptions = {}): Promise<GymnasiumEnv> {
    const { options, kwargs } = splitOptions(given);
    const start = async () => {
      const lease = await leasePython(options.python, options.mode ?? 'own-process');
      try {
        const request = {
          op: 'make',
          env: lease.env,
          id,
          kwargs,
          render_mode: options.renderMode ?? null,
          snapshots: options.snapshot === 'try',
        };
        return [lease, readMade(await lease.process.ask(request, options.timeoutMs))] as const;
      } catch (error) {
        await lease.release();
        throw error;
      }
    };
    const [lease, made] = await start();
    try {
      return new GymnasiumEnv(id, lease, made, start, options);
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  /** Id of the Python process, for monitoring. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** A process that was lost is replaced. */
  async reset(given?: ResetOptions): Promise<ResetResult<unknown>> {
    this.ensureOpen('reset');
    checkResetOptions(given);
    if (!this.#process.isAlive) {
      await this.#lease.release();
      [this.#lease] = await this.#start();
    }
    const { seed = null, options = null } = given ?? {};
    const answer = await this.#ask({ op: 'reset', seed, options, render: this.renderMode === 'rgb_array' });
    this.#return = 0;
    return { observation: this.#observation(answer), info: infoOf(answer) };
  }

  async step(action: unknown): Promise<StepResult<unknown>> {
    this.ensureOpen('step');
    const wire = toWire(this.actionSpace, action);
    const answer = await this.#ask({ op: 'step', action: wire, render: this.renderMode === 'rgb_array' });
    const { terminated, truncated } = answer;
    const reward = Number(answer.reward);
    this.#return += reward;
    return {
      observation: this.#observation(answer),
      reward,
      terminated: terminated === true,
      truncated: truncated === true,
      info: terminated === true || truncated === true ? this.#judged(infoOf(answer)) : infoOf(answer),
    };
  }

  override async render(): Promise<RenderFrame> {
    this.ensureOpen('render');
    if (this.renderMode === undefined) return this.renderNothing();
    if (this.renderMode !== 'rgb_array' || this.#frame === undefined)
      this.#keepFrame(await this.#ask({ op: 'render' }));
    return this.#frame;
  }

  protected override async dispose(): Promise<void> {
    await this.#lease.release();
  }

  get #process(): PythonProcess {
    return this.#lease.process;
  }

  #ask(request: Parameters<PythonProcess['ask']>[0]): Promise<Readonly<Record<string, unknown>>> {
    return this.#process.ask({ ...request, env: this.#lease.env }, this.#timeoutMs);
  }

  /** Where Python says at which return the task is solved, that decides: a positive return alone is not success. */
  #judged(info: Record<string, unknown>): Record<string, unknown> {
    const { rewardThreshold } = this.pythonSpec;
    if (rewardThreshold === undefined || 'success' in info) return info;
    return { ...info, success: this.#return >= rewardThreshold };
  }

  #observation(answer: Readonly<Record<string, unknown>>): unknown {
    if ('frame' in answer) this.#keepFrame(answer);
    return fromWire(this.observationSpace, answer.observation);
  }

  #keepFrame({ frame }: Readonly<Record<string, unknown>>): void {
    this.#frame = typeof frame === 'string' ? frame : pictureOf(frame);
  }

  async #takeSnapshot(): Promise<EnvSnapshot> {
    this.#copies += 1;
    const handle = this.#copies;
    await this.#ask({ op: 'snapshot', handle });
    return { kind: SNAPSHOT_KIND, state: { process: this.#process.pid, env: this.#lease.env, handle } };
  }

  async #putSnapshot({ kind, state }: EnvSnapshot): Promise<void> {
    if (kind !== SNAPSHOT_KIND || !isRecord(state)) throw new SnapshotMismatchError(kind, SNAPSHOT_KIND);
    if (state.process !== this.#process.pid || state.env !== this.#lease.env) {
      const expected = 'a snapshot of this environment in its running Python process';
      throw new SnapshotMismatchError(kind, SNAPSHOT_KIND, { path: 'process', value: state.process, expected });
    }
    await this.#ask({ op: 'restore', handle: state.handle });
  }
}

function infoOf({ info }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const data = plainData(info);
  return isRecord(data) ? data : {};
}

/** Rows of RGB; Python may give gray pictures without channels. */
function pictureOf(frame: unknown): Image | undefined {
  if (!(frame instanceof NdArray) || frame.dtype !== '|u1') return undefined;
  const [height = 0, width = 0, channels = 1] = frame.shape;
  const image = { data: frame.data, height, width, channels };
  return isImage(image) ? image : undefined;
}

function registration(id: string, name: string): EnvRegistration {
  if (name.trim() === '') {
    throw new GymError(`"${id}" names no environment.`, {
      code: 'INVALID_ENV_ID',
      value: id,
      expected: 'gymnasium:CartPole-v1',
    });
  }
  return {
    id,
    module: '@vlgym/gymnasium',
    title: `Gymnasium ${name}`,
    entryPoint: (options: GymnasiumOptions) => GymnasiumEnv.create(name, options),
  };
}

registerScheme({ scheme: 'gymnasium', find: registration });
