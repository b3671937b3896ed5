/** How an episode went, as its steps alone tell it. */
import type { TrajectoryOutcome, TrajectoryStep } from './schema.js';

/** Return, length and end as the steps themselves tell them. */
export function summarize(steps: readonly TrajectoryStep[]): TrajectoryOutcome {
  const last = steps.at(-1);
  const endedBy = last?.terminated
    ? 'terminated'
    : !last?.truncated
      ? 'interrupted'
      : last.error === undefined
        ? 'truncated'
        : 'error';
  return { return: steps.reduce((sum, { reward }) => sum + reward, 0), length: steps.length, endedBy };
}
