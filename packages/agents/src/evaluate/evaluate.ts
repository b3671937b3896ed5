/**
 * Evaluates an agent on a fixed list of seeds; rates have intervals over distinct tasks.
 *
 * Protocol: `docs/specs/algorithms.md`, section 13. Every episode has its own generators, derived from its seed alone, so
 * the result does not depend on how many run side by side, nor on which one is faster; `evaluate.test.ts` checks that.
 */
import { type AnyEnv, InvalidOptionError, make } from '@vlgym/core';
import { checkNames, checkTimeLimits, names } from '@vlgym/core/internal';
import { TrajectoryWriter } from '@vlgym/core/trajectory';
import { checkAgent } from '../check-agent.js';
import { succeeds } from '../episode/state.js';
import { FolderUsedError } from '../errors.js';
import { EVALUATION_FALLBACK, FALLBACKS } from '../fallback.js';
import { observed } from '../observer.js';
import { removeResultFile, resultOf, writeResultFile } from '../results/file.js';
import { publishedBaselines } from '../suite/baselines.js';
import { closeQuietly, playAll, type RunOptions } from './evaluation-run.js';
import { type EpisodePlan, planEpisodes } from './plan.js';
import { environmentOf, reasonOf, resultFrom } from './result.js';
import { resumedRows, successRule } from './resume.js';
import type { EvaluateOptions, Evaluation } from './types.js';

const DEFAULT_MAX_STEPS = 1000;

/**
 * Plays an agent on a list of seeds.
 *
 * Failures are data: an agent, a model or an environment that throws ends its own episode, with the reason in its row
 * and its trajectory. The promise rejects where no episode can be played or counted right: an invalid option, an
 * environment that cannot be made or refuses its first reset, an agent that cannot play it (no dialogue, no oracle, a
 * missing package), a model that was never reached (wrong key, wrong name, no server), and a full disk.
 *
 * Without a counted episode every rate and mean is NaN.
 *
 * @throws {InvalidOptionError}  An option is invalid, or contradicts another.
 * @throws {FolderUsedError}     `record` names a folder with episodes, without `resume`.
 * @throws {AgentFailedError}    With `failFast`.
 *
 * @example
 * const { successRate, interval95, tasks } = await evaluate({ env: 'gym_cards/Points24-v0', agent: randomAgent(), episodes: 200 });
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  checkOptions(options);
  const plans = planEpisodes(options.episodes, options.seeds);
  const { record } = options;
  if (typeof record !== 'string') return evaluateWith(record, plans, options);
  const writer = await TrajectoryWriter.open(record);
  try {
    if (!options.resume && writer.ids.size > 0) throw new FolderUsedError(record, writer.ids.size);
    await removeResultFile(record);
    const evaluation = await evaluateWith(writer, plans, options);
    const [result, baselines] = [resultOf(evaluation), publishedBaselines(options.env)];
    await writeResultFile(record, {
      ...result,
      ...(baselines.length > 0 && { baselines: { [result.cells[0]!.environment]: baselines } }),
    });
    return evaluation;
  } finally {
    await writer.close();
  }
}

async function evaluateWith(
  writer: TrajectoryWriter | undefined,
  plans: readonly EpisodePlan[],
  options: EvaluateOptions,
): Promise<Evaluation> {
  const { agent, fallback = EVALUATION_FALLBACK, environmentTimeoutMs = 300_000 } = options;
  const openEnv = opener(options.env);
  const first = openEnv ? await openEnv() : (options.env as AnyEnv);
  const category = categoryIn(options.breakdown);
  try {
    const settings = {
      fallback,
      maxSteps: options.maxSteps ?? stepLimit(first),
      successRule: successRule(options.isSuccess),
      // only recordings are resumed, and a digest of large weights takes seconds
      agent: writer && (await agent.identity?.()),
    };
    const { resetOptions } = options;
    const rows =
      options.resume && writer
        ? await resumedRows({ folder: writer.folder, env: first, agent, settings, resetOptions, plans, category })
        : [];
    const causes = new Map<string, unknown>();
    const played = new Set(rows.map(({ index }) => index));
    const left = plans.filter(({ index }) => !played.has(index));
    const play: RunOptions = {
      agent,
      parallel: options.parallel ?? 1,
      settings,
      first,
      openEnv,
      writer,
      category,
      environmentTimeoutMs,
      isSuccess: options.isSuccess ?? succeeds,
      resetOptions,
      signal: options.signal,
      failFast: options.failFast ?? false,
      onEpisode: async (row, cause) => {
        rows.push(row);
        if (cause !== undefined) causes.set(row.id, cause);
        await options.onEpisode?.(row, { done: rows.length, planned: plans.length });
      },
      onStep: options.onStep,
      onPart: options.onPart,
      observer: options.telemetry,
    };
    const parts = {
      env: first,
      agent,
      fallback,
      planned: plans.length,
      causes,
      withBreakdown: options.breakdown !== undefined,
    };
    const what = { kind: 'evaluation', agent: agent.name, ...environmentOf(first), episodes: left.length } as const;
    return await observed(
      options.telemetry,
      () => what,
      async (done) => {
        const stopped = await playAll(left, play);
        const evaluation = resultFrom(rows, {
          ...parts,
          stopped,
          stopReason: stopped && reasonOf(options.signal, rows),
        });
        done({ rate: evaluation.successRate, usage: evaluation.usage });
        return evaluation;
      },
    );
  } finally {
    if (openEnv) await closeQuietly(first, environmentTimeoutMs);
  }
}

const EVALUATE_OPTIONS = names<EvaluateOptions>({
  ...{ env: 0, agent: 0, episodes: 0, seeds: 0, parallel: 0, maxSteps: 0, fallback: 0, isSuccess: 0, breakdown: 0 },
  ...{ resetOptions: 0, failFast: 0, record: 0, resume: 0, onEpisode: 0, onStep: 0, onPart: 0, signal: 0 },
  ...{ environmentTimeoutMs: 0, telemetry: 0 },
});

function checkOptions(options: EvaluateOptions): void {
  checkNames('options', options, EVALUATE_OPTIONS);
  const { env, agent, parallel = 1, maxSteps = 1, fallback, record, resume, environmentTimeoutMs } = options;
  checkTimeLimits({ environmentTimeoutMs });
  checkAgent('agent', agent);
  for (const [option, value] of Object.entries({ parallel, maxSteps })) {
    if (!(Number.isSafeInteger(value) && value > 0))
      throw new InvalidOptionError(option, value, 'a whole number, 1 or more');
  }
  if (parallel > 1 && !opener(env)) {
    throw new InvalidOptionError('parallel', parallel, '1 for a single environment; give an id or a function for more');
  }
  if (fallback !== undefined && !FALLBACKS.includes(fallback)) {
    throw new InvalidOptionError('fallback', fallback, FALLBACKS.join(', '));
  }
  if (resume && record === undefined)
    throw new InvalidOptionError('resume', resume, 'a folder in `record` to resume from');
}

/** How to make the environment; `undefined` if the caller gave a single one. */
function opener(env: EvaluateOptions['env']): (() => Promise<AnyEnv>) | undefined {
  if (typeof env === 'function') return async () => env();
  if (typeof env === 'string' || !('reset' in env)) return () => make(env);
  return undefined;
}

function stepLimit({ spec }: AnyEnv): number {
  const { maxEpisodeSteps = -1 } = spec ?? {};
  return maxEpisodeSteps > 0 ? maxEpisodeSteps : DEFAULT_MAX_STEPS;
}

function categoryIn(key: string | undefined): (info: unknown) => string | undefined {
  return (info) => {
    const value = key === undefined ? undefined : (info as Readonly<Record<string, unknown>> | undefined)?.[key];
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
}
