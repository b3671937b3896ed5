/** One line of the ledger: an episode that counts, by the number of its order. */
import type { ContentHash } from '@vlgym/core/trajectory';
import { z } from 'zod';
import { digestSchema } from '../blobs/blob-store.js';

const count = z.number().int().nonnegative();

/** `abandoned`: the order killed or failed every worker that tried it. `model-error`: no sampler answered. */
export const OUTCOMES = ['ok', 'truncated', 'environment-error', 'model-error', 'abandoned'] as const;

export const ledgerRecordSchema = z.strictObject({
  order: count,
  group: count,
  index: count,
  seed: count,
  outcome: z.enum(OUTCOMES),
  /** The trajectory in the blob store; null if nobody played the order to an end. */
  digest: digestSchema.nullable(),
  /** The reason why the trajectory is missing. */
  reason: z.string().max(1000).optional(),
  steps: count,
  tokens: count,
  /** Weights by step: name, first and last step. */
  policyVersions: z.array(z.tuple([z.string(), count, count])).max(10_000),
  /** Which delivery of the order this was, from 1. */
  attempt: count,
  worker: z.string().max(200),
  /** Milliseconds since 1970; for reports, never compared. */
  startedAt: count,
  endedAt: count,
});
export type LedgerRecord = z.infer<typeof ledgerRecordSchema>;

/** Was the order played to an end? */
export const isPlayed = (record: LedgerRecord): record is LedgerRecord & { digest: ContentHash } =>
  record.digest !== null;
