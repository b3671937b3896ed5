/** Ends programs together with everything they have started. */
import type { ChildProcess } from 'node:child_process';

/** Whether a child can lead a process group: `detached: HAS_GROUPS`. */
export const HAS_GROUPS = process.platform !== 'win32';

/** Kills a child and its process group. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 'SIGKILL');
  } catch {
    // The group is already gone.
  }
}
