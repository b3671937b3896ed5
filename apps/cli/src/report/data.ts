/** Data of a report: plain values, each measured by the runs that the report describes. */
import type { TaskOutcome } from '@vlgym/agents/statistics';
import type { EnvBaseline } from '@vlgym/core/registry';
import type { Trajectory } from '@vlgym/core/trajectory';
import type { Departure, EvaluationSettings } from '@vlgym/rl';
import type { TransferRow } from './transfer.js';

/** One evaluation on the fixed seeds. */
export interface EvaluationPoint {
  /** Policy updates done before it; 0 is the warm start. */
  readonly update: number;
  /** Environment steps trained on before it. */
  readonly steps: number;
  readonly successes: number;
  readonly episodes: number;
  readonly meanReturn: number;
  readonly meanLength: number;
  /** Share of answers with a legal action; absent if nothing was said. */
  readonly legalRate?: number;
  /** Successes without an unreadable answer; absent in results from before it was counted. */
  readonly strictSuccesses?: number;
  /** Share of right thoughts among readable ones, where the environment checks them. */
  readonly thoughtRate?: number;
}

/** A named series over updates, e.g. `entropy`. */
export type MetricSeries = Readonly<Record<string, readonly (readonly [update: number, value: number])[]>>;

/** Overlap of evaluated tasks with those seen in the warm start and in training. */
export interface Content {
  /** Number of distinct tasks seen. */
  readonly met: number;
  /** Number of evaluated tasks among them: 0, because otherwise the run fails. Absent if unknown. */
  readonly overlap?: 0;
  /** The reason why no task may be called unseen. */
  readonly notSeparated?: string;
}

export interface RunResult {
  /** Name of a preset or of a control. */
  readonly algorithm: string;
  /** True for a control. */
  readonly isControl?: boolean;
  readonly title: string;
  readonly envId: string;
  readonly seed: number;
  /** How its policy was judged; absent in results from before it was kept. */
  readonly judged?: EvaluationSettings;
  readonly evaluations: readonly EvaluationPoint[];
  /** Every evaluated episode after training; of unseen tasks, if `content` confirms it. */
  readonly after: readonly TaskOutcome[];
  /** The same on tasks of the warm start. */
  readonly seen?: readonly TaskOutcome[];
  readonly content: Content;
  /** Some of `after` again with other pictures, by the control's name. */
  readonly pictures?: Readonly<Record<string, readonly TaskOutcome[]>>;
  /** Every hyperparameter in force; absent for a control without an algorithm. */
  readonly config?: object;
  /** The source of each setting, by name: `algorithm`, `model`, `flag`, …; absent in results of older versions. */
  readonly origins?: Readonly<Record<string, string>>;
  /** Settings that differ from the algorithm's own. */
  readonly departures?: readonly Departure[];
  readonly metrics: MetricSeries;
  /** CPU time of all threads of the training process, without evaluation; other runs do not add to it. */
  readonly cpuSeconds: number;
  /** The most bytes of tensors held at once; absent in results from before it was counted. */
  readonly peakBytes?: number;
  readonly trainedSteps: number;
  readonly alarms: readonly string[];
  /** Folder with everything, for `vlgym train --resume` and `vlgym replay`. */
  readonly folder: string;
}

export interface EpisodeStrip {
  readonly caption: string;
  readonly algorithm: string;
  readonly success: boolean;
  readonly trajectory: Trajectory;
  /** Picture of each step as a data URL, by content hash. */
  readonly images: ReadonlyMap<string, string>;
}

export interface WarmStartResult {
  /** Distinct episodes of the teacher; absent if every one was new. */
  readonly labeledEpisodes?: number;
  /** Share of its actions that are drawn at random. */
  readonly mistakes: number;
  readonly examples: number;
  readonly seconds: number;
  /** Distinct tasks of its labels; absent if the environment gives no content keys. */
  readonly tasks?: number;
  /** The weights that took the place of lessons, as they were named. */
  readonly from?: string;
  /** SHA-256 of their `policy.json`. */
  readonly weights?: string;
  /** Evaluated episodes before training. */
  readonly before: readonly TaskOutcome[];
  readonly seen?: readonly TaskOutcome[];
  /** [examples seen, loss] */
  readonly loss: readonly (readonly [examples: number, loss: number])[];
}

/** All runs on one environment, from one warm start. */
export interface TaskReport {
  readonly envId: string;
  /** Name for people. */
  readonly title?: string;
  /** Scores of known agents, as the environment declares them. */
  readonly baselines?: readonly EnvBaseline[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Version of the prompts. */
  readonly dialogue: string;
  readonly evaluationSeeds: readonly number[];
  /** 0 is greedy. */
  readonly evaluationTemperature: number;
  readonly warmStart?: WarmStartResult;
  readonly runs: readonly RunResult[];
  readonly strips: readonly EpisodeStrip[];
  /** Pages with every evaluated episode, relative to the report. */
  readonly episodePages?: readonly { readonly title: string; readonly href: string }[];
}

/** A report before its end. */
export interface PartialRuns {
  readonly runs: number;
  readonly planned: number;
}

export const partialText = ({ runs, planned }: PartialRuns): string =>
  `Partial: ${runs} of ${planned} runs have a result. Rows and comparisons change as others end.`;

export interface ReportData {
  readonly title: string;
  readonly lead: string;
  readonly command: string;
  readonly model: string;
  /** One or more. */
  readonly tasks: readonly TaskReport[];
  /** Policies on environments that did not train them, where asked for. */
  readonly transfers?: readonly TransferRow[];
  /** Runs with a result, where not all of the planned ones have one. */
  readonly partial?: PartialRuns;
  /** Versions, threads, machine. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}
