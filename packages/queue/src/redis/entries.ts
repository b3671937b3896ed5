/** Entries of the stream of a run and of its ledger, as records or refusals. */
import { ledgerRecordSchema } from '../ledger/record.js';
import type { Delivery, Refusal } from '../rollout-queue.js';

/** The data of a job are not JSON, or a key has another kind. */
export const isBroken = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof TypeError || /WRONGTYPE/.test(String(error));

export type Entry = [id: string, fields: string[]];
export type Streams = [key: string, entries: Entry[]][] | null;

export function deliveries(entries: readonly Entry[]): (Delivery | Refusal)[] {
  return entries.filter(([, fields]) => fields).map(([id, fields]) => readEntry(id, fields));
}

/** Anybody who reaches the broker can write to the stream, and so can a worker of another version. */
export function readEntry(id: string, [, text = '']: readonly string[]): Delivery | Refusal {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { id, order: undefined, problem: `it is not JSON: ${JSON.stringify(text.slice(0, SHOWN))}` };
  }
  const { data: record, error } = ledgerRecordSchema.safeParse(json);
  if (record) return { id, record };
  const order = (json as { readonly order?: unknown } | null)?.order;
  const [issue] = error.issues;
  const problem = `it is not a record: ${issue?.path.join('.')}: ${issue?.message}`.slice(0, SHOWN);
  return { id, order: Number.isSafeInteger(order) ? (order as number) : undefined, problem };
}

/** Characters of a problem. */
const SHOWN = 200;
