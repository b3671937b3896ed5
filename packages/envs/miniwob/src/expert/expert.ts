/**
 * An expert for simple tasks: it reads what an agent reads, the instruction and the elements, and gives one call at a time.
 *
 * A plan names what must be true of the page, in order; the next action is the first part that is not.
 */
import { PLANS } from './plans.js';
import type { Situation } from './situation.js';

/** The next call; `undefined` if the plan has none, or the task has no plan. */
export const nextAction = (task: string, situation: Situation): string | undefined => PLANS[task]?.(situation);

/** Tasks that the expert knows. */
export const expertTasks = (): readonly string[] => Object.keys(PLANS);
