/** Verdicts of an audit, from what its agents scored. Each threshold says what luck could do. */
import type { CheckReport } from '@vlgym/core';
import type { Evaluation } from '../evaluate/types.js';
import { pairedComparison } from '../statistics/paired-comparison.js';
import type { ResetLeak } from './reset-leaks.js';
import type { FoundReward } from './reward-search.js';

export interface AuditFinding {
  readonly code: AuditCode;
  /** `hack`: reward or success without the task. `note`: worth a line in the environment's documentation. */
  readonly severity: 'hack' | 'note';
  /** The observation with its figures, and the next step. */
  readonly message: string;
}

export type AuditCode =
  | 'WINS_WITHOUT_ACTING'
  | 'WINS_WITHOUT_SKILL'
  | 'ANSWER_IN_PROMPT'
  | 'REWARD_WITHOUT_SUCCESS'
  | 'TEXT_CHANGES_RESULT'
  | 'RESET_LEAKS'
  | 'FAILS'
  | 'STALL_PAYS'
  | 'SEEDS_UNSOLVED'
  | 'SMALL_GAP'
  | 'CONTRACT';

export interface Played {
  readonly expert: Evaluation | undefined;
  readonly random: Evaluation;
  /** Agents that never act. */
  readonly wordless: readonly Evaluation[];
  /** Agents that act without looking. */
  readonly unskilled: readonly Evaluation[];
  readonly parrot: Evaluation | undefined;
  /** Random play in words, and the same with injected text, on the same seeds. */
  readonly writing: Evaluation | undefined;
  readonly injecting: Evaluation | undefined;
  readonly searched: readonly FoundReward[];
  readonly leaks: readonly ResetLeak[];
  readonly contract: CheckReport;
}

/** An agent without a skill is one that reaches this share of what lies between random play and the expert. */
const SHARE_OF_EXPERT = 0.8;
/** An answer that is given away takes about as many turns as the expert. */
const EXPERT_LENGTHS = 1.5;
/** A stall pays if it earns this share more of what lies between failing and the expert. */
const STALL_SHARE = 0.05;
/** Below this difference there is little to learn. */
const SMALL_GAP = 0.1;
/** Seen this seldom by luck in an environment that ignores text. */
const LUCK = 0.01;
/** Without an expert: a success rate that no agent without a skill should have. */
const HIGH = 0.8;

export function findingsOf(played: Played): AuditFinding[] {
  return [
    ...wordlessFindings(played),
    ...unskilledFindings(played),
    ...parrotFindings(played),
    ...injectionFindings(played),
    ...rewardFindings(played),
    ...leakFindings(played),
    ...stallFindings(played),
    ...expertFindings(played),
    ...failureFindings(played),
    ...contractFindings(played),
  ];
}

const percent = (rate: number) => `${(100 * rate).toFixed(0)} %`;
/** A probe by its name. */
function withoutSkill(agent: string): string {
  if (agent === 'oracle') return 'the expert';
  if (agent === 'random') return 'an agent that plays at random';
  if (agent === 'silent') return 'an agent that is silent';
  return `an agent that ${agent.replace(/^always /, 'always takes ')}`;
}

const number = (value: number) => String(Number(value.toPrecision(4)));

function wordlessFindings({ wordless, expert }: Played): AuditFinding[] {
  return wordless.flatMap(({ agent, successRate, meanReturn, episodes }) => {
    const paid = meanReturn > 0 && meanReturn >= (expert?.meanReturn ?? Number.POSITIVE_INFINITY);
    if (!(successRate > 0) && !paid) return [];
    const message = `${withoutSkill(agent)} has success in ${percent(successRate)} of ${episodes.length} episodes and a mean return of ${number(meanReturn)}: success and reward must need an action`;
    return [{ code: 'WINS_WITHOUT_ACTING', severity: 'hack', message } as const];
  });
}

/** The success rate from which an agent without a skill is as good as an expert. */
function thresholdOf({ expert, random }: Pick<Played, 'expert' | 'random'>): number {
  if (!expert) return HIGH;
  const gap = expert.successRate - random.successRate;
  // where random play is nearly as good, nothing can be told
  return gap < SMALL_GAP ? Number.POSITIVE_INFINITY : random.successRate + SHARE_OF_EXPERT * gap;
}

function unskilledFindings({ unskilled, ...rest }: Played): AuditFinding[] {
  const threshold = thresholdOf(rest);
  return unskilled
    .filter(({ interval95 }) => interval95[0] >= threshold * 0.8)
    .filter(({ successRate }) => successRate >= threshold)
    .map(({ agent, successRate, episodes }) => ({
      code: 'WINS_WITHOUT_SKILL',
      severity: 'hack',
      message: `${withoutSkill(agent)} has success in ${percent(successRate)} of ${episodes.length} episodes (${referenceText(rest)}): vary the tasks, or end episodes that repeat`,
    }));
}

function parrotFindings({ parrot, unskilled, ...rest }: Played): AuditFinding[] {
  if (!parrot || !(parrot.successRate >= thresholdOf(rest))) return [];
  // a walk at random among some of the actions wins small tasks as well, but late
  if (parrot.meanLength > EXPERT_LENGTHS * (rest.expert?.meanLength ?? Number.POSITIVE_INFINITY)) return [];
  // where one action wins, naming it in the prompt is not the fault
  if (unskilled.some(({ successRate }) => successRate >= parrot.successRate - SMALL_GAP)) return [];
  const message = `an agent that takes the action which the prompt names most often has success in ${percent(parrot.successRate)} of ${parrot.episodes.length} episodes (${referenceText(rest)}): the prompt gives the answer away`;
  return [{ code: 'ANSWER_IN_PROMPT', severity: 'hack', message }];
}

/** Injected text may spoil an action, and must never help. */
function injectionFindings({ writing, injecting }: Played): AuditFinding[] {
  if (!writing || !injecting || !(injecting.successRate > writing.successRate)) return [];
  const { pValue } = pairedComparison(injecting.episodes, writing.episodes);
  if (pValue >= LUCK) return [];
  const message = `random play has success in ${percent(writing.successRate)} of ${writing.episodes.length} episodes, and in ${percent(injecting.successRate)} where it adds injected text to the same actions: read the action alone, and judge by the state`;
  return [{ code: 'TEXT_CHANGES_RESULT', severity: 'hack', message }];
}

function leakFindings({ leaks }: Played): AuditFinding[] {
  const order = ['reward', 'end', 'observation', 'info', 'prompt'];
  const [worst] = leaks.toSorted((a, b) => order.indexOf(a.what) - order.indexOf(b.what));
  if (!worst) return [];
  const { what, seed, step, used, fresh } = worst;
  const severity = what === 'reward' || what === 'end' ? 'hack' : 'note';
  const where = step === 0 ? 'after the reset' : `after ${step} steps`;
  const values = severity === 'hack' ? ` (${used} and ${fresh})` : '';
  const message = `on seed ${seed} the ${what} ${where} differs between an environment that played before and a new one${values}: a reset must forget everything`;
  return [{ code: 'RESET_LEAKS', severity, message }];
}

/** Failures of the environment are no scores, but they have a cause. */
function failureFindings({ expert, random, wordless, unskilled, parrot, writing, injecting }: Played): AuditFinding[] {
  for (const each of [expert, random, ...wordless, ...unskilled, parrot, writing, injecting]) {
    const failed = each?.episodes.filter(({ error }) => error?.boundary === 'environment') ?? [];
    const error = failed[0]?.error;
    if (!each || !error) continue;
    const message = `the environment failed in ${failed.length} of ${each.episodes.length} episodes of ${withoutSkill(each.agent)} (seed ${failed[0]!.seed}, ${error.code}: ${error.message}): refuse an action with an error that says what is wrong, or leave it without effect`;
    return [{ code: 'FAILS', severity: 'note', message }];
  }
  return [];
}

function rewardFindings({ searched, unskilled, random, expert }: Played): AuditFinding[] {
  const played = [random, ...unskilled].flatMap(({ agent, episodes }) =>
    episodes
      .filter(({ success, counted }) => counted && !success)
      .map((row) => ({
        by: withoutSkill(agent),
        seed: row.seed,
        return: row.return,
        steps: row.length,
      })),
  );
  const all = [...searched.map((found) => ({ by: 'a search', ...found })), ...played];
  const best = all.reduce<(typeof all)[number] | undefined>(
    (top, each) => (!top || each.return > top.return ? each : top),
    undefined,
  );
  const wins = [expert, random, ...unskilled].flatMap((each) => each?.episodes.filter(({ success }) => success) ?? []);
  if (!best || wins.length === 0) return [];
  const win = wins.reduce((sum, row) => sum + row.return, 0) / wins.length;
  if (!(best.return > 0 && best.return >= win)) return [];
  const message = `${best.by} got a return of ${number(best.return)} on seed ${best.seed} in ${best.steps} steps without success, and an episode with success pays ${number(win)} on average: reward is paid for something else than the task`;
  return [{ code: 'REWARD_WITHOUT_SUCCESS', severity: 'hack', message }];
}

/** Legal actions until a limit, never with success, that earn more than random play that failed: a learner may settle there. */
function stallFindings({ unskilled, random, expert }: Played): AuditFinding[] {
  const failed = random.episodes.filter(({ success, counted }) => counted && !success);
  if (!expert || failed.length === 0) return [];
  const failure = failed.reduce((sum, row) => sum + row.return, 0) / failed.length;
  const least = failure + STALL_SHARE * Math.max(0, expert.meanReturn - failure);
  const [best] = unskilled
    .filter(({ legalRate = 1 }) => legalRate === 1)
    .filter(({ episodes }) => episodes.every(({ success, endedBy }) => !success && endedBy === 'truncated'))
    .filter(({ meanReturn }) => meanReturn > least && meanReturn > failure)
    .toSorted((a, b) => b.meanReturn - a.meanReturn);
  if (!best) return [];
  const message = `${withoutSkill(best.agent)} plays ${number(best.meanLength)} turns until the limit and gets ${number(best.meanReturn)}, failed random episodes get ${number(failure)}: a cost per turn makes trying pay`;
  return [{ code: 'STALL_PAYS', severity: 'note', message }];
}

function expertFindings({ expert, random }: Played): AuditFinding[] {
  if (!expert) return [];
  const findings: AuditFinding[] = [];
  const failed = expert.episodes.filter(({ success }) => !success).map(({ seed }) => seed);
  if (failed.length > 0) {
    const message = `the expert has no success on ${failed.length} of ${expert.episodes.length} seeds (${failed.slice(0, 8).join(', ')}${failed.length > 8 ? ', …' : ''}): say whether they have a solution, or offer an option that leaves them out`;
    findings.push({ code: 'SEEDS_UNSOLVED', severity: 'note', message });
  }
  const gap = expert.successRate - random.successRate;
  if (gap < SMALL_GAP) {
    const message = `the expert has success in ${percent(expert.successRate)}, random play in ${percent(random.successRate)}: there is little to learn, or too few episodes to see it`;
    findings.push({ code: 'SMALL_GAP', severity: 'note', message });
  }
  return findings;
}

const contractFindings = ({ contract: { findings } }: Played): AuditFinding[] =>
  findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => ({ code: 'CONTRACT', severity: 'note', message: `${code}: ${message}` }));

const referenceText = ({ expert, random }: Pick<Played, 'expert' | 'random'>) =>
  `random play ${percent(random.successRate)}${expert ? `, the expert ${percent(expert.successRate)}` : ''}`;
