/** The part of a ledger that an orchestrator needs; in memory for runs that store nothing. */
import type { LedgerRecord } from './record.js';

export interface Ledger {
  readonly size: number;
  get(order: number): LedgerRecord | undefined;
  records(): LedgerRecord[];
  /** @returns false if the order was already counted. */
  append(record: LedgerRecord): Promise<boolean>;
  /** Orders that count no more, until they are appended again. */
  reopen(orders: readonly number[]): void;
  close(): Promise<void>;
}

export class MemoryLedger implements Ledger {
  readonly #records = new Map<number, LedgerRecord>();

  get size(): number {
    return this.#records.size;
  }

  get(order: number): LedgerRecord | undefined {
    return this.#records.get(order);
  }

  records(): LedgerRecord[] {
    return [...this.#records.values()].sort((a, b) => a.order - b.order);
  }

  async append(record: LedgerRecord): Promise<boolean> {
    if (this.#records.has(record.order)) return false;
    this.#records.set(record.order, record);
    return true;
  }

  reopen(orders: readonly number[]): void {
    for (const order of orders) this.#records.delete(order);
  }

  async close(): Promise<void> {
    // nothing is open
  }
}
