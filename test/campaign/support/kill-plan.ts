/** When to kill: at a change of the file system, counted, or after a random time. */
import type { Generator } from '@vlgym/core';
import { type ChildName, childPath } from './bundle.js';
import { type ChildResult, runChild } from './child.js';

export interface Kill {
  /** The change of the file system that is not made any more, from 1; or milliseconds. */
  readonly at: number;
  readonly by: 'change' | 'time';
  /** A write that is hit is half done. */
  readonly torn: boolean;
}

/** The number of the case names the first change to kill at, so that as many cases as changes kill at each of them. */
export function planKills(rng: Generator, index: number, changes: number, milliseconds: number): Kill[] {
  // two cases of three at a counted change; every second of those tears a write
  const first: Kill =
    index % 3 === 2
      ? { at: Math.round(rng.random() * milliseconds), by: 'time', torn: false }
      : { at: 1 + (Math.floor((index * 2) / 3) % changes), by: 'change', torn: rng.random() < 0.5 };
  const more = Array.from({ length: rng.integers(0, 3) }, (): Kill => {
    return { at: 1 + rng.integers(0, changes), by: 'change', torn: rng.random() < 0.5 };
  });
  return [first, ...more];
}

export const describeKill = ({ at, by, torn }: Kill): string =>
  by === 'time' ? `after ${at} ms` : `at change ${at} of the files${torn ? ', half written' : ''}`;

/** Runs a child that is killed so; one with fewer changes left comes to its end. */
export async function runKilled(
  name: ChildName,
  folder: string,
  args: readonly string[],
  kill: Kill,
): Promise<ChildResult> {
  if (kill.by === 'time') return runChild(name, { args, killAfter: kill.at });
  return runChild(name, {
    args,
    preload: [await childPath('kill-at')],
    env: { VLGYM_KILL_FOLDER: folder, VLGYM_KILL_AT: String(kill.at), VLGYM_KILL_TORN: kill.torn ? '1' : '0' },
  });
}

/** Runs a child to its end and counts its changes below the folder. */
export async function runCounted(name: ChildName, folder: string, args: readonly string[], counter: string) {
  const env = { VLGYM_KILL_FOLDER: folder, VLGYM_KILL_COUNT: counter };
  return runChild(name, { args, preload: [await childPath('kill-at')], env });
}
