/** `toSolveAtLeastAsWellAs`: the same tasks as in a recording, pair by pair. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import {
  type AnyAgent,
  type EpisodeRow,
  type EvaluateOptions,
  type Evaluation,
  recordedEvaluations,
} from '@vlgym/agents';
import { pairedComparison, type SuccessPair, sequentialPairs } from '@vlgym/agents/statistics';
import { type EnvSpec, GymError, InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { readTrajectories } from '@vlgym/core/trajectory';
import type { MatcherState } from 'vitest';
import { type AgentCheck, note } from '../check.js';
import { recordFolder } from '../play/folder.js';
import { PLAY_OPTIONS, type PlayOptions } from '../play/options.js';
import { type Judge, type Played, play } from '../play/play.js';
import { seedsOf } from '../play/seeds.js';
import { failedEpisodes } from '../report/failed-episodes.js';
import { episodesText, percent } from '../report/words.js';
import { checkedAgent, environmentName, outcome, remember } from './common.js';

export interface AsWellOptions extends PlayOptions {
  /** Default: the recorded one, with its options. */
  readonly env?: EvaluateOptions['env'] | undefined;
  /** The most pairs; default: all recorded episodes, 40 where a recording is made. */
  readonly episodes?: number | undefined;
  /** The largest probability that an agent as good as the recorded one fails the test; default 0.05. */
  readonly falseAlarms?: number | undefined;
  /** A loss of success rate that a pass before the last pair excludes; default 0.1. */
  readonly margin?: number | undefined;
}

const AS_WELL_OPTIONS = [
  ...PLAY_OPTIONS,
  ...names<Omit<AsWellOptions, keyof PlayOptions>>({ env: 0, episodes: 0, falseAlarms: 0, margin: 0 }),
];

/** There is nothing to compare with. */
class NoRecordingError extends GymError {
  constructor(recording: string, why: string, hint: string) {
    super(`${recording} ${why}.`, { code: 'NO_RECORDING', value: recording, expected: 'recorded episodes', hint });
  }
}

export async function toSolveAtLeastAsWellAs(
  this: MatcherState,
  received: unknown,
  recording: string | Evaluation,
  given: AsWellOptions = {},
) {
  checkNames('options', given, AS_WELL_OPTIONS);
  const agent = checkedAgent('toSolveAtLeastAsWellAs', received);
  const { env: wanted, episodes, falseAlarms, margin, ...options } = given;
  if (typeof recording === 'string' && !existsSync(recording)) {
    return makeRecording(this, agent, recording, given);
  }
  const before =
    typeof recording === 'string' ? await evaluationIn(recording, agent, wanted) : { evaluation: recording };
  const env = wanted ?? before.spec ?? before.evaluation.env;
  if (env === undefined) throw new InvalidOptionError('env', env, 'an environment: the recording names none');
  const then = recordedRows(before.evaluation, options.seeds, episodes);
  if (then.size === 0)
    throw new NoRecordingError(nameOf(recording), 'has no counted episode on these seeds', 'record more');
  const seeds = [...then.keys()];
  const test = sequentialPairs({ pairs: seeds.length, falseAlarms, margin });
  const folder = recordFolder(options.record, this.task, this);
  const judge: Judge = (rows) => {
    const pairs = rows.map((row): SuccessPair => [then.get(row.seed)!.success, row.success]);
    const found = test.judge(pairs);
    return found && { verdict: found.verdict, used: found.pairs };
  };
  const rules = { fallback: before.evaluation.fallback, ...options };
  const played = await play({ agent, env, seeds, options: rules, folder, judge });
  remember(this.task, agent, played);
  const worse = played.rows.filter(({ seed, success }) => then.get(seed)!.success && !success);
  const check: AgentCheck = {
    matcher: 'toSolveAtLeastAsWellAs',
    agent: agent.name,
    environment: environmentName(env, played),
    verdict: played.verdict,
    text: textOf(agent, nameOf(recording), environmentName(env, played), played, [...then.values()]),
    episodes: played.rows.length,
    planned: seeds.length,
    excluded: played.rows.filter(({ counted }) => !counted).length,
    usage: played.evaluation.usage,
    ...(folder !== undefined && { folder }),
    isNot: this.isNot,
    failures: await failedEpisodes(folder, worse),
  };
  note(this.task, check);
  return outcome(check, this.isNot);
}

function textOf(
  agent: AnyAgent,
  name: string,
  environment: string,
  { rows, verdict }: Played,
  then: readonly EpisodeRow[],
) {
  const words = { pass: 'solves', alarm: 'no longer solves', undecided: 'cannot be shown to solve' }[verdict];
  const counted = rows.filter((row) => row.counted);
  const head = `${agent.name} ${words} ${environment} as well as ${name}`;
  if (counted.length === 0) return `${head}: no episode counts.`;
  const { onlyFirst, onlySecond, difference, interval95 } = pairedComparison(counted, then);
  const excluded = rows.length - counted.length;
  return [
    `${head}: ${onlyFirst} gained and ${onlySecond} lost in ${episodesText(counted.length)}, `,
    `difference ${percent(difference)} (95 % interval ${percent(interval95[0])} to ${percent(interval95[1])})`,
    excluded > 0 ? `; ${episodesText(excluded)} excluded` : '',
    rows.length < then.length && verdict !== 'undecided' ? `; clear after ${rows.length} of ${then.length}` : '',
    '.',
  ].join('');
}

/** Counted episodes by seed; of attempts at one seed the first. */
function recordedRows(
  { episodes }: Evaluation,
  seeds: readonly number[] | undefined,
  most = episodes.length,
): ReadonlyMap<number, EpisodeRow> {
  const rows = new Map<number, EpisodeRow>();
  for (const row of episodes) {
    const isWanted = row.counted && !rows.has(row.seed) && (seeds?.includes(row.seed) ?? true);
    if (isWanted && rows.size < most) rows.set(row.seed, row);
  }
  return rows;
}

interface Recorded {
  readonly evaluation: Evaluation;
  readonly spec?: EnvSpec;
}

/** The evaluation of a recording: of the agent with this name on this environment, or the only one. */
async function evaluationIn(
  folder: string,
  { name }: AnyAgent,
  env: EvaluateOptions['env'] | undefined,
): Promise<Recorded> {
  const all = await recordedEvaluations(folder);
  const id = typeof env === 'string' ? env : env && 'id' in env ? (env as EnvSpec).id : undefined;
  const here = all.filter((each) => id === undefined || each.env === id);
  const found = here.length === 1 ? here[0] : here.find(({ agent }) => agent === name);
  if (!found) {
    const names = all.map((each) => `${each.agent} on ${each.env}`).join(', ');
    throw new NoRecordingError(
      folder,
      `has no episodes of ${name}${id === undefined ? '' : ` on ${id}`}`,
      `it has ${names || 'none'}`,
    );
  }
  for await (const { env: spec, agent } of readTrajectories(folder)) {
    if (spec && spec.id === found.env && agent?.name === found.agent) return { evaluation: found, spec };
  }
  return { evaluation: found };
}

/** The first run makes the recording, like a snapshot; in CI a missing one is an error. */
async function makeRecording(state: MatcherState, agent: AnyAgent, folder: string, given: AsWellOptions) {
  const { env, episodes, falseAlarms: _, margin: __, ...options } = given;
  if (process.env.CI)
    throw new NoRecordingError(folder, 'is not there', 'run the test once without CI set, and commit the folder');
  if (env === undefined) throw new InvalidOptionError('env', env, 'an environment, to make the recording with');
  const seeds = seedsOf(options.seeds, episodes, 40);
  const played = await play({ agent, env, seeds, options, folder }).catch(async (error) => {
    await rm(folder, { recursive: true, force: true }); // nothing of use was recorded
    throw error;
  });
  remember(state.task, agent, played);
  const { counted, planned, successRate } = played.evaluation;
  const solved = counted === 0 ? 'no episode counts' : `${percent(successRate)} of ${episodesText(counted)} solved`;
  const left = counted < planned ? `, ${planned - counted} excluded: remove the folder and run again` : '';
  const check: AgentCheck = {
    matcher: 'toSolveAtLeastAsWellAs',
    agent: agent.name,
    environment: environmentName(env, played),
    verdict: counted === planned ? 'pass' : 'undecided',
    text: `${agent.name} was recorded in ${folder}: ${solved}${left}.`,
    episodes: played.rows.length,
    planned,
    excluded: planned - counted,
    usage: played.evaluation.usage,
    folder,
    isNot: state.isNot,
    failures: [],
  };
  note(state.task, check);
  return outcome(check, state.isNot);
}

const nameOf = (recording: string | Evaluation) =>
  typeof recording === 'string' ? recording : `${recording.agent} then`;
