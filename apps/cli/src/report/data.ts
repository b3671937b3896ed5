/** What a report shows: plain data, every number measured by the runs it describes. */
import type { Trajectory } from '@vlgym/core';

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
  readonly legalRate: number;
}

/** A named series over updates, e.g. `entropy`. */
export type MetricSeries = Readonly<Record<string, readonly (readonly [update: number, value: number])[]>>;

export interface RunResult {
  readonly algorithm: string;
  readonly title: string;
  readonly envId: string;
  readonly seed: number;
  readonly evaluations: readonly EvaluationPoint[];
  /** Success per evaluation seed after training. */
  readonly after: readonly { readonly seed: number; readonly success: boolean }[];
  readonly metrics: MetricSeries;
  readonly trainSeconds: number;
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
  /** Distinct episodes of the teacher; absent where every one was new. */
  readonly labelledEpisodes?: number;
  /** Share of its actions that are drawn by chance. */
  readonly mistakes: number;
  readonly examples: number;
  readonly seconds: number;
  /** [examples seen, loss] */
  readonly loss: readonly (readonly [examples: number, loss: number])[];
}

/** All runs on one environment, from one warm start. */
export interface TaskReport {
  readonly envId: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Version of the prompts. */
  readonly dialogue: string;
  readonly evaluationSeeds: readonly number[];
  /** 0 is greedy. */
  readonly evaluationTemperature: number;
  readonly warmStart?: WarmStartResult;
  readonly runs: readonly RunResult[];
  readonly strips: readonly EpisodeStrip[];
}

export interface ReportData {
  readonly title: string;
  readonly lead: string;
  readonly command: string;
  readonly model: string;
  /** One or more. */
  readonly tasks: readonly TaskReport[];
  /** What made it: versions, threads, machine. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}
