/**
 * Keys of a run that somebody else wrote to: whoever reaches the broker can. What the run's own processes never write is
 * removed, so that their commands work again; what it held is found missing, and issued again.
 */
import type { Redis } from 'ioredis';
import { QUEUE_NAME, type RunKeys } from './keys.js';

type Kind = 'hash' | 'stream' | 'string' | 'list' | 'set' | 'zset';

/** Keys of BullMQ 6 under the name of the queue. */
const BULLMQ: Readonly<Record<string, Kind>> = {
  meta: 'hash',
  id: 'string',
  pc: 'string',
  wait: 'list',
  active: 'list',
  paused: 'list',
  prioritized: 'zset',
  delayed: 'zset',
  completed: 'zset',
  failed: 'zset',
  marker: 'zset',
  'waiting-children': 'zset',
  stalled: 'set',
  'stalled-check': 'string',
  limiter: 'string',
  events: 'stream',
};

/** Settings of BullMQ's queue that stop or slow all workers; the run sets none of them. */
const BRAKES = ['paused', 'concurrency', 'max', 'duration'];

const kindsOf = (keys: RunKeys): [key: string, kind: Kind][] => [
  [keys.ledger, 'hash'],
  [keys.out, 'stream'],
  [keys.counters, 'hash'],
  [keys.workers, 'hash'],
  [keys.leader, 'string'],
  [keys.epoch, 'string'],
  [keys.owner, 'string'],
  [keys.policy, 'string'],
  [keys.definition, 'string'],
  [keys.blobs, 'string'],
  ...Object.entries(BULLMQ).map(([name, kind]): [string, Kind] => [`${keys.prefix}:${QUEUE_NAME}:${name}`, kind]),
];

const isCount = (text: string | null): boolean => text === null || /^\d{1,15}$/.test(text);

/** @returns what was removed, in words; an empty list if all is as the run writes it. */
export async function mend(redis: Redis, keys: RunKeys): Promise<string[]> {
  const kinds = kindsOf(keys);
  const found = await Promise.all(kinds.map(([key]) => redis.type(key)));
  const wrong = kinds.filter(([, kind], index) => found[index] !== 'none' && found[index] !== kind);
  const removed = wrong.map(([key, kind]) => `${key} was no ${kind}`);
  if (wrong.length > 0) await redis.del(...wrong.map(([key]) => key));
  if (!isCount(await redis.get(keys.epoch))) {
    removed.push(`${keys.epoch} was no number`);
    await redis.del(keys.epoch);
  }
  if (!isCount(await redis.hget(keys.counters, 'duplicates'))) {
    removed.push(`duplicates of ${keys.counters} was no number`);
    await redis.hdel(keys.counters, 'duplicates');
  }
  // ours, and those of BullMQ, have a time limit always
  for (const key of [keys.leader, `${keys.prefix}:${QUEUE_NAME}:stalled-check`]) {
    if ((await redis.pttl(key)) !== -1) continue;
    removed.push(`${key} had no time limit`);
    await redis.del(key);
  }
  for (const name of ['id', 'pc']) {
    const key = `${keys.prefix}:${QUEUE_NAME}:${name}`;
    if (isCount(await redis.get(key))) continue;
    removed.push(`${key} was no number`);
    await redis.del(key);
  }
  const meta = `${keys.prefix}:${QUEUE_NAME}:meta`;
  const brakes = await redis.hdel(meta, ...BRAKES);
  if (brakes > 0) removed.push(`${meta} held workers back`);
  return removed;
}

/** Writes a key that workers read. @returns whether it held something else. */
export async function assure(redis: Redis, key: string, value: string): Promise<boolean> {
  return ((await redis.set(key, value, 'GET')) ?? value) !== value;
}
