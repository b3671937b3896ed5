/**
 * What an algorithm's update works with: the policy, the collector, the generators, the buffers that outlive an update,
 * and the metrics of this one.
 */
import type { Evaluation } from '@vlgym/agents';
import type { Generator } from '@vlgym/core';
import type { DaggerSet } from '../guidance/dagger-set.js';
import type { CheckpointBuffer } from '../merge/checkpoint-buffer.js';
import type { Policy, WeightSet } from '../policy.js';
import type { Collector } from '../rollout/collector.js';
import type { RolloutBuffer } from '../rollout/record.js';
import type { AlgorithmConfig, AlgorithmOverrides } from './config.js';
import type { MetricsTally } from './metrics.js';

export interface Run {
  readonly policy: Policy;
  readonly config: AlgorithmConfig;
  /** 0 for the first. */
  readonly update: number;
  readonly collector: Collector;
  readonly stepsPerEnvironment: number;
  /** Permutations, draws and merges of the update. */
  readonly rng: Generator;
  /** Adapters of earlier updates, for the merged teacher. */
  readonly checkpoints: CheckpointBuffer;
  /** Corrected steps of all updates. */
  readonly dagger: DaggerSet;
  readonly metrics: MetricsTally;
  readonly signal: AbortSignal | undefined;
  /** Plays the fixed evaluation seeds with a set of weights; absent where the run has no evaluation. */
  readonly playFixedSeeds?: (weights: WeightSet) => Promise<Evaluation>;
}

/** One algorithm: its choices and one update, from collecting to the last optimizer step. */
export interface Algorithm {
  /** The preset's name, e.g. `vl-dac`. */
  readonly name: string;
  readonly config: AlgorithmConfig;
  /** @returns the buffer it learnt from, for metrics. */
  update(run: Run): Promise<RolloutBuffer>;
}

export interface PresetOptions {
  /** Start from what the published code does instead of the recommended corrections. */
  readonly replicate?: boolean;
}

/** Makes an algorithm from overrides; packages export theirs as `presets`, by name. */
export type Preset = (overrides?: AlgorithmOverrides, options?: PresetOptions) => Algorithm;
