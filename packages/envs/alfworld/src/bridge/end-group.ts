/** Programs that end with everything they have started. */
import type { ChildProcess } from 'node:child_process';

/** Whether a child can be the head of a group of processes: `detached: HAS_GROUPS`. */
export const HAS_GROUPS = process.platform !== 'win32';

/** Kills a child and its group at once. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 'SIGKILL');
  } catch {
    // all of them are gone already
  }
}
