/**
 * One Python process for all environments that want the same of it; it ends with the last of them.
 *
 * Its engine is synchronous, so it answers one after another. Whoever wants calls answered side by side sets the option
 * `shareProcess` to false.
 */
import { z } from 'zod';
import { type CallOptions, type ProcessOptions, PythonProcess } from './python-process.js';

/** The package keeps the planner's library of a closed environment: 6 MB of memory, and 34 MB of the disk, each. */
const MOST_PLACES = 32;

interface Shared {
  readonly process: PythonProcess;
  users: number;
  /** Given away so far. */
  places: number;
}

/** By what they were started with; one that is lost or full stays until another takes its place. */
const running = new Map<string, Shared>();
let callers = 0;

/** A place in a process. */
export interface PythonLease {
  /** Number of the place, of no other in any process. */
  readonly caller: number;
  readonly process: PythonProcess;
  ask<T>(call: string, parameters: Readonly<Record<string, unknown>>, options: CallOptions<T>): Promise<T>;
  /** Gives the place back: calls that are not answered yet fail as closed, and the last one ends the process. */
  release(): Promise<void>;
}

/** @param shared  Whether others may have the same process. */
export function leasePython(options: ProcessOptions, shared: boolean): PythonLease {
  const { python, script, memoryLimit, environment } = options;
  const key = shared ? JSON.stringify([python, script, memoryLimit, environment.ALFWORLD_DATA]) : undefined;
  const found = key === undefined ? undefined : running.get(key);
  const fits = found !== undefined && !found.process.lost && found.places < MOST_PLACES;
  const mine = fits ? found : { process: new PythonProcess(options), users: 0, places: 0 };
  if (key !== undefined) running.set(key, mine);
  mine.users += 1;
  mine.places += 1;
  callers += 1;
  const caller = callers;
  let released: Promise<void> | undefined;

  async function leave(): Promise<void> {
    mine.users -= 1;
    if (mine.users === 0) {
      if (key !== undefined && running.get(key) === mine) running.delete(key);
      await mine.process.close();
      return;
    }
    mine.process.abandon(caller);
    // not waited for: it may stand behind a long call of another, and nothing depends on it
    mine.process.call(caller, 'close', {}, CLOSING).catch(() => {});
  }

  return {
    caller,
    process: mine.process,
    ask: (call, parameters, limits) => mine.process.call(caller, call, parameters, limits),
    release() {
      released ??= leave();
      return released;
    },
  };
}

const CLOSING = { schema: z.unknown(), timeout: 60_000, longest: 60_000 };
