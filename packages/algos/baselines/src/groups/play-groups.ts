/**
 * The first half of an update on groups: episodes from equal initial states are played and scored, and each has one advantage
 * relative to its group, on all of its steps. The second half is the loss, in the file of the algorithm.
 */
import type { RolloutBuffer, Run } from '@vlgym/rl';
import {
  type GroupAdvantageKind,
  groupAdvantage,
  onEveryStep,
  type Targets,
  targetsFrom,
  trajectoryGroups,
  trajectoryReturns,
  uniformShare,
} from '@vlgym/rl/advantages';
import type { CommonConfig, GroupConfig } from '@vlgym/rl/config';
import { type CollectEpisodesOptions, rescore } from '@vlgym/rl/rollout';

type GroupRun = Run<CommonConfig & Pick<GroupConfig, 'group'>>;

/**
 * @param kind   How the return R_k of an episode becomes its advantage A_k.
 * @param hooks  Changes to the episodes as they are played; none by default.
 */
export async function playGroups(
  run: GroupRun,
  kind: GroupAdvantageKind,
  hooks: CollectEpisodesOptions['hooks'] = undefined,
): Promise<{ readonly buffer: RolloutBuffer; readonly targets: Targets }> {
  const { config, collector, metrics } = run;
  const buffer = await collector.collectEpisodes({ ...run, groupSize: config.group.size, hooks });
  await metrics.timed('score', () => rescore(run, buffer));

  const returns = trajectoryReturns(buffer, config.reward.scale);
  const group = groupAdvantage(returns, trajectoryGroups(buffer), { kind });
  metrics.set('group/uniform-share', uniformShare(group));
  return { buffer, targets: targetsFrom(buffer, onEveryStep(buffer, group.advantages), config, metrics) };
}
