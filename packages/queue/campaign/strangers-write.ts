/** Commands of somebody who reaches the broker of a run: any bytes in any key that the learner or a worker reads. */
import type { Generator } from '@vlgym/core';
import type { planOf } from '@vlgym/queue';
import type { Redis } from 'ioredis';
import { QUEUE_NAME, type RunKeys } from '../src/redis/keys.js';

export interface Target {
  readonly keys: RunKeys;
  readonly run: string;
  readonly orders: number;
  readonly plan: ReturnType<typeof planOf>;
}

export interface Write {
  readonly name: string;
  readonly write: (redis: Redis) => Promise<unknown>;
}

const DIGEST = `sha256:${'0'.repeat(64)}`;

/** A record that the run could have written, with a few places replaced. */
function almostRecord(rng: Generator, { orders, plan }: Target, digest: unknown): string {
  const order = rng.integers(orders);
  const { seed, group, index } = plan(order);
  const record: Record<string, unknown> = {
    ...{ order, group, index, seed, outcome: 'ok', digest, steps: 1, tokens: 1, policyVersions: [['0', 0, 0]] },
    ...{ attempt: 1, worker: 'stranger', startedAt: 1, endedAt: 2 },
  };
  for (let edits = rng.integers(0, 3); edits > 0; edits -= 1) record[rng.choice(Object.keys(record))] = value(rng);
  return JSON.stringify(record);
}

const value = (rng: Generator): unknown =>
  rng.choice<unknown>([null, -1, 1.5, 2 ** 53 - 1, 1e300, '', 'x'.repeat(5000), [], {}, true, '__proto__', DIGEST]);

function text(rng: Generator, target: Target): string {
  const bytes = () => String.fromCharCode(...Array.from({ length: rng.integers(0, 60) }, () => rng.integers(0, 256)));
  const kinds: (() => string)[] = [
    bytes,
    () => '',
    () => '1',
    () => 'null',
    () => '{"__proto__":{"order":1},"order":1}',
    () => '['.repeat(100_000),
    () => 'x'.repeat(2_000_000),
    () => JSON.stringify({ order: value(rng) }),
    () => almostRecord(rng, target, DIGEST),
    () => almostRecord(rng, target, null).replace('"outcome":"ok"', '"outcome":"no such"'),
  ];
  return rng.choice(kinds)();
}

/** One command, drawn. */
export function strangersWrite(rng: Generator, target: Target): Write {
  const { keys, run, orders } = target;
  const of = (name: string) => `${keys.prefix}:${QUEUE_NAME}:${name}`;
  const order = rng.integers(orders);
  const job = of(`${run}-${order}`);
  const strings = [keys.epoch, keys.policy, keys.definition, keys.blobs, of('id'), of('pc'), of('stalled-check')];
  const queueKeys = ['meta', 'wait', 'active', 'prioritized', 'delayed', 'completed', 'failed', 'marker', 'stalled'];
  const ours = [keys.ledger, keys.out, keys.counters, keys.workers, keys.policy, keys.definition, keys.blobs];
  const all = [...ours, keys.epoch, keys.owner, ...queueKeys.map(of), of('events')];
  const junk = text(rng, target);
  const member = rng.choice(['no such job', '', `${run}-${orders + 5}`, `${run}-x`, '0:5', junk.slice(0, 1000)]);
  const kinds: Write[] = [
    { name: 'an entry', write: (redis) => redis.xadd(keys.out, '*', 'record', junk) },
    { name: 'fields', write: (redis) => redis.xadd(keys.out, '*', junk, 'and', 'more', junk) },
    {
      name: 'the record of another trajectory',
      write: async (redis) => {
        const sign = await redis.get(keys.blobs);
        const forged = almostRecord(rng, target, sign);
        return redis.xadd(keys.out, '*', 'record', forged);
      },
    },
    { name: 'a line of the ledger', write: (redis) => redis.hset(keys.ledger, String(order), junk) },
    { name: 'a mark of the ledger', write: (redis) => redis.hset(keys.ledger, String(order), '1') },
    { name: 'a count', write: (redis) => redis.hset(keys.counters, 'duplicates', junk) },
    { name: 'a report', write: (redis) => redis.hset(keys.workers, member, junk) },
    { name: 'a job', write: (redis) => redis.hset(job, rng.choice(['data', 'opts', 'atm', 'ats', 'stc']), junk) },
    { name: 'no job', write: (redis) => redis.del(job) },
    { name: 'a list', write: (redis) => redis.lpush(rng.choice([of('wait'), of('active')]), member) },
    {
      name: 'a set',
      write: (redis) => redis.zadd(of(rng.choice(['prioritized', 'delayed', 'failed', 'completed'])), 5, member),
    },
    { name: 'a brake', write: (redis) => redis.hset(of('meta'), rng.choice(['paused', 'concurrency', 'max']), '0') },
    {
      name: 'another reader',
      write: (redis) => redis.xreadgroup('GROUP', 'orchestrator', 'x', 'STREAMS', keys.out, '>'),
    },
    { name: 'no group', write: (redis) => redis.xgroup('DESTROY', keys.out, 'orchestrator') },
    { name: 'a group behind', write: (redis) => redis.xgroup('SETID', keys.out, 'orchestrator', '$') },
    { name: 'another leader', write: (redis) => redis.set(keys.leader, 'a stranger', 'PX', 800) },
  ];
  for (const key of rng.choice([strings, strings, [keys.owner]])) {
    if (rng.random() < 0.3) kinds.push({ name: `text in ${key}`, write: (redis) => redis.set(key, junk) });
  }
  const key = rng.choice(all);
  kinds.push({ name: `no ${key}`, write: (redis) => redis.del(key) });
  kinds.push({ name: `another kind in ${key}`, write: (redis) => otherKind(redis, key) });
  return rng.choice(kinds);
}

async function otherKind(redis: Redis, key: string): Promise<void> {
  const now = await redis.type(key);
  await redis.del(key);
  if (now === 'string') await redis.rpush(key, 'x');
  else await redis.set(key, 'x');
}
