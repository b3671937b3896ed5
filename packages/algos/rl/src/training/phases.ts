/** Phases of training: environments that change after given updates, while policy and algorithm go on. */
import { GymError } from '@vlgym/core';
import type { TrainOptions } from './types.js';

type Phased = Pick<TrainOptions, 'phases' | 'openSource' | 'ranks'>;

/** Phases that have begun. @param update  Updates done before it. */
export const phaseOf = ({ phases = [] }: Phased, update: number): number =>
  phases.filter((after) => after <= update).length;

/** @throws {GymError} `INVALID_OPTION`: not ascending updates, or environments of other processes. */
export function checkPhases({ phases = [], openSource, ranks }: Phased): void {
  if (phases.length === 0) return;
  const isAscending = phases.every((after, i) => Number.isSafeInteger(after) && after > (phases[i - 1] ?? 0));
  if (isAscending && !openSource && !ranks) return;
  throw new GymError(
    isAscending
      ? 'Phases change the environments of this process, and a queue or other processes play in theirs.'
      : `The option \`phases\` cannot be [${phases.join(', ')}].`,
    {
      code: 'INVALID_OPTION',
      value: phases,
      expected: isAscending ? 'no phases with `openSource` or `ranks`' : 'ascending numbers of updates, from 1',
    },
  );
}
