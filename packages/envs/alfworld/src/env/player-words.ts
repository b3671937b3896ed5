/** The words of a household for a person: why a command is not possible, and how the task ended. */
import { closest } from '@vlgym/core';
import type { HouseholdInfo } from './info.js';

/** @param possible  Commands that have an effect now. */
export function refusalOf(action: string, possible: readonly string[]): string | undefined {
  const command = action.trim();
  if (possible.includes(command)) return undefined;
  const near = closest(command, possible);
  const more = near === undefined ? 'Nothing would happen.' : `Did you mean "${near}"?`;
  return `"${command.slice(0, 80)}" is not possible here and now. ${more}`;
}

export function endWords(won: boolean, { goalConditionSuccessRate: share, truncatedBy }: HouseholdInfo): string {
  if (won) return 'The task is done.';
  const why = truncatedBy === 'cut' ? 'The episode was cut, because nothing changed any more' : 'The last step is used';
  return `${why}; ${Math.round(100 * share)} % of the task was reached.`;
}
