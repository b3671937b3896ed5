/** Plays an order in an environment, with a sampler: the same code in this process and in a worker on another machine. */
import type { AnyEnv, Awaitable } from '@vlgym/core';
import { type CommonConfig, type PlayedEpisode, playEpisode, type RolloutSampler } from '@vlgym/rl';
import { generatorOf, type WorkOrder } from '../order.js';

export interface EpisodePlayer {
  play(order: WorkOrder, signal?: AbortSignal): Promise<PlayedEpisode>;
  close?(): Awaitable<void>;
}

export interface SamplerPlayerOptions {
  readonly makeEnv: () => Awaitable<AnyEnv>;
  readonly sampler: RolloutSampler;
  readonly config: Pick<CommonConfig, 'rollout' | 'reward'>;
  /** The seed of the run: the tokens of an order are drawn from it and the number of the order. */
  readonly runSeed: number;
}

/** Environments are made as they are needed, one per order in flight, and used again. */
export class SamplerPlayer implements EpisodePlayer {
  readonly #idle: AnyEnv[] = [];
  readonly #all = new Set<AnyEnv>();

  constructor(readonly options: SamplerPlayerOptions) {}

  async play(order: WorkOrder, signal?: AbortSignal): Promise<PlayedEpisode> {
    const { sampler, config, runSeed, makeEnv } = this.options;
    const env = this.#idle.pop() ?? (await makeEnv());
    this.#all.add(env);
    try {
      const rng = generatorOf(runSeed, order.order);
      const episode = await playEpisode({ env, sampler, config, seed: order.seed, rng, signal });
      this.#idle.push(env);
      return episode;
    } catch (error) {
      // what it left behind is unknown
      this.#all.delete(env);
      await env.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((env) => env.close()));
  }
}
