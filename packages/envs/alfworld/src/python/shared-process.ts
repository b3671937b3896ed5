/**
 * One Python process for all environments with equal options; it ends with the last of them.
 *
 * Its engine is synchronous, so it answers calls one at a time. Set the option `shareProcess` to false to run calls in
 * parallel.
 */
import { z } from 'zod';
import { type CallOptions, type ProcessOptions, PythonProcess } from './python-process.js';

/** Limits the leak of a process: per closed environment the package keeps 6 MB of memory and 34 MB of disk. */
const MAX_ENVIRONMENTS = 32;

interface Shared {
  readonly process: PythonProcess;
  users: number;
  /** Number of leases given so far. */
  places: number;
}

/** Processes by their options; a lost or full one is kept until it is replaced. */
const running = new Map<string, Shared>();
let callers = 0;

/** The right of one environment to use a process. */
export interface PythonLease {
  /** Number of the environment, unique over all processes. */
  readonly caller: number;
  readonly process: PythonProcess;
  ask<T>(call: string, parameters: Readonly<Record<string, unknown>>, options: CallOptions<T>): Promise<T>;
  /** Rejects open calls as closed; the last release ends the process. */
  release(): Promise<void>;
}

/** @param shared  Whether other environments may use the process. */
export function leasePython(options: ProcessOptions, shared: boolean): PythonLease {
  const { python, script, memoryLimit, environment } = options;
  const key = shared ? JSON.stringify([python, script, memoryLimit, environment.ALFWORLD_DATA]) : undefined;
  const found = key === undefined ? undefined : running.get(key);
  const fits = found !== undefined && !found.process.lost && found.places < MAX_ENVIRONMENTS;
  const current = fits ? found : { process: new PythonProcess(options), users: 0, places: 0 };
  if (key !== undefined) running.set(key, current);
  current.users += 1;
  current.places += 1;
  callers += 1;
  const caller = callers;
  let released: Promise<void> | undefined;

  async function leave(): Promise<void> {
    current.users -= 1;
    if (current.users === 0) {
      if (key !== undefined && running.get(key) === current) running.delete(key);
      await current.process.close();
      return;
    }
    current.process.abandon(caller);
    // Not awaited: it may wait for a long call of another environment, and nothing depends on it.
    current.process.call(caller, 'close', {}, CLOSING).catch(() => {});
  }

  return {
    caller,
    process: current.process,
    ask: (call, parameters, limits) => current.process.call(caller, call, parameters, limits),
    release() {
      released ??= leave();
      return released;
    },
  };
}

const CLOSING = { schema: z.unknown(), timeout: 60_000, longest: 60_000 };
