/** The outcome of an episode, computed from its steps. */
import type { TrajectoryOutcome, TrajectoryStep } from './schema.js';

/** Return, length and end, computed from the steps. */
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
