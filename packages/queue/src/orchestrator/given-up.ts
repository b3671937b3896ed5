/** The record of an order that no worker finished. */
import type { LedgerRecord } from '../ledger/record.js';
import type { Plan } from '../order.js';
import { isModelError } from './failures.js';

export function givenUp(
  { order, group, index, seed }: ReturnType<Plan>,
  reason: string,
  attempt: number,
): LedgerRecord {
  const now = Date.now();
  return {
    order,
    group,
    index,
    seed,
    outcome: isModelError(reason) ? 'model-error' : 'abandoned',
    digest: null,
    reason,
    steps: 0,
    tokens: 0,
    policyVersions: [],
    attempt,
    worker: 'orchestrator',
    startedAt: now,
    endedAt: now,
  };
}
