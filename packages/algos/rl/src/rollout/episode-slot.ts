/** The place of one environment in a rollout: begins its episodes with its own seeds, and can be saved and continued. */
import { type Fallback, NoDialogueError } from '@vlgym/agents';
import { Episode, type EpisodeSnapshot } from '@vlgym/agents/episode';
import { type AnyEnv, type Generator, type GeneratorState, GymError } from '@vlgym/core';
import type { EpisodeRecorder, EpisodeStart } from '@vlgym/core/trajectory';
import type { CommonConfig } from '../config/types.js';
import { countExpertTurns } from './opening.js';

const RESET_TRIES = 3;

/** An environment could not start an episode with any seed. */
class EnvironmentFailedError extends GymError {
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
  readonly tokenRng: GeneratorState;
  /** Episodes begun. */
  readonly episodes: number;
  /** `null` if the environment has no snapshots: its episode is then abandoned and the next one begins. */
  readonly snapshot: EpisodeSnapshot | null;
}

export interface SlotOptions {
  /** Position among the environments of the rollout. */
  readonly index: number;
  /** Before the ids of its episodes; default empty. */
  readonly idPrefix?: string | undefined;
  readonly env: AnyEnv;
  /** Parent of its generators. */
  readonly rng: Generator;
  readonly config: Pick<CommonConfig, 'rollout' | 'reward'>;
  readonly record?: ((start: EpisodeStart) => Promise<EpisodeRecorder>) | undefined;
  /** Asked at the start of every episode; default: all are. */
  readonly isRecorded?: (() => boolean) | undefined;
}

export class EpisodeSlot {
  readonly index: number;
  readonly episode: Episode;
  /** Draws tokens; one per environment, so that a text does not depend on its neighbors. */
  readonly tokenRng: Generator;
  /** Draws seeds of episodes and fallback actions. */
  readonly #rng: Generator;
  /** Turns after which its episodes are cut; default: the limits of the environment. */
  maxSteps: number | undefined;
  readonly #record: SlotOptions['record'];
  readonly #isRecorded: NonNullable<SlotOptions['isRecorded']>;
  readonly #idPrefix: string;
  #episodes = 0;

  constructor(options: SlotOptions) {
    const { index, idPrefix = '', env, rng, record, isRecorded = () => true } = options;
    const { rollout, reward } = options.config;
    if (!env.dialogue) throw new NoDialogueError(env.spec?.id ?? env.constructor.name);
    const [own, tokenRng] = rng.spawn(2);
    this.index = index;
    this.#idPrefix = idPrefix;
    this.tokenRng = tokenRng!;
    this.#rng = own!;
    this.#record = record;
    this.#isRecorded = isRecorded;
    const limit = () => this.maxSteps;
    this.episode = new Episode({
      get maxSteps() {
        return limit();
      },
      env,
      rng: own!,
      fallback: rollout.fallback as Fallback,
      fallbackReward: rollout.fallbackReward * reward.scale,
    });
  }

  /**
   * Begins the next episode; a seed that fails is skipped.
   *
   * @param first  Its seed, and the ones after it when it fails, so that a group stays together; default: drawn.
   * @param expertFirst  Lets the environment's expert play the episode to its end, then begins it again.
   * @returns the turns that the expert needed, where it was asked for and reached an end.
   * @throws {EnvironmentFailedError} Three seeds failed.
   */
  async start(first?: number, expertFirst = false): Promise<number | undefined> {
    const seeds: number[] = [];
    let failure: unknown;
    let expertTurns: number | undefined;
    while (seeds.length < RESET_TRIES) {
      const seed = first === undefined ? this.#rng.integers(0, 2 ** 31) : first + seeds.length;
      seeds.push(seed);
      try {
        const begin = { seed, id: `${this.#idPrefix}env${this.index}-episode${this.#episodes + 1}` };
        await this.episode.reset(begin);
        if (expertFirst) {
          expertTurns = await countExpertTurns(this.episode);
          await this.episode.reset(begin);
        }
      } catch (error) {
        failure = error;
        continue;
      }
      this.#episodes += 1;
      if (this.#record && this.#isRecorded()) await this.episode.record(this.#record);
      return expertTurns;
    }
    throw new EnvironmentFailedError(this.index, seeds, failure);
  }

  async save(): Promise<SlotState> {
    return {
      rng: this.#rng.getState(),
      tokenRng: this.tokenRng.getState(),
      episodes: this.#episodes,
      snapshot: await this.episode.snapshot(),
    };
  }

  /** The episode continues without a recorder: another process recorded its start. */
  async load({ rng, tokenRng, episodes, snapshot }: SlotState): Promise<void> {
    this.#rng.setState(rng);
    this.tokenRng.setState(tokenRng);
    this.#episodes = episodes;
    if (snapshot) await this.episode.restore(snapshot);
    else await this.start();
  }
}
