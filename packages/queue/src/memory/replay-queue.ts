/** A queue that plays nothing: a learner behind it learns again from a ledger. */
import { GymError } from '@vlgym/core';
import type { WorkOrder } from '../order.js';
import type { Delivery, OrderReport, QueueStatus, RolloutQueue } from '../rollout-queue.js';

/** The learner asks for an episode that the ledger does not have. */
export class ReplayEndedError extends GymError {
  constructor(order: number) {
    super(`The ledger has no order ${order}.`, {
      code: 'REPLAY_ENDED',
      value: order,
      expected: 'as many updates as were learned from it, with the same settings',
      hint: 'lower --updates, or continue the original run',
    });
  }
}

export class ReplayQueue implements RolloutQueue {
  readonly isReplay = true;

  async lead(): Promise<number> {
    return 1;
  }

  /** @throws {ReplayEndedError} */
  async add([order]: readonly WorkOrder[]): Promise<void> {
    if (order) throw new ReplayEndedError(order.order);
  }

  async receive(): Promise<Delivery[]> {
    return [];
  }

  async acknowledge(): Promise<void> {}

  async refuse(): Promise<void> {}

  async mend(): Promise<[]> {
    return [];
  }

  async inspect(): Promise<Map<number, OrderReport>> {
    return new Map();
  }

  async abandon(): Promise<void> {}

  async forget(): Promise<void> {}

  async publish(): Promise<void> {}

  async finish(): Promise<void> {}

  async status(): Promise<QueueStatus> {
    return { waiting: 0, active: 0, failed: 0, pending: 0, duplicates: 0, workers: [] };
  }

  async close(): Promise<void> {}
}
