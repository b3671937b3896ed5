/** A key in a suite file that groups episodes, and that no episode has. */
import type { SuiteCell } from '@vlgym/agents';
import { UsageError } from '../command-line/usage-error.js';
import type { SuiteFile } from './suite-file.js';

/**
 * The default key is that of some environments only, and asks for nothing.
 *
 * @param names  The environments, in the order of the file.
 * @throws {UsageError} Episodes were played and none of them has a key that the file names.
 */
export function checkGroups(plan: SuiteFile, names: readonly string[], cells: readonly SuiteCell[]): void {
  const own = plan.environments.map((entry) => (typeof entry === 'string' ? undefined : entry.breakdown));
  for (const [index, key] of own.entries()) {
    if (key !== undefined) refuseUnused(key, [names[index]!], cells);
  }
  const others = names.filter((_, index) => own[index] === undefined);
  if (plan.breakdown !== undefined) refuseUnused(plan.breakdown, others, cells);
}

function refuseUnused(key: string, names: readonly string[], cells: readonly SuiteCell[]): void {
  const played = cells.filter(({ environment, scores }) => names.includes(environment) && scores !== undefined);
  if (played.length === 0 || played.some(({ breakdown }) => breakdown !== undefined)) return;
  throw new UsageError(`The breakdown ${key} of ${names.join(', ')} groups nothing: no episode has it in \`info\`.`, {
    value: key,
    expected: 'a key of `info` of the environment',
    hint: 'the result is written; correct the key in the file and run the same command',
  });
}
