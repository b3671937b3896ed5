/**
 * The durable ledger of a run: `ledger.jsonl` in the learner's folder, one line per order, each order once.
 *
 * The queue holds only episodes in flight; counted ones are here. A line is synced before the queue removes the episode,
 * so a crash between the two leads to a second delivery, which is refused by its number.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import {
  canonicalJson,
  type FolderLock,
  JsonLineAppender,
  lockFolder,
  readJsonLines,
  readRegularFileIfAny,
  writeFileAtomic,
} from '@vlgym/core/internal';
import type { Ledger } from './ledger.js';
import { type LedgerRecord, ledgerRecordSchema } from './record.js';

const MAX_IDENTITY_BYTES = 1 << 20;

/** The ledger has a line that nobody here wrote. */
export class LedgerDamagedError extends GymError {
  constructor(path: string, line: number, problem: string) {
    super(`Line ${line} of ${path} is damaged: ${problem}.`, {
      code: 'LEDGER_DAMAGED',
      value: line,
      expected: 'one record per order, each order once',
      hint: 'copy the file back from where it was whole; a torn last line is repaired without help',
    });
  }
}

/** Everything that the meaning of an order depends on. */
export type LedgerIdentity = Readonly<Record<string, string | number>>;

/** The folder holds another run. */
export class LedgerMismatchError extends GymError {
  constructor(folder: string, found: unknown, expected: unknown) {
    super(`The ledger in ${folder} belongs to another run.`, {
      code: 'LEDGER_MISMATCH',
      value: found,
      expected: JSON.stringify(expected),
      hint: 'continue with the settings of that run, or choose another folder',
    });
  }
}

export class LedgerFile implements Ledger {
  readonly #records: Map<number, LedgerRecord>;
  /** Orders whose lines wait to be replaced. */
  readonly #reopened = new Set<number>();
  #appender: JsonLineAppender;
  readonly #lock: FolderLock;

  private constructor(
    readonly path: string,
    /** Made with the folder; tells a queue whose orders it holds. */
    readonly id: string,
    records: Map<number, LedgerRecord>,
    appender: JsonLineAppender,
    lock: FolderLock,
  ) {
    this.#records = records;
    this.#appender = appender;
    this.#lock = lock;
  }

  /**
   * Opens or creates the ledger of a folder; one process at a time.
   *
   * @param identity  Everything that the meaning of an order depends on: name and seed of the run, environment, group size.
   * @throws {LedgerMismatchError} The folder holds another run.
   * @throws {LedgerDamagedError} A line is not a record, or an order occurs twice.
   */
  static async open(folder: string, identity: LedgerIdentity = {}): Promise<LedgerFile> {
    const lock = await lockFolder(folder, 'ledger');
    const path = join(folder, 'ledger.jsonl');
    let appender: JsonLineAppender | undefined;
    try {
      await checkIdentity(folder, identity);
      appender = await JsonLineAppender.open(path);
      const records = await readLedger(path);
      return new LedgerFile(path, await idOf(folder), records, appender, lock);
    } catch (error) {
      await appender?.close();
      await lock.release();
      throw error;
    }
  }

  get size(): number {
    return this.#records.size - this.#reopened.size;
  }

  get(order: number): LedgerRecord | undefined {
    return this.#reopened.has(order) ? undefined : this.#records.get(order);
  }

  /** Records in the order of their numbers. */
  records(): LedgerRecord[] {
    return [...this.#records.values()]
      .filter(({ order }) => !this.#reopened.has(order))
      .sort((a, b) => a.order - b.order);
  }

  /** Durable when it resolves. @returns false where the order already counts; nothing is written then. */
  async append(record: LedgerRecord): Promise<boolean> {
    if (this.#reopened.has(record.order)) return this.#replace(record);
    if (this.#records.has(record.order)) return false;
    this.#records.set(record.order, record);
    try {
      await this.#appender.append(record, { durable: true });
    } catch (error) {
      this.#records.delete(record.order);
      throw error;
    }
    return true;
  }

  /** In memory: the file keeps the old lines, so that an order is never without one, until each is replaced. */
  reopen(orders: readonly number[]): void {
    for (const order of orders) if (this.#records.has(order)) this.#reopened.add(order);
  }

  /** A process that dies leaves the whole old file or the whole new one. */
  async #replace(record: LedgerRecord): Promise<true> {
    const all = new Map(this.#records).set(record.order, record);
    const lines = [...all.values()].map((line) => `${JSON.stringify(line)}\n`);
    await this.#appender.close();
    try {
      await writeFileAtomic(this.path, lines.join(''));
      this.#records.set(record.order, record);
      this.#reopened.delete(record.order);
    } finally {
      this.#appender = await JsonLineAppender.open(this.path);
    }
    return true;
  }

  async close(): Promise<void> {
    await this.#appender.close();
    await this.#lock.release();
  }
}

async function checkIdentity(folder: string, identity: LedgerIdentity): Promise<void> {
  const path = join(folder, 'run.json');
  const found = await readRegularFileIfAny(path, MAX_IDENTITY_BYTES);
  const own = canonicalJson({ ...identity });
  if (found === undefined) await writeFileAtomic(path, own);
  else if (found !== own) throw new LedgerMismatchError(folder, found, identity);
}

async function idOf(folder: string): Promise<string> {
  const path = join(folder, 'id');
  const found = await readRegularFileIfAny(path, MAX_IDENTITY_BYTES);
  if (found !== undefined) return found;
  const id = randomUUID();
  await writeFileAtomic(path, id);
  return id;
}

/** Every record of a ledger file, by order. */
export async function readLedger(path: string): Promise<Map<number, LedgerRecord>> {
  const records = new Map<number, LedgerRecord>();
  for await (const line of readJsonLines(path)) {
    if ('problem' in line) throw new LedgerDamagedError(path, line.line, line.problem);
    const parsed = ledgerRecordSchema.safeParse(line.value);
    if (!parsed.success) throw new LedgerDamagedError(path, line.line, 'it is not a record');
    if (records.has(parsed.data.order)) throw new LedgerDamagedError(path, line.line, 'its order occurs twice');
    records.set(parsed.data.order, parsed.data);
  }
  return records;
}
