/** Trajectories that the ledger names and nobody can read: what is wrong with them, in words. */
import { GymError } from '@vlgym/core';
import type { BlobStore } from '../blobs/blob-store.js';
import type { LedgerRecord } from '../ledger/record.js';
import type { Unreadable } from './events.js';

const PROBLEMS: Readonly<Record<Unreadable, string>> = {
  BLOB_MISSING:
    'the ledger names trajectories that are not in the folder of the learner; these orders are issued again. Learner and ' +
    'workers must see the same folder (`--blobs`)',
  BLOB_DAMAGED:
    'the ledger names trajectories that were changed after they were written; these orders are issued again. Check the ' +
    'disk, and who else writes to the folder (`--blobs`)',
  EPISODE_INVALID:
    'the ledger names trajectories that are no episodes of their orders; these orders are issued again. Learner and ' +
    'workers must run the same version of @vlgym/queue',
};

export const problemOfKind = (kind: Unreadable): string => PROBLEMS[kind];

/** Sorts the errors of reading a trajectory. */
export function unreadableOf(error: unknown): Unreadable | undefined {
  if (!GymError.isInstance(error)) return undefined;
  return error.code === 'BLOB_MISSING' || error.code === 'BLOB_DAMAGED' ? error.code : 'EPISODE_INVALID';
}

/** Looks whether the trajectory of a record is there and whole. */
export async function lookAt(
  { digest }: LedgerRecord,
  blobs: Pick<BlobStore, 'get'> | undefined,
): Promise<Unreadable | undefined> {
  if (digest === null || !blobs) return undefined;
  try {
    await blobs.get(digest);
    return undefined;
  } catch (error) {
    const problem = unreadableOf(error);
    if (problem === undefined) throw error;
    return problem;
  }
}
