/**
 * A benchmark of agents: every agent plays the same seeds of every environment, several times if asked, and the result
 * is a matrix with intervals and corrected paired tests.
 *
 * With a folder every episode is recorded, and a second call plays only what is missing.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Awaitable, type EnvSpec, GymError, InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { EnvBaseline } from '@vlgym/core/registry';
import type { AnyAgent } from '../agent.js';
import { checkAgent } from '../check-agent.js';
import { AgentFailedError, isSetupError } from '../errors.js';
import { evaluate } from '../evaluate/evaluate.js';
import type { EpisodeRow } from '../evaluate/rows.js';
import type { EvaluateOptions } from '../evaluate/types.js';
import { NO_USAGE } from '../model/budget.js';
import { observed } from '../observer.js';
import { removeResultFile, type SuiteResult, writeResultFile } from '../results/file.js';
import { publishedBaselines } from './baselines.js';
import { compareCells, pairsWithin } from './compare.js';
import { cellOf, RESULT_SCHEMA, type SuiteCell } from './result.js';

export interface SuiteEnvironment
  extends Pick<EvaluateOptions, 'maxSteps' | 'resetOptions' | 'breakdown' | 'isSuccess'> {
  readonly env: EvaluateOptions['env'];
  /** For tables and folders; default: the id. */
  readonly name?: string;
}

export interface SuiteOptions
  extends Pick<EvaluateOptions, 'fallback' | 'failFast' | 'signal' | 'parallel' | 'onStep' | 'onPart' | 'telemetry'> {
  /** Ids, specs, or environments with their own name and rules. */
  readonly environments: readonly (string | EnvSpec | SuiteEnvironment)[];
  /** Names must differ. */
  readonly agents: readonly AnyAgent[];
  /** The seeds, or their number; default 100. */
  readonly seeds?: number | readonly number[] | undefined;
  /** Times that each agent plays each seed, with different random draws; default 1. */
  readonly attempts?: number | undefined;
  /** Records every episode and result.json here; episodes that it already contains are not played again. */
  readonly folder?: string | undefined;
  readonly breakdown?: string | undefined;
  /** Called as each episode ends. */
  readonly onEpisode?: ((row: EpisodeRow, progress: SuiteProgress) => Awaitable<void>) | undefined;
}

const SUITE_OPTIONS = names<SuiteOptions>({
  ...{ environments: 0, agents: 0, seeds: 0, attempts: 0, folder: 0, breakdown: 0, onEpisode: 0 },
  ...{ fallback: 0, failFast: 0, signal: 0, parallel: 0, onStep: 0, onPart: 0, telemetry: 0 },
});
const SUITE_ENVIRONMENT_OPTIONS = names<SuiteEnvironment>({
  ...{ env: 0, name: 0, maxSteps: 0, resetOptions: 0, breakdown: 0, isSuccess: 0 },
});

export interface SuiteProgress {
  readonly environment: string;
  readonly agent: string;
  /** Episodes with a row, over all cells. */
  readonly done: number;
  readonly planned: number;
}

/**
 * Plays the matrix, one cell after the other. A cell that cannot be played (no oracle, a wrong key) says so and has no
 * scores; the others are played.
 *
 * @throws {InvalidOptionError}  An option is invalid, or two names are equal.
 * @throws {AgentFailedError}    With `failFast`.
 *
 * @example
 * const { cells, comparisons } = await suite({ environments: ['vlgym/NumberLine-v1'], agents: [randomAgent(), oracleAgent()] });
 */
export async function suite(options: SuiteOptions): Promise<SuiteResult> {
  checkNames('options', options, SUITE_OPTIONS);
  const { environments, agents, telemetry } = options;
  const what = () => ({ kind: 'suite', environments: environments.length, agents: agents.length }) as const;
  return observed(telemetry, what, () => playSuite(options));
}

async function playSuite(options: SuiteOptions): Promise<SuiteResult> {
  const { agents, attempts = 1, folder, signal, onEpisode, parallel, fallback, failFast } = options;
  const { onStep, onPart, telemetry } = options;
  for (const agent of agents) checkAgent('agents', agent);
  const environments = options.environments.map(named);
  checkDiffering(
    'environments',
    environments.map(({ name }) => name),
  );
  checkDiffering(
    'agents',
    agents.map(({ name }) => name),
  );
  if (!(Number.isSafeInteger(attempts) && attempts > 0)) {
    throw new InvalidOptionError('attempts', attempts, 'a whole number, 1 or more');
  }
  const seeds = typeof options.seeds === 'object' ? options.seeds : counted(options.seeds ?? 100);
  if (folder !== undefined) await removeResultFile(folder);
  const cells: SuiteCell[] = [];
  const perCell = seeds.length * attempts;
  const planned = perCell * environments.length * agents.length;
  for (const { name: environment, ...setting } of environments) {
    for (const agent of agents) {
      if (signal?.aborted) break;
      const before = cells.length * perCell;
      const cell = await playCell(environment, agent, attempts, {
        breakdown: options.breakdown,
        ...setting,
        agent,
        seeds: seeds.flatMap((seed) => Array<number>(attempts).fill(seed)),
        ...(parallel && { parallel }),
        ...(fallback && { fallback }),
        ...(failFast && { failFast }),
        ...(signal && { signal }),
        ...{ onStep, onPart, telemetry },
        ...(folder !== undefined && { record: cellFolder(folder, environment, agent.name), resume: true }),
        onEpisode: (row, { done }) =>
          onEpisode?.(row, { environment, agent: agent.name, done: before + done, planned }),
      } as EvaluateOptions);
      cells.push(cell);
    }
  }
  const result = suiteResult({ cells, attempts, seeds, interrupted: signal?.aborted ?? false, specs: environments });
  if (folder !== undefined) await writeResultFile(folder, result);
  return result;
}

/** The folder of one cell, for `replay` and reports. */
export const cellFolder = (folder: string, environment: string, agent: string): string =>
  join(folder, folderName(environment), folderName(agent));

async function playCell(
  environment: string,
  agent: AnyAgent,
  attempts: number,
  options: EvaluateOptions,
): Promise<SuiteCell> {
  try {
    return cellOf(environment, await evaluate(options), attempts);
  } catch (error) {
    const isOurs = error instanceof AgentFailedError || (error as { code?: unknown }).code === 'RUN_DIFFERS';
    if (isOurs || !(isSetupError(error) || isRefusal(error))) throw error;
    const { code, message } = error as GymError;
    return {
      environment,
      agent: agent.name,
      failed: { code, message },
      planned: options.seeds!.length,
      excluded: 0,
      usage: NO_USAGE,
      passes: [],
      failures: [],
      episodes: [],
    };
  }
}

/** An environment that cannot be made or reset; a wrong option of the suite itself is thrown. */
const isRefusal = (error: unknown): boolean => GymError.isInstance(error) && error.code !== 'INVALID_OPTION';

interface ResultParts extends Pick<SuiteResult, 'cells' | 'attempts' | 'seeds' | 'interrupted'> {
  readonly specs: readonly { readonly name: string; readonly env: EvaluateOptions['env'] }[];
}

function suiteResult({ specs, cells, ...rest }: ResultParts): SuiteResult {
  const baselines = specs.flatMap(({ name, env }): [string, readonly EnvBaseline[]][] => {
    const found = publishedBaselines(env);
    return found.length > 0 ? [[name, found]] : [];
  });
  return {
    schema: RESULT_SCHEMA,
    ...rest,
    cells,
    comparisons: compareCells(pairsWithin(cells)),
    baselines: Object.fromEntries(baselines),
  };
}

function named(environment: string | EnvSpec | SuiteEnvironment): SuiteEnvironment & { readonly name: string } {
  if (typeof environment === 'string') return { name: environment, env: environment };
  if (!('env' in environment)) return { name: environment.id, env: environment };
  checkNames('environments', environment, SUITE_ENVIRONMENT_OPTIONS);
  const { env, name } = environment;
  const id = typeof env === 'string' ? env : 'id' in env ? String((env as EnvSpec).id) : undefined;
  if (name === undefined && id === undefined) throw new InvalidOptionError('environments', environment, 'a name');
  return { ...environment, name: name ?? id! };
}

function checkDiffering(option: string, names: readonly string[]): void {
  if (names.length === 0) throw new InvalidOptionError(option, names, 'at least one');
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new InvalidOptionError(option, twice, 'unique names');
}

function counted(count: number): number[] {
  if (!(Number.isSafeInteger(count) && count > 0)) {
    throw new InvalidOptionError('seeds', count, 'a whole number, 1 or more, or a list of seeds');
  }
  return Array.from({ length: count }, (_, seed) => seed);
}

/** A name as a folder: readable, and different for different names on every file system. */
function folderName(name: string): string {
  const plain = name
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._]+/, '')
    .slice(0, 80);
  if (plain === name && plain === plain.toLowerCase()) return plain;
  return `${plain}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
