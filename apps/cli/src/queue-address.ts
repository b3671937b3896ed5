/** Which run on which Redis: options of every command that speaks to the queue. */
import { z } from 'zod';
import { UsageError } from './command-line/usage-error.js';

export const queueOptions = {
  redis: z.string().optional().describe('address of Redis; default: the variable VLGYM_QUEUE'),
  run: z.string().optional().describe('name of the run; default: the variable VLGYM_RUN, or "default"'),
};

export function queueOf({ redis, run }: { redis?: string | undefined; run?: string | undefined }) {
  const url = redis ?? process.env.VLGYM_QUEUE;
  if (!url) throw new UsageError('--redis URL is needed.', { hint: 'e.g. --redis redis://127.0.0.1:6379' });
  return { url, run: run ?? process.env.VLGYM_RUN ?? 'default' };
}
