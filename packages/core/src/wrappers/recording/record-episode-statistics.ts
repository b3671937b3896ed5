/**
 * recordEpisodeStatistics: return, length and duration of each episode, in `info.episode` of its last step.
 *
 * Like `RecordEpisodeStatistics` of Gymnasium. Only the duration does not depend on the seed: it is not part of the
 * snapshot, and comparisons of trajectories ignore it.
 */
import { z } from 'zod';
import { chain } from '../../async/chain.js';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../../env.js';
import { GymError } from '../../errors.js';
import { checkNames, names } from '../../options.js';
import { parseState, savedCount } from '../../snapshot.js';
import { Wrapper } from '../wrapper.js';

export interface EpisodeStatistics {
  /** Sum of the rewards, not discounted. */
  readonly return: number;
  /** Number of steps. */
  readonly length: number;
  /** From reset to the last step, rounded to microseconds. */
  readonly seconds: number;
}

export interface RecordEpisodeStatisticsOptions {
  /** Number of episodes kept in `episodes`. */
  readonly bufferLength?: number | undefined;
  /** Key of the entry in `info`. */
  readonly key?: string | undefined;
}

const MAX_EPISODES = 1_000_000;

const SAVED_STATISTICS = z.strictObject({
  return: z.number(),
  length: savedCount,
  episodes: z.array(z.strictObject({ return: z.number(), length: savedCount, seconds: z.number() })).max(MAX_EPISODES),
});
type SavedStatistics = z.output<typeof SAVED_STATISTICS>;

const RECORD_EPISODE_STATISTICS_OPTIONS = names<RecordEpisodeStatisticsOptions>({ bufferLength: 0, key: 0 });

export class RecordEpisodeStatistics<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  readonly #key: string;
  readonly #bufferLength: number;
  #episodes: EpisodeStatistics[] = [];
  #return = 0;
  #length = 0;
  #startedAt = 0;

  constructor(env: Env<Observation, Action, I>, options: RecordEpisodeStatisticsOptions = {}) {
    checkNames('options', options, RECORD_EPISODE_STATISTICS_OPTIONS);
    const { bufferLength = 100, key = 'episode' } = options;
    super(env);
    this.#bufferLength = bufferLength;
    this.#key = key;
  }

  override get wrapperSpec() {
    return { name: 'recordEpisodeStatistics', options: { bufferLength: this.#bufferLength, key: this.#key } };
  }

  /** The last `bufferLength` finished episodes, oldest first. */
  get episodes(): readonly EpisodeStatistics[] {
    return [...this.#episodes];
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    return chain(this.env.reset(options), (result) => {
      this.#return = 0;
      this.#length = 0;
      this.#startedAt = performance.now();
      return result;
    });
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    return chain(this.env.step(action), (result) => {
      this.#return += result.reward;
      this.#length += 1;
      if (!result.terminated && !result.truncated) return result;
      if (this.#key in result.info) {
        throw new GymError(`The info already has an entry "${this.#key}".`, {
          code: 'INFO_KEY_TAKEN',
          value: this.#key,
          hint: `use one \`recordEpisodeStatistics\` per stack, or another key: recordEpisodeStatistics({ key: 'stats' })`,
        });
      }
      const seconds = Math.round((performance.now() - this.#startedAt) * 1000) / 1e6;
      const episode = { return: this.#return, length: this.#length, seconds };
      this.#episodes = [...this.#episodes, episode].slice(-this.#bufferLength);
      return { ...result, info: { ...result.info, [this.#key]: episode } };
    });
  }

  protected override saveState(): unknown {
    return { return: this.#return, length: this.#length, episodes: this.#episodes.map((episode) => ({ ...episode })) };
  }

  protected override parseState(state: unknown): SavedStatistics {
    return parseState(state, this.snapshotKind, SAVED_STATISTICS);
  }

  protected override loadState(saved: SavedStatistics): void {
    this.#return = saved.return;
    this.#length = saved.length;
    this.#episodes = saved.episodes.slice(-this.#bufferLength);
    this.#startedAt = performance.now();
  }
}

/** Puts `{ return, length, seconds }` into the last `info` of each episode. */
export function recordEpisodeStatistics(options: RecordEpisodeStatisticsOptions = {}) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) =>
    new RecordEpisodeStatistics(env, options);
}
