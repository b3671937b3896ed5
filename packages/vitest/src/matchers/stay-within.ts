/** `toStayWithin`: what an episode may cost. */
import type { AnyAgent, EpisodeRow, EvaluateOptions, Evaluation } from '@vlgym/agents';
import { GymError, InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { MatcherState } from 'vitest';
import { type AgentCheck, note } from '../check.js';
import { recordFolder } from '../play/folder.js';
import { PLAY_OPTIONS, type PlayOptions } from '../play/options.js';
import { type Played, play } from '../play/play.js';
import { seedsOf } from '../play/seeds.js';
import { failedEpisodes } from '../report/failed-episodes.js';
import { episodesText } from '../report/words.js';
import { checkedAgent, environmentName, outcome, remember, remembered } from './common.js';

/** The most that one episode may use. */
export interface EpisodeLimits {
  /** In the currency of the agent's prices. */
  readonly cost?: number | undefined;
  /** Input and output. */
  readonly tokens?: number | undefined;
  /** Time of the agent's turns. */
  readonly seconds?: number | undefined;
  /** Turns. */
  readonly steps?: number | undefined;
}

const LIMITS = names<EpisodeLimits>({ cost: 0, tokens: 0, seconds: 0, steps: 0 }) as readonly (keyof EpisodeLimits)[];

export interface StayOptions extends PlayOptions {
  /** Plays this environment; default: judge the latest episodes of the agent in this test. */
  readonly env?: EvaluateOptions['env'] | undefined;
  /** Episodes to play; default 10. */
  readonly episodes?: number | undefined;
  /** `each` (default): every episode stays within. `mean`: they do on average. `total`: all together do. */
  readonly of?: 'each' | 'mean' | 'total' | undefined;
}

const STAY_OPTIONS = [...PLAY_OPTIONS, ...names<Omit<StayOptions, keyof PlayOptions>>({ env: 0, episodes: 0, of: 0 })];

/** Nothing was played yet. */
class NothingPlayedError extends GymError {
  constructor(agent: string) {
    super(`${agent} has not played in this test.`, {
      code: 'NOTHING_PLAYED',
      value: agent,
      hint: 'call `toSolve` on it first, or name an environment: toStayWithin(limits, { env, episodes })',
    });
  }
}

export async function toStayWithin(
  this: MatcherState,
  received: unknown,
  limits: EpisodeLimits,
  given: StayOptions = {},
) {
  checkNames('limits', limits, LIMITS);
  checkNames('options', given, STAY_OPTIONS);
  const wanted = LIMITS.filter((limit) => limits[limit] !== undefined);
  if (wanted.length === 0) throw new InvalidOptionError('limits', limits, `some of ${LIMITS.join(', ')}`);
  for (const limit of wanted) {
    if (!(limits[limit]! >= 0)) throw new InvalidOptionError(limit, limits[limit], 'a number, 0 or more');
  }
  const { of = 'each' } = given;
  if (!['each', 'mean', 'total'].includes(of)) throw new InvalidOptionError('of', of, 'each, mean, total');
  const { agent, played } = await episodesOf(this, received, given);
  const { rows, seconds, folder } = played;
  if (limits.seconds !== undefined && seconds.size === 0 && rows.length > 0) {
    throw new InvalidOptionError('seconds', limits.seconds, 'an agent: results of evaluations have no time');
  }
  const sides = wanted.map((limit) => ({ limit, ...judged(limit, limits[limit]!, of, rows, seconds) }));
  const counted = rows.filter((row) => row.counted).length;
  const crossed = sides.filter(({ over }) => over.length > 0);
  const failing = new Set(crossed.flatMap(({ over }) => over));
  const check: AgentCheck = {
    matcher: 'toStayWithin',
    agent,
    environment: environmentName(given.env, played),
    verdict: crossed.length > 0 ? 'alarm' : counted > 0 && counted === rows.length ? 'pass' : 'undecided',
    text: textOf(agent, crossed.length > 0 ? crossed : sides, of, rows.length, counted),
    episodes: rows.length,
    planned: rows.length,
    excluded: rows.length - counted,
    usage: played.evaluation.usage,
    ...(folder !== undefined && { folder }),
    isNot: this.isNot,
    failures: await failedEpisodes(
      folder,
      rows.filter((row) => failing.has(row)).map((row) => ({ ...row, success: false })),
    ),
  };
  note(this.task, check);
  return outcome(check, this.isNot);
}

async function episodesOf(
  state: MatcherState,
  received: unknown,
  { env, episodes, of: _, ...options }: StayOptions,
): Promise<{ readonly agent: string; readonly played: Pick<Played, 'rows' | 'seconds' | 'folder' | 'evaluation'> }> {
  if (isEvaluation(received)) {
    return {
      agent: received.agent,
      played: { rows: received.episodes, seconds: new Map(), folder: undefined, evaluation: received },
    };
  }
  const agent: AnyAgent = checkedAgent('toStayWithin', received);
  if (env === undefined) {
    const played = remembered(state.task, agent);
    if (!played) throw new NothingPlayedError(agent.name);
    return { agent: agent.name, played };
  }
  const folder = recordFolder(options.record, state.task, state);
  const played = await play({ agent, env, seeds: seedsOf(options.seeds, episodes, 10), options, folder });
  remember(state.task, agent, played);
  return { agent: agent.name, played };
}

const isEvaluation = (value: unknown): value is Evaluation =>
  typeof value === 'object' && value !== null && Array.isArray((value as Evaluation).episodes) && 'counted' in value;

interface Side {
  readonly limit: keyof EpisodeLimits;
  readonly allowed: number;
  readonly most: number;
  readonly over: readonly EpisodeRow[];
}

/** Excluded episodes count, too: what they used was used. */
function judged(
  limit: keyof EpisodeLimits,
  allowed: number,
  of: 'each' | 'mean' | 'total',
  rows: readonly EpisodeRow[],
  seconds: ReadonlyMap<number, number>,
): Omit<Side, 'limit'> {
  const used = rows.map((row) => amount(limit, row, seconds));
  const total = used.reduce((sum, value) => sum + value, 0);
  if (of === 'each')
    return { allowed, most: Math.max(0, ...used), over: rows.filter((_, index) => used[index]! > allowed) };
  const most = of === 'mean' ? total / Math.max(1, rows.length) : total;
  const largest = rows.toSorted((a, b) => amount(limit, b, seconds) - amount(limit, a, seconds));
  return { allowed, most, over: most > allowed ? largest.slice(0, 1) : [] };
}

function amount(limit: keyof EpisodeLimits, row: EpisodeRow, seconds: ReadonlyMap<number, number>): number {
  const { usage, length, seed } = row;
  if (limit === 'steps') return length;
  if (limit === 'seconds') return seconds.get(seed) ?? 0;
  return limit === 'cost' ? usage.cost : usage.inputTokens + usage.outputTokens;
}

function textOf(agent: string, sides: readonly Side[], of: string, episodes: number, counted: number): string {
  const unit = { each: 'the most in one of', mean: 'the mean of', total: 'the total of' }[of];
  const parts = sides.map(({ limit, most, allowed, over }) =>
    [
      `${Number(most.toPrecision(4))} ${limit} of ${allowed}`,
      over.length > 0 && of === 'each'
        ? ` (over in ${episodesText(over.length)}: seeds ${over
            .slice(0, 5)
            .map(({ seed }) => seed)
            .join(', ')})`
        : '',
    ].join(''),
  );
  const isOver = sides.some(({ over }) => over.length > 0);
  const excluded = episodes - counted;
  const words = isOver ? 'does not stay' : counted === 0 || excluded > 0 ? 'cannot be shown to stay' : 'stays';
  const left =
    counted === 0
      ? ', none of which counts'
      : excluded > 0
        ? `; ${episodesText(excluded)} excluded, and what they would have used is unknown`
        : '';
  return `${agent} ${words} within its limits: ${parts.join(', ')}, ${unit} ${episodesText(episodes)}${left}.`;
}
