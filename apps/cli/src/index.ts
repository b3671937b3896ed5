/**
 * The benchmark and the report of `vlgym bench`, for use from code.
 *
 *     const { tasks, report } = await benchmark({ envs: ['vlgym/EZPoints-v1'], algorithms: ['vl-dac', 'rl4vlm'], seeds: [0, 1, 2] });
 */
import type { z } from 'zod';
import { benchOptions, runBenchmark } from './commands/bench.js';
import type { BenchmarkOutcome } from './experiment/benchmark/benchmark.js';
import type { BenchmarkContext } from './experiment/benchmark/benchmark-options.js';

export type { BenchmarkOutcome } from './experiment/benchmark/benchmark.js';
export type { BenchmarkContext } from './experiment/benchmark/benchmark-options.js';
export { RunFailedError } from './experiment/benchmark/comparison.js';
export type {
  EpisodeStrip,
  EvaluationPoint,
  ReportData,
  RunResult,
  TaskReport,
  WarmStartResult,
} from './report/data.js';
export { markdownTables } from './report/markdown.js';
export { reportPage } from './report/page.js';
export { resultData } from './report/result-data.js';

/** The options of `vlgym bench --help`, in camelCase. */
export type BenchmarkSettings = z.input<typeof benchOptions>;

/**
 * Trains algorithms on environments, each run in its own process, and writes a report. Finished runs are not repeated.
 *
 * @param context  Where progress goes (default: the streams of this process), and a signal that stops everything.
 * @throws {GymError} An option, an environment or an algorithm does not exist. A run that fails is in `failures`.
 */
export async function benchmark(
  settings: BenchmarkSettings = {},
  {
    signal = new AbortController().signal,
    stdout = process.stdout,
    stderr = process.stderr,
  }: Partial<BenchmarkContext> = {},
): Promise<BenchmarkOutcome> {
  return runBenchmark(benchOptions.parse(settings), { signal, stdout, stderr });
}
