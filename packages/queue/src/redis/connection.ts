/** Connections to Redis: every call of ours has a time limit, because a client waits for a dead server without one. */
import { GymError, redactSecrets } from '@vlgym/core';
import { Redis } from 'ioredis';

export const CALL_LIMIT_MS = 10_000;

/** A call to Redis took too long. */
export class RedisTimeoutError extends GymError {
  constructor(what: string, limitMs: number) {
    super(`Redis did not ${what} within ${limitMs / 1000} s.`, {
      code: 'REDIS_TIMEOUT',
      value: what,
      hint: 'check that Redis runs and that the network reaches it',
    });
  }
}

/** @throws {GymError} `INVALID_OPTION`: the URL is not one of Redis. */
export function checkRedisUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  if (protocol === 'redis:' || protocol === 'rediss:') return url;
  throw new GymError(`Invalid redis: ${JSON.stringify(redactSecrets(url))}.`, {
    code: 'INVALID_OPTION',
    expected: 'a URL such as redis://127.0.0.1:6379',
  });
}

/** A connection for our own commands. */
export function connect(url: string): Redis {
  const redis = new Redis(checkRedisUrl(url), {
    commandTimeout: CALL_LIMIT_MS,
    maxRetriesPerRequest: 2,
    retryStrategy: (times) => Math.min(times * 100, 1000),
  });
  // each failing call tells its error; without a listener the process would end
  redis.on('error', () => {});
  return redis;
}

/** A connection that BullMQ or a blocking read may wait on. */
export function connectWaiting(url: string): Redis {
  const redis = new Redis(checkRedisUrl(url), {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 100, 1000),
  });
  redis.on('error', () => {});
  return redis;
}

export async function limited<T>(what: string, call: Promise<T>, limitMs = CALL_LIMIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RedisTimeoutError(what, limitMs)), limitMs);
  });
  // an answer that comes too late must not end the process
  call.catch(() => {});
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
