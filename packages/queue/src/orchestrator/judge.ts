import type { BlobStore } from '../blobs/blob-store.js';
import type { Plan } from '../order.js';
import type { Delivery, Refusal } from '../rollout-queue.js';
import { lookAt } from './unreadable.js';

/** Accepts only records of this run whose trajectories can be read. */
export async function judge(
  entry: Delivery | Refusal,
  plan: Plan,
  blobs: Pick<BlobStore, 'get'> | undefined,
): Promise<Delivery | Refusal> {
  const { id, record } = entry;
  if (record === undefined) return entry;
  const { order, worker } = record;
  const { seed, group, index } = plan(order);
  if (record.seed !== seed || record.group !== group || record.index !== index) {
    return { id, order, problem: `it is of another run: order ${order} has seed ${seed}, not ${record.seed}` };
  }
  const problem = await lookAt(record, blobs);
  if (problem === undefined) return entry;
  const reason =
    problem === 'BLOB_MISSING'
      ? `the folder of the worker ${worker} is not that of the learner`
      : `the trajectory of the worker ${worker} was changed after it was written`;
  return { id, order, problem: `${problem}: ${reason}` };
}
