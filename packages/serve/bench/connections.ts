/**
 * Measures the remains of 1,000 connections in a server: descriptors, threads, and memory after a collection, every 100
 * sessions.
 *
 *     npx tsx packages/serve/bench/connections.ts [SESSIONS]
 *
 * The server is a separate process. A session is a connection, a reset and a step; every second one is cut without a
 * word. Reserved memory (rss) grows with the allocator; what the program holds (heap and external) must not. Needs Linux.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import '@vlgym/points24';
import { serve } from '../src/serve.js';
import { RawClient } from '../test-support/raw-client.js';

const BATCH = 100;
const AT_ONCE = 10;

async function server(): Promise<void> {
  const serving = await serve({ envs: ['vlgym/NumberLine-v1'], face: 'native', images: 'raw' });
  process.on('message', async () => {
    while (serving.server.table.active > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    for (let round = 0; round < 3; round += 1) {
      gc!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { heapUsed, external, rss } = process.memoryUsage();
    const count = (folder: string) => readdirSync(`/proc/self/${folder}`).length;
    process.send!({
      kB: Math.round((heapUsed + external) / 1000),
      rss,
      descriptors: count('fd'),
      threads: count('task'),
    });
  });
  process.on('disconnect', () => process.exit(0));
  process.send!(serving.urls[0]);
}

async function session(url: string, index: number): Promise<void> {
  const client = await RawClient.open(`${url.replace('http', 'ws')}/ws`);
  await client.ask({ type: 'reset', data: { seed: index } });
  await client.ask({ type: 'step', data: { action: 1 } });
  if (index % 2 === 0) await client.close();
  else client.vanish();
}

async function main(sessions: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['server'], { execArgv: [...process.execArgv, '--expose-gc'] });
  const [url] = (await once(child, 'message')) as [string];
  for (let done = 0; done < sessions; ) {
    for (const end = done + BATCH; done < end; done += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => session(url, done + index)));
    }
    child.send('measure');
    const [{ kB, rss, ...counts }] = (await once(child, 'message')) as [Record<string, number>];
    console.log(JSON.stringify({ sessions: done, kB, ...counts, rssMB: Math.round(rss! / 1e6) }));
  }
  child.disconnect();
}

if (process.argv[2] === 'server') await server();
else await main(Number(process.argv[2] ?? 1000));
