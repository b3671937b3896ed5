/** Goal, rules and score of a household in plain sentences, for people. */
import type { EnvGuide } from '@vlgym/core/registry';
import { REWARD_PRESETS, type RewardPreset, type RewardWeights } from './reward.js';

interface GuidedOptions {
  readonly reward?: unknown;
  readonly maxSteps?: number | undefined;
}

/** @param usual  The reward without the option `reward`. */
export const householdGuide =
  (usual: RewardPreset) =>
  ({ reward = usual, maxSteps = 50 }: GuidedOptions): EnvGuide => ({
    goal: `Do what the task asks for in at most ${maxSteps} steps.`,
    rules:
      'Go to a place to see what is there; open what is closed. You carry one thing at a time, and heat, cool, clean or ' +
      'use things where a household does.',
    score: scoreWords(reward),
  });

function scoreWords(reward: unknown): string {
  const weights =
    typeof reward === 'string' ? REWARD_PRESETS[reward as RewardPreset] : typeof reward === 'object' ? reward : null;
  if (!weights) return 'A function that was given as an option computes the score.';
  const { won = 0, subgoal = 0, level = 0, illegal = 0, step = 0 }: RewardWeights = weights;
  const parts = [
    won !== 0 && `finishing the task gives ${won}`,
    subgoal !== 0 && `each part of it that is reached for the first time gives ${subgoal}`,
    level !== 0 && `every step gives up to ${level} for the parts that are reached`,
    illegal !== 0 && `an action that is not possible costs ${illegal}`,
    step !== 0 && `every step ${step < 0 ? 'costs' : 'gives'} ${Math.abs(step)}`,
  ].filter((part) => part !== false);
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
