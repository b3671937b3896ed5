/** A place for one environment in a Python process: a separate process, or one that environments share. */
import { PythonProcess, pythonToUse } from './python-process.js';

export const PROCESS_MODES = ['own-process', 'one-process'] as const;
export type ProcessMode = (typeof PROCESS_MODES)[number];

export interface Lease {
  readonly process: PythonProcess;
  /** Names the environment in the requests. */
  readonly env: number;
  /** Closes the environment, and the process after the last one. */
  release(): Promise<void>;
}

interface Shared {
  readonly process: Promise<PythonProcess>;
  users: number;
  isLost(): boolean;
}

function share(python: string | undefined): Shared {
  let started: PythonProcess | undefined;
  const process = PythonProcess.start(python).then((each) => {
    started = each;
    return each;
  });
  return { process, users: 0, isLost: () => started?.isAlive === false };
}

/** By interpreter; a lost process is no longer here. */
const shared = new Map<string, Shared>();
let count = 0;

/** @throws {PythonLostError} No such interpreter. @throws {PythonEnvError} It has no gymnasium. */
export async function leasePython(python: string | undefined, mode: ProcessMode): Promise<Lease> {
  count += 1;
  const env = count;
  if (mode === 'own-process') {
    const process = await PythonProcess.start(python);
    return { process, env, release: () => process.close() };
  }
  const key = pythonToUse(python);
  let entry = shared.get(key);
  if (!entry || entry.isLost()) {
    entry = share(python);
    shared.set(key, entry);
  }
  const place = entry;
  place.users += 1;
  const leave = async () => {
    place.users -= 1;
    if (place.users > 0) return;
    if (shared.get(key) === place) shared.delete(key);
    await (await place.process).close();
  };
  let process: PythonProcess;
  try {
    process = await place.process;
  } catch (error) {
    place.users -= 1;
    if (shared.get(key) === place) shared.delete(key);
    throw error;
  }
  const release = async () => {
    if (process.isAlive) await process.ask({ op: 'close', env }).catch(() => {});
    await leave();
  };
  return { process, env, release };
}
