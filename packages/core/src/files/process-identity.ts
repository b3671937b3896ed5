/**
 * Identifies a process and tells whether it is alive. A process id alone is not enough: it is reused after the process has
 * ended, and means a different process in another container or on another machine.
 */
import { builtin } from './builtin.js';

/** Enough to recognize a process; fields that the system does not provide are absent. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Linux: the boot id of the machine, and the PID namespace of `pid`. */
  readonly boot?: string;
  readonly namespace?: string;
  /** Linux: start time of the process, in clock ticks since boot. */
  readonly started?: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  const { started } = await startOf(pid);
  return {
    pid,
    host: builtin('node:os').hostname(),
    ...(await place()),
    ...(started === undefined ? {} : { started }),
  };
}

/** `unknown`: it belongs to another machine or container, and cannot be checked from here. */
export async function stateOf(other: ProcessIdentity): Promise<'alive' | 'dead' | 'unknown'> {
  const here = await ownIdentity();
  if (other.host !== here.host || other.boot !== here.boot || other.namespace !== here.namespace) return 'unknown';
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    // EPERM means a process of another user: alive
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
  }
  const now = await startOf(other.pid);
  if (now.ended) return 'dead';
  return other.started !== undefined && now.started !== other.started ? 'dead' : 'alive';
}

async function place(): Promise<Pick<ProcessIdentity, 'boot' | 'namespace'>> {
  const { readFile, readlink } = builtin('node:fs/promises');
  try {
    return {
      boot: (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim(),
      namespace: await readlink('/proc/self/ns/pid'),
    };
  } catch {
    return {};
  }
}

/**
 * Fields 3 and 22 of `/proc/<pid>/stat` (`proc_pid_stat(5)`); the name before them may contain spaces and parentheses. A
 * killed process that its parent has not reaped still has an entry, as a zombie.
 */
async function startOf(pid: number): Promise<{ readonly started?: string; readonly ended?: boolean }> {
  try {
    const text = await builtin('node:fs/promises').readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state = '', started = ''] = [fields[0], fields[19]];
    return { started, ended: 'ZX'.includes(state) };
  } catch {
    return {};
  }
}
