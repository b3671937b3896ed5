/** Plays an order in an environment, with a sampler: the same code in this process and in a worker on another machine. */
import type { AnyEnv, Awaitable } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { type EarlyEndOptions, earlyEnd } from '@vlgym/core/wrappers';
import type { CommonConfig } from '@vlgym/rl/config';
import { type PlayedEpisode, playEpisode, type RolloutSampler } from '@vlgym/rl/rollout';
import { generatorOf, type WorkOrder } from '../order.js';

export interface EpisodePlayer {
  play(order: WorkOrder, signal?: AbortSignal): Promise<PlayedEpisode>;
  close?(): Awaitable<void>;
}

export interface SamplerPlayerOptions {
  readonly makeEnv: () => Awaitable<AnyEnv>;
  readonly sampler: RolloutSampler;
  readonly config: Pick<CommonConfig, 'rollout' | 'reward'>;
  /** Give every step the key of the state that it began in, for algorithms that compare them (GiGPO); default false. */
  readonly stateKeys?: boolean | undefined;
  /** The seed of the run: the tokens of an order are drawn from it and the number of the order. */
  readonly runSeed: number;
}

const SAMPLER_PLAYER_OPTIONS = names<SamplerPlayerOptions>({
  makeEnv: 0,
  sampler: 0,
  config: 0,
  stateKeys: 0,
  runSeed: 0,
});

/**
 * Environments are made as they are needed, one per order in flight, and used again. Rules of `rollout.earlyTruncation` apply
 * as in a training with its own environments.
 */
export class SamplerPlayer implements EpisodePlayer {
  readonly #idle: AnyEnv[] = [];
  readonly #all = new Set<AnyEnv>();

  constructor(readonly options: SamplerPlayerOptions) {
    checkNames('options', options, SAMPLER_PLAYER_OPTIONS);
  }

  async play(order: WorkOrder, signal?: AbortSignal): Promise<PlayedEpisode> {
    const { sampler, config, runSeed, stateKeys = false } = this.options;
    const env = this.#idle.pop() ?? (await this.#make());
    this.#all.add(env);
    try {
      const rng = generatorOf(runSeed, order.order);
      const episode = await playEpisode({ env, sampler, config, seed: order.seed, rng, stateKeys, signal });
      this.#idle.push(env);
      return episode;
    } catch (error) {
      // what it left behind is unknown
      this.#all.delete(env);
      await env.close();
      throw error;
    }
  }

  async #make(): Promise<AnyEnv> {
    const { makeEnv, config } = this.options;
    const rules = config.rollout.earlyTruncation as EarlyEndOptions | null;
    const env = await makeEnv();
    return rules ? earlyEnd(rules)(env) : env;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((env) => env.close()));
  }
}
