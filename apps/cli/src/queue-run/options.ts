/** Options of a training that takes its episodes from a queue. */
import { z } from 'zod';
import { needs } from '../command-line/needs.js';
import { DIGESTED, withDigest } from '../digested-name.js';
import { queueOptions } from '../queue-address.js';

/** Episodes are played, not read again. */
const played = { replayLedger: false } as const;
const onRedis = [{ redis: true }, { VLGYM_QUEUE: true }] as const;
const served = [{ sampler: true }, { VLGYM_SAMPLERS: true }] as const;
const queued = [...onRedis, ...served, { maxStaleness: true }] as const;
const ofServers = needs(served);

/** With a queue, the environments of the run itself play no episode. */
export const WITHOUT_QUEUE = {
  ...{ redis: false, VLGYM_QUEUE: false, sampler: false, VLGYM_SAMPLERS: false, maxStaleness: false, ...played },
} as const;

export const queueRunOptions = {
  redis: queueOptions.redis
    .meta(needs(played))
    .describe('play on `vlgym worker` processes through this Redis; default: the variable VLGYM_QUEUE'),
  run: queueOptions.run
    .meta(needs(queued.map((each) => ({ ...each, ...played }))))
    .describe('name of the run on Redis; default: the variable VLGYM_RUN, or by the folder'),
  sampler: z
    .array(z.url({ protocol: /^https?$/ }))
    .optional()
    .meta(needs(played))
    .describe('servers that sample, such as http://host:8000; default: VLGYM_SAMPLERS, or the model of this process'),
  engine: z.enum(['vllm', 'sglang']).optional().meta(ofServers).describe('what those servers are; default vllm'),
  adapters: z
    .string()
    .optional()
    .meta(ofServers)
    .describe('folder of published adapters, which the servers see under the same path; default in the run'),
  probeTolerance: z
    .number()
    .positive()
    .optional()
    .meta(ofServers)
    .describe('largest k3 per token between a server and the learner; default 0.001, in half precision 0.01'),
  blobs: z
    .string()
    .optional()
    .meta(needs([...queued, { replayLedger: true }]))
    .describe('folder of trajectories, which all workers see; default: VLGYM_BLOBS, or in the run'),
  maxStaleness: z
    .number()
    .int()
    .min(0)
    .max(16)
    .optional()
    .meta(needs(played))
    .describe('rounds of episodes played ahead of the one that is learned from; 0: none. Takes episodes from a queue'),
  listen: z
    .string()
    .optional()
    .meta(needs(onRedis.map((each) => ({ ...each, sampler: false, VLGYM_SAMPLERS: false }))))
    .describe('HOST:PORT at which the learner samples for workers; beyond loopback set VLGYM_SAMPLER_KEY'),
};

/** The choices of one run, from flags and variables. */
export interface QueueChoices {
  readonly redis?: string | undefined;
  readonly run?: string | undefined;
  readonly sampler?: readonly string[] | undefined;
  readonly engine?: 'vllm' | 'sglang' | undefined;
  readonly adapters?: string | undefined;
  readonly probeTolerance?: number | undefined;
  readonly blobs?: string | undefined;
  readonly maxStaleness?: number | undefined;
  readonly listen?: string | undefined;
  readonly replayLedger?: string | undefined;
}

/** With what the variables of a launcher say; nothing if the run plays in its own environments. */
export function queueChoices(
  given: QueueChoices,
  variables: NodeJS.ProcessEnv = process.env,
): QueueChoices | undefined {
  const { VLGYM_QUEUE, VLGYM_RUN, VLGYM_SAMPLERS, VLGYM_BLOBS } = variables;
  const sampler = given.sampler ?? addressesOf(VLGYM_SAMPLERS);
  const redis = given.redis ?? VLGYM_QUEUE;
  const isQueued =
    redis !== undefined || sampler !== undefined || given.maxStaleness !== undefined || given.replayLedger;
  if (!isQueued) return undefined;
  return { ...given, redis, sampler, run: given.run ?? VLGYM_RUN, blobs: given.blobs ?? VLGYM_BLOBS };
}

/** `http://a:8000,http://b:8000,` → two addresses. */
export function addressesOf(list: string | undefined): string[] | undefined {
  const addresses = (list ?? '').split(',').filter(Boolean);
  return addresses.length > 0 ? addresses : undefined;
}

/**
 * Letters, digits, `_` and `-`, at most 64: the name of a run is part of keys. Where that loses anything (a dot, the end of
 * a path), a digest of the whole keeps `clip0.1` and `clip0-1` two runs.
 */
export function runNameFrom(...parts: readonly string[]): string {
  const text = parts.join('-');
  const name = text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replace(/^[_-]+/, '');
  const isWhole = parts.length === 1 && name === text && name.length <= 64 && !DIGESTED.test(name);
  if (isWhole && name !== '') return name;
  return withDigest(name.slice(-53).replace(/^[_-]+/, '') || 'run', parts);
}

/** For a line that people copy; the worker asks for the password by VLGYM_QUEUE. */
export function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  return parsed.href.replace(/\/$/, '');
}
