/** Warns about a warm start that never succeeds: reinforcement learning cannot improve it. */
import type { Scores } from '@vlgym/agents';

export function warmStartAlarm({ counted, successRate, legalRate }: Scores): string | undefined {
  if (counted === 0) return 'no evaluated episode of the warm start counts, so nothing is known of it';
  if (successRate > 0) return undefined;
  const legal = legalRate === undefined ? '' : `, ${Math.round(100 * legalRate)} % of its actions are legal`;
  return `the warm start solves none of ${counted} episodes${legal}: play that never succeeds teaches little; raise --warm-start-examples or lower --warm-start-mistakes`;
}
