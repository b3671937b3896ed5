/** Names of a run in Redis. The braces keep them on one node of a cluster, where scripts may touch several. */
import { checkRunName } from '../order.js';

export interface RunKeys {
  /** Prefix of BullMQ's own keys. */
  readonly prefix: string;
  /** Order → record, or `1` once the ledger's file has it. */
  readonly ledger: string;
  /** Stream of committed records. */
  readonly out: string;
  readonly counters: string;
  /** Token of the orchestrator, with a time limit. */
  readonly leader: string;
  readonly epoch: string;
  /** Id of the ledger that the orders belong to. */
  readonly owner: string;
  /** Number of the newest weights. */
  readonly policy: string;
  /** The run definition for workers, as JSON. */
  readonly definition: string;
  /** Name of a blob that the folder of the learner has. */
  readonly blobs: string;
  /** Worker → its last report, as JSON. */
  readonly workers: string;
}

export function keysOf(run: string): RunKeys {
  checkRunName(run);
  const prefix = `{vlgym-${run}}`;
  const key = (name: string) => `${prefix}:${name}`;
  return {
    prefix,
    ledger: key('ledger'),
    out: key('out'),
    counters: key('counters'),
    leader: key('leader'),
    epoch: key('epoch'),
    owner: key('owner'),
    policy: key('policy'),
    definition: key('definition'),
    blobs: key('blobs'),
    workers: key('workers'),
  };
}

/** Names of all runs that are going on: workers of all runs look here. */
export const RUNS = 'vlgym:runs';

/** BullMQ's name of the queue under the prefix. */
export const QUEUE_NAME = 'orders';

export const jobIdOf = (run: string, order: number): string => `${run}-${order}`;
