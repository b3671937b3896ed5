/**
 * The reward of a step: one weighted rule; the published settings are presets.
 *
 * Sources: `docs/specs/alfworld.md`, section 17 (RL4VLM/RL4VLM `VLM_PPO_ALF`, weit123/GTR `GTR_alf`, corl-team/VL-DAC,
 * langfengQ/verl-agent). `paper` is the reward as the papers state it, 50·won + subgoal - illegal: a sub-goal pays once,
 * when it is reached. The public code of RL4VLM pays the share of conditions met at every step instead: `rl4vlm`.
 */
import { InvalidOptionError } from '@vlgym/core';
import type { GoalConditions } from '../experts/goal-conditions.js';

/** Facts of one step. */
export interface StepFacts {
  readonly won: boolean;
  /** Whether the action was an admissible command. */
  readonly legal: boolean;
  readonly conditions: GoalConditions;
  /** Conditions met beyond the highest number met before in this episode. */
  readonly newConditions: number;
  /** Steps of the episode, including this one. */
  readonly steps: number;
  readonly action: string;
}

export interface RewardWeights {
  readonly won?: number | undefined;
  /** Multiplied by the number of newly met conditions. */
  readonly subgoal?: number | undefined;
  /** Multiplied by the share of met conditions, in every step. */
  readonly level?: number | undefined;
  /** Subtracted for an action that is not admissible. */
  readonly illegal?: number | undefined;
  /** Added in every step. */
  readonly step?: number | undefined;
}

/** Truncates a fruitless episode with its own reward. */
export interface CutRule {
  /** Truncates after more actions than this. */
  readonly actions: number;
  /** Truncates after this number of equal actions in a row. */
  readonly repeats: number;
  readonly reward: number;
}

export const REWARD_PRESETS = {
  /** As in ALFWorld: 1 for winning. */
  sparse: { won: 1 },
  paper: { won: 50, subgoal: 1, illegal: 1 },
  rl4vlm: { won: 50, level: 1, illegal: 1 },
  gtr: { won: 50, level: 1, illegal: 1 },
  'vl-dac': { won: 1, level: 1, illegal: 1 },
  'verl-agent': { won: 10 },
} as const satisfies Readonly<Record<string, RewardWeights>>;

export type RewardPreset = keyof typeof REWARD_PRESETS;

/** A function works in one process only; a spec that is sent to a worker cannot contain it. */
export type RewardOption = RewardPreset | RewardWeights | ((facts: StepFacts) => number);

export interface RewardRule {
  /** Parts by name; their sum is the reward. */
  readonly parts: (facts: StepFacts) => Record<string, number>;
  readonly cut?: CutRule;
}

const GTR_CUT: CutRule = { actions: 40, repeats: 5, reward: -3 };
const WEIGHT_NAMES = ['won', 'subgoal', 'level', 'illegal', 'step'];

/** @throws {GymError} `INVALID_OPTION` */
export function rewardRule(option: RewardOption): RewardRule {
  if (typeof option === 'function') return { parts: (facts) => ({ custom: option(facts) }) };
  if (typeof option === 'string') {
    if (!Object.hasOwn(REWARD_PRESETS, option)) throw wrongReward(option);
    const parts = partsOf(REWARD_PRESETS[option]);
    return option === 'gtr' ? { parts, cut: GTR_CUT } : { parts };
  }
  const isWeights =
    typeof option === 'object' &&
    option !== null &&
    Object.entries(option).every(([name, weight]) => WEIGHT_NAMES.includes(name) && Number.isFinite(weight));
  if (!isWeights) throw wrongReward(option);
  return { parts: partsOf(option) };
}

function partsOf({ won = 0, subgoal = 0, level = 0, illegal = 0, step = 0 }: RewardWeights): RewardRule['parts'] {
  return (facts) => {
    const parts: Record<string, number> = {};
    if (won !== 0) parts.won = facts.won ? won : 0;
    if (subgoal !== 0) parts.subgoal = subgoal * facts.newConditions;
    if (level !== 0) parts.level = (level * facts.conditions.met) / facts.conditions.total;
    if (illegal !== 0) parts.illegal = facts.legal ? 0 : -illegal;
    if (step !== 0) parts.step = step;
    return parts;
  };
}

function wrongReward(value: unknown): InvalidOptionError {
  const presets = Object.keys(REWARD_PRESETS).join(', ');
  return new InvalidOptionError(
    'reward',
    value,
    `one of ${presets}; weights for ${WEIGHT_NAMES.join(', ')}; or a function`,
  );
}
