/**
 * Rules that end an episode early because of what the agent did.
 *
 * They raise the share of useful steps strongly, and results with and without them do not compare. The end counts as
 * terminated: the rule depends on the agent's fault. Rules: `algorithms.md` 4.5.
 */
import type { AlgorithmConfig } from '../training/config.js';

export type EarlyEndRules = AlgorithmConfig['rollout']['earlyEnd'];

export interface EarlyEndStep {
  readonly reward: number;
  /** Actions of the episode so far as JSON text, this step's last. */
  readonly actions: readonly string[];
}

/** True if one of the rules ends the episode with this step. */
export function endsEarly({ reward, actions }: EarlyEndStep, rules: EarlyEndRules): boolean {
  if (rules.rewardEquals !== null && reward === rules.rewardEquals) return true;
  if (rules.maxActions !== null && actions.length > rules.maxActions) return true;
  if (rules.identicalActions !== null && actions.length >= rules.identicalActions) {
    const last = actions.slice(-rules.identicalActions);
    return last.every((action) => action === last[0]);
  }
  return false;
}
