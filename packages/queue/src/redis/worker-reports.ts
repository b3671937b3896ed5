/** Signs of life of workers, kept in one hash: who plays what, since when nobody heard of it, how late its event loop is. */
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { WorkerReport } from '../rollout-queue.js';
import type { RunKeys } from './keys.js';

const count = z.number().nonnegative();
const reportSchema = z.object({
  name: z.string(),
  concurrency: count,
  running: z.array(count),
  episodes: count,
  eventLoopLagMs: count,
  state: z.enum(['working', 'draining', 'no-space', 'wrong-blobs']),
  /** Milliseconds of Redis's clock: those of the machines differ. */
  at: count,
});
type Report = z.output<typeof reportSchema>;

const clockOf = async (redis: Redis): Promise<number> => {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
};

export async function writeReport(redis: Redis, keys: RunKeys, report: Omit<Report, 'at'>): Promise<void> {
  await redis.hset(keys.workers, report.name, JSON.stringify({ ...report, at: await clockOf(redis) }));
}

export async function removeReport(redis: Redis, keys: RunKeys, name: string): Promise<void> {
  await redis.hdel(keys.workers, name);
}

export async function readWorkers(redis: Redis, keys: RunKeys): Promise<WorkerReport[]> {
  const now = await clockOf(redis);
  const reports = Object.values(await redis.hgetall(keys.workers)).flatMap((text): WorkerReport[] => {
    const parsed = reportSchema.safeParse(safeJson(text));
    if (!parsed.success) return [];
    const { at, ...report } = parsed.data;
    return [{ ...report, silentSeconds: Math.max(0, (now - at) / 1000) }];
  });
  return reports.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
