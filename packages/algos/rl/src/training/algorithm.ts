/**
 * The definition of an algorithm: its options, one update from collecting to the last optimizer step, and the state that it
 * keeps between updates. Everything else (environments, evaluation, metrics, checkpoints) belongs to `train`.
 */
import type { Evaluation } from '@vlgym/agents';
import type { Awaitable, Generator } from '@vlgym/core';
import type { z } from 'zod';
import type { Targets } from '../advantages/targets.js';
import { composeConfig, InvalidConfigError, type OptionsSchema, type Overrides } from '../config/compose.js';
import type { CommonConfig } from '../config/types.js';
import type { MetricsTally } from '../diagnostics/metrics.js';
import type { Policy, WeightSet } from '../policy.js';
import type { RolloutBuffer } from '../rollout/record.js';
import type { RolloutSource } from '../rollout/source.js';

/** The parts that an update works with. */
export interface Run<Config extends CommonConfig = CommonConfig, State = unknown> {
  readonly policy: Policy;
  readonly config: Config;
  /** 0 for the first update. */
  readonly updateIndex: number;
  readonly collector: RolloutSource;
  /** Environment steps to collect, over all environments. */
  readonly stepsPerUpdate: number;
  /** Permutations, draws and merges of the update. */
  readonly rng: Generator;
  /** The value that the algorithm's `open` returned. */
  readonly state: State;
  readonly metrics: MetricsTally;
  readonly signal: AbortSignal | undefined;
  /** `optimize` calls it with what it is about to learn from, before any weight moves. */
  readonly onTargets?: ((buffer: RolloutBuffer, targets: Targets) => Awaitable<void>) | undefined;
  /** Plays the fixed evaluation seeds with a set of weights; absent in a run without evaluation. */
  readonly playFixedSeeds?: (weights: WeightSet) => Promise<Evaluation>;
}

/** State that an algorithm keeps between updates. Saved next to the checkpoints and restored when a run is resumed. */
export interface AlgorithmState {
  /** Writes large data into `folder`. @returns JSON data for `load`. */
  save(folder: string): Promise<unknown>;
  /** @throws {CheckpointDamagedError} What was saved is missing or changed. */
  load(folder: string, saved: unknown): Promise<void>;
  dispose(): void;
}

export interface Algorithm<Config extends CommonConfig = CommonConfig, State = unknown> {
  /** As on the command line, e.g. `vl-dac`. */
  readonly name: string;
  /** As in a table, e.g. `VL-DAC`. */
  readonly title: string;
  readonly config: Config;
  /** Called once, before the first update. */
  open?(context: { readonly policy: Policy; readonly config: Config }): State & AlgorithmState;
  /** @returns the buffer it learned from, for metrics. */
  update(run: Run<Config, State>): Promise<RolloutBuffer>;
}

/** The same algorithm with one part removed or replaced: what it is compared with before that part is called the cause. */
export interface ControlOfAlgorithm {
  /** As in a table. */
  readonly title: string;
  /** One sentence for a report: what this shows. */
  readonly says: string;
  /** Options over all others. */
  readonly set: AlgorithmOverrides;
}

/** A curve that reports draw where the runs have its metric. */
export interface AlgorithmChart {
  /** Name of the metric of an update, e.g. `teacher/kl-mean`. */
  readonly metric: string;
  readonly title: string;
  /** Its meaning and its unit. */
  readonly says: string;
}

/** Controls and charts that an algorithm adds to benchmarks and reports, by name. */
export interface Reporting {
  readonly controls?: Readonly<Record<string, ControlOfAlgorithm>> | undefined;
  readonly charts?: Readonly<Record<string, AlgorithmChart>> | undefined;
}

export interface PresetOptions {
  /** Start from what the published code does instead of the recommendations. */
  readonly replicate?: boolean | undefined;
}

/** Makes an algorithm from overrides of its options. */
export interface PresetOf<Schema extends OptionsSchema, State = unknown> extends Reporting {
  (overrides?: Overrides<Schema>, options?: PresetOptions): Algorithm<z.output<Schema> & CommonConfig, State>;
  readonly title: string;
  readonly source?: string | undefined;
  readonly options: Schema;
  /** Settings of the published code that differ; absent if `replicate` is refused. */
  readonly published?: Overrides<Schema> | undefined;
}

/** Options of any algorithm, by section; the preset validates them. */
export type AlgorithmOverrides = { readonly [section: string]: unknown };

/** A preset whose options are not known to the types, e.g. one chosen by name. */
export type Preset = {
  // a method's parameters may be narrower: every preset validates what it is given
  call(overrides?: AlgorithmOverrides, options?: PresetOptions): Algorithm;
}['call'] &
  Reporting & {
    readonly title?: string;
    readonly source?: string | undefined;
    readonly options?: OptionsSchema;
    readonly published?: object | undefined;
  };

/** Presets by name, as packages export them. */
export type Presets = Readonly<Record<string, Preset & Required<Pick<Preset, 'title' | 'options'>>>>;

export interface AlgorithmDefinition<Schema extends OptionsSchema, State> extends Reporting {
  readonly name: string;
  readonly title: string;
  /** Where it was published: title of the paper, arXiv number or repository. */
  readonly source?: string | undefined;
  /** Every option with its default, range and one line for help pages (`.describe(…)`), composed from option groups. */
  readonly options: Schema;
  /** Laid over the defaults. */
  readonly recommended?: Overrides<Schema> | undefined;
  /** Laid over these by `replicate: true`: where the published code differs. */
  readonly published?: Overrides<Schema> | undefined;
  readonly open?:
    | ((context: { readonly policy: Policy; readonly config: z.output<Schema> }) => State & AlgorithmState)
    | undefined;
  readonly update: (run: Run<z.output<Schema> & CommonConfig, State>) => Promise<RolloutBuffer>;
}

/**
 * Defines an algorithm; see the files of `@vlgym/baselines` for short ones.
 *
 * @returns a function from overrides to the algorithm. It throws `InvalidConfigError` for an unknown option, a value out of
 *   range, and `replicate: true` where there are no published settings.
 */
export function defineAlgorithm<Schema extends OptionsSchema, State = unknown>(
  definition: AlgorithmDefinition<Schema, State>,
): PresetOf<Schema, State> {
  const { name, title, source, options, recommended = {}, published, controls, charts, open, update } = definition;
  const preset = (
    overrides: Overrides<Schema> = {} as Overrides<Schema>,
    { replicate = false }: PresetOptions = {},
  ) => {
    if (replicate && !published) {
      throw new InvalidConfigError('replicate', `${title} has no settings of a published code.`, {
        value: true,
        expected: 'false',
        hint: 'leave `replicate` out',
      });
    }
    const config = composeConfig(options, recommended, replicate ? published! : {}, overrides);
    return { name, title, config: config as z.output<Schema> & CommonConfig, ...(open && { open }), update };
  };
  const reporting = { ...(controls && { controls }), ...(charts && { charts }) };
  return Object.assign(preset, {
    title,
    options,
    ...(source && { source }),
    ...(published && { published }),
    ...reporting,
  });
}
