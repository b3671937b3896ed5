/**
 * One environment of a rollout and the episode it is in: resets with its own seeds, remembers the history, fails
 * without taking others along, and can be saved and continued.
 */
import { type Fallback, type Move, moveOf, NoDialogueError } from '@vlgym/agents';
import {
  type AnyEnv,
  type Dialogue,
  type EnvSnapshot,
  type EpisodeRecorder,
  type EpisodeStart,
  type Generator,
  type GeneratorState,
  GymError,
  type Info,
  type PromptContext,
  type ResetResult,
  type StepResult,
  type Turn,
  taskKeyOf,
} from '@vlgym/core';
import { type Outcome, settled } from './settle.js';

const RESET_TRIES = 3;

/** An environment did not start an episode, whatever the seed. */
export class EnvironmentFailedError extends GymError {
  constructor(
    readonly index: number,
    readonly seeds: readonly number[],
    cause: unknown,
  ) {
    super(`Environment ${index} failed to reset ${seeds.length} times in a row.`, {
      code: 'ENVIRONMENT_FAILED',
      value: seeds,
      hint: `run \`await env.reset({ seed: ${seeds[0]} })\` alone to see why`,
      cause,
    });
  }
}

/** A slot as JSON data. */
export interface SlotState {
  readonly rng: GeneratorState;
  readonly sampler: GeneratorState;
  readonly episode: number;
  readonly seed: number;
  readonly taskKey?: string;
  readonly return: number;
  /** Absent where the environment has no snapshots: its episode is then given up and the next one begins. */
  readonly env?: EnvSnapshot;
  readonly observation?: unknown;
  readonly info?: Info;
  readonly history?: readonly { observation: unknown; text: string; action: unknown; reward: number }[];
}

export class Slot {
  readonly dialogue: Dialogue;
  /** Draws seeds of episodes and fallback actions. */
  readonly rng: Generator;
  /** Draws tokens; one per environment, so that a text does not depend on its neighbors. */
  readonly sampler: Generator;
  /** Episodes begun. */
  episode = 0;
  seed = 0;
  /** What the running episode is about, where the environment says so. */
  taskKey: string | undefined;
  /** Undiscounted sum of rewards of the running episode. */
  return = 0;
  observation: unknown;
  info: Info = {};
  history: Turn[] = [];
  /** Recorder of the running episode; absent after a resume in mid-episode, whose start another process recorded. */
  recorder: EpisodeRecorder | undefined;

  constructor(
    readonly index: number,
    readonly env: AnyEnv,
    rng: Generator,
    readonly record?: (start: EpisodeStart) => Promise<EpisodeRecorder>,
  ) {
    if (!env.dialogue) throw new NoDialogueError(env.spec?.id ?? env.constructor.name);
    this.dialogue = env.dialogue;
    const [own, sampler] = rng.spawn(2);
    this.rng = own!;
    this.sampler = sampler!;
  }

  get episodeId(): string {
    return `env${this.index}-episode${this.episode}`;
  }

  get context(): PromptContext {
    return { observation: this.observation, info: this.info, history: this.history };
  }

  /**
   * Begins the next episode; a seed that fails is skipped.
   *
   * @param first  Its seed, and the ones after it when it fails, so that a group stays together; default: drawn.
   * @throws {EnvironmentFailedError} Three seeds failed.
   */
  async start(first?: number): Promise<void> {
    const seeds: number[] = [];
    let failure: unknown;
    while (seeds.length < RESET_TRIES) {
      const seed = first === undefined ? this.rng.integers(0, 2 ** 31) : first + seeds.length;
      seeds.push(seed);
      const outcome = (await settled(() => this.env.reset({ seed }))) as Outcome<ResetResult<unknown>>;
      if (outcome.ok) {
        this.episode += 1;
        this.seed = seed;
        this.taskKey = taskKeyOf(outcome.value.info);
        this.return = 0;
        this.observation = outcome.value.observation;
        this.info = outcome.value.info;
        this.history = [];
        this.recorder = await this.record?.({
          env: this.env,
          first: outcome.value,
          seed,
          id: this.episodeId,
        });
        return;
      }
      failure = outcome.error;
    }
    throw new EnvironmentFailedError(this.index, seeds, failure);
  }

  /** Takes over what a step gave. */
  advance(
    text: string,
    action: unknown,
    reward: number,
    result: Pick<StepResult<unknown>, 'observation' | 'info'>,
  ): void {
    this.history = [...this.history, { observation: this.observation, text, action, reward }];
    this.observation = result.observation;
    this.info = result.info;
    this.return += reward;
  }

  /** What the environment does after a response; a random action is drawn from this slot's generator. */
  moveOf(said: unknown, rule: Fallback): Move {
    const { env, rng, episodeId } = this;
    return moveOf({ ...this.context, env, rng, episodeId, stepIndex: this.history.length }, said, rule);
  }

  save(): SlotState {
    const { rng, sampler, episode, seed, taskKey, env } = this;
    const base = {
      rng: rng.getState(),
      sampler: sampler.getState(),
      episode,
      seed,
      ...(taskKey !== undefined && { taskKey }),
      return: this.return,
    };
    if (!env.snapshot || !env.restore) return base;
    const encode = (observation: unknown) => env.observationSpace.encode(observation);
    return {
      ...base,
      env: env.snapshot(),
      observation: encode(this.observation),
      info: this.info,
      history: this.history.map((turn) => ({
        observation: encode(turn.observation),
        text: turn.text,
        action: turn.action === undefined ? null : env.actionSpace.encode(turn.action),
        reward: turn.reward,
      })),
    };
  }

  async load(state: SlotState): Promise<void> {
    const { env } = this;
    this.rng.setState(state.rng);
    this.sampler.setState(state.sampler);
    this.episode = state.episode;
    if (!state.env || !env.restore) return this.start();
    // some environments build their world in reset; restore then puts the saved state into it
    await env.reset({ seed: state.seed });
    env.restore(state.env);
    this.recorder = undefined;
    this.seed = state.seed;
    this.taskKey = state.taskKey;
    this.return = state.return;
    this.observation = env.observationSpace.decode(state.observation);
    this.info = state.info ?? {};
    this.history = (state.history ?? []).map(({ observation, text, action, reward }) => ({
      observation: env.observationSpace.decode(observation),
      text,
      action: action === null ? undefined : env.actionSpace.decode(action),
      reward,
    }));
  }
}
