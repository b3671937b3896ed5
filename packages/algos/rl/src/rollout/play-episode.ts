/**
 * One whole episode of one environment, independent of all others: what a worker plays for an order of a queue.
 *
 * The same turn as in lock step. The seed of the environment and the generators are arguments, so equal arguments give
 * equal episodes on every machine, as far as the sampler does.
 */
import type { EpisodeSummary } from '@vlgym/agents/episode';
import type { AnyEnv, Awaitable, Generator } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { CommonConfig } from '../config/types.js';
import { MetricsTally } from '../diagnostics/metrics.js';
import { EpisodeSlot } from './episode-slot.js';
import { LockStep } from './lock-step.js';
import type { StepRecord } from './record.js';
import type { RolloutSampler } from './sampler.js';
import { stateKeyOf } from './state-key.js';

export interface PlayEpisodeOptions {
  readonly env: AnyEnv;
  readonly sampler: RolloutSampler;
  readonly config: Pick<CommonConfig, 'rollout' | 'reward'>;
  readonly seed: number;
  /** Parent of the generators of tokens and fallback actions. */
  readonly rng: Generator;
  /** Also give every step the key of the state that it began in; see `collectEpisodes`. Default false. */
  readonly stateKeys?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after every step, e.g. to report progress. */
  readonly onStep?: ((step: StepRecord) => Awaitable<void>) | undefined;
}

export interface PlayedEpisode {
  readonly steps: readonly StepRecord[];
  readonly summary: EpisodeSummary;
}

const PLAY_EPISODE_OPTIONS = names<PlayEpisodeOptions>({
  env: 0,
  sampler: 0,
  config: 0,
  seed: 0,
  rng: 0,
  stateKeys: 0,
  signal: 0,
  onStep: 0,
});

/**
 * @throws the signal's reason when aborted.
 * @throws {EnvironmentFailedError} The environment cannot be reset.
 */
export async function playEpisode(options: PlayEpisodeOptions): Promise<PlayedEpisode> {
  checkNames('options', options, PLAY_EPISODE_OPTIONS);
  const { env, sampler, config, seed, rng, stateKeys = false, signal, onStep } = options;
  const slot = new EpisodeSlot({ index: 0, env, rng, config });
  const lockStep = new LockStep(sampler, config);
  const metrics = new MetricsTally();
  await slot.start(seed);
  const steps: StepRecord[] = [];
  for (;;) {
    const [played] = await lockStep.play([slot], {
      metrics,
      signal,
      ...(stateKeys && { inGroup: (inPlay) => ({ stateKey: stateKeyOf(inPlay.episode) }) }),
    });
    const { step } = played!;
    steps.push(step);
    await onStep?.(step);
    if (step.terminated || step.truncated) return { steps, summary: slot.episode.summary() };
  }
}
