/** Warns about a start that never succeeds: reinforcement learning cannot improve it. */
import type { WarmStart } from './warm-start.js';

export function warmStartAlarm({ scores, from }: Pick<WarmStart, 'scores' | 'from'>): string | undefined {
  const { counted, successRate, legalRate } = scores;
  const start = from === undefined ? 'the warm start' : `the start from ${from}`;
  if (counted === 0) return `no evaluated episode of ${start} counts, so nothing is known of it`;
  if (successRate > 0) return undefined;
  const legal = legalRate === undefined ? '' : `, ${Math.round(100 * legalRate)} % of its actions are legal`;
  const help =
    from === undefined
      ? 'raise --warm-start-examples or lower --warm-start-mistakes'
      : 'start from weights that succeed at times';
  return `${start} solves none of ${counted} episodes${legal}: play that never succeeds teaches little; ${help}`;
}
