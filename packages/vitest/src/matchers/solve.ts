/** `toSolve`: a success rate, tested episode by episode. */
import type { AnyAgent, EvaluateOptions } from '@vlgym/agents';
import { type SequentialRate, sequentialRate, successRate } from '@vlgym/agents/statistics';
import { checkNames, names } from '@vlgym/core/internal';
import type { MatcherState } from 'vitest';
import { type AgentCheck, note } from '../check.js';
import { recordFolder } from '../play/folder.js';
import { PLAY_OPTIONS, type PlayOptions } from '../play/options.js';
import { type Judge, type Played, play } from '../play/play.js';
import { seedsOf } from '../play/seeds.js';
import { failedEpisodes } from '../report/failed-episodes.js';
import { episodesText, percent } from '../report/words.js';
import { checkedAgent, environmentName, outcome, remember } from './common.js';

export interface SolveOptions extends PlayOptions {
  /** The success rate to keep, above 0, at most 1. */
  readonly rate: number;
  /** The most episodes, on seeds 0, 1, 2, …; default 40. A clear answer needs fewer. */
  readonly episodes?: number | undefined;
  /** The largest probability that an agent at the rate fails the test; default 0.05. */
  readonly falseAlarms?: number | undefined;
}

const SOLVE_OPTIONS = [
  ...PLAY_OPTIONS,
  ...names<Omit<SolveOptions, keyof PlayOptions>>({ rate: 0, episodes: 0, falseAlarms: 0 }),
];

export async function toSolve(
  this: MatcherState,
  received: unknown,
  env: EvaluateOptions['env'],
  given: SolveOptions = {} as SolveOptions, // without types: the rate is missing
) {
  checkNames('options', given, SOLVE_OPTIONS);
  const agent = checkedAgent('toSolve', received);
  const { rate, episodes, falseAlarms, ...options } = given;
  const seeds = seedsOf(options.seeds, episodes, 40);
  const test = sequentialRate({ rate, episodes: seeds.length, falseAlarms });
  const folder = recordFolder(options.record, this.task, this);
  const judge: Judge = (rows) => {
    const found = test.judge(rows.map(({ success }) => success));
    return found && { verdict: found.verdict, used: found.episodes };
  };
  const played = await play({ agent, env, seeds, options, folder, judge });
  remember(this.task, agent, played);
  const check: AgentCheck = {
    matcher: 'toSolve',
    agent: agent.name,
    environment: environmentName(env, played),
    verdict: played.verdict,
    text: textOf(agent, environmentName(env, played), played, test),
    episodes: played.rows.length,
    planned: seeds.length,
    excluded: played.rows.filter(({ counted }) => !counted).length,
    usage: played.evaluation.usage,
    ...(folder !== undefined && { folder }),
    isNot: this.isNot,
    failures: await failedEpisodes(folder, played.rows),
  };
  note(this.task, check);
  return outcome(check, this.isNot);
}

function textOf(agent: AnyAgent, environment: string, { verdict, rows }: Played, test: SequentialRate): string {
  const counted = rows.filter((row) => row.counted);
  const solved = counted.filter(({ success }) => success).length;
  const { interval95, tasks } = successRate(counted);
  const excluded = rows.length - counted.length;
  const words = { pass: 'keeps', alarm: 'does not keep', undecided: 'cannot be shown to keep' }[verdict];
  const saved = test.episodes - rows.length;
  return [
    `${agent.name} ${words} a success rate of ${percent(test.rate)} on ${environment}: `,
    counted.length === 0
      ? 'no episode counts'
      : `${solved} of ${episodesText(counted.length)} solved (95 % interval ${percent(interval95[0])} to ${percent(interval95[1])}, ${tasks} tasks)`,
    excluded > 0 ? `; ${episodesText(excluded)} excluded, ${firstReason(rows)}` : '',
    saved > 0 && verdict !== 'undecided' ? `; clear after ${rows.length} of ${test.episodes}` : '',
    verdict === 'pass' ? `; an agent at ${percent(test.detects)} would be found with ${percent(1 - test.misses)}` : '',
    '.',
  ].join('');
}

function firstReason(rows: Played['rows']): string {
  const { error, truncationReason } = rows.find(({ counted }) => !counted) ?? {};
  return error ? `first ${error.code}: ${error.message.split('\n')[0]}` : (truncationReason ?? 'interrupted');
}
