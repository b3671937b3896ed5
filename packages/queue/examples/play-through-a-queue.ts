import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oracleAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import { AgentPlayer, FolderBlobs, LedgerFile, MemoryQueue, Orchestrator } from '@vlgym/queue';
import '@vlgym/points24';

const folder = await mkdtemp(join(tmpdir(), 'run-'));
const blobs = new FolderBlobs(join(folder, 'blobs'));
const player = new AgentPlayer({ makeEnv: () => make('vlgym/NumberLine-v1'), agent: oracleAgent(), runSeed: 7 });

// replace the queue by `new RedisQueue({ url, run })`, and `vlgym worker` processes play the same episodes
const orchestrator = await Orchestrator.open({
  queue: new MemoryQueue({ player, blobs, concurrency: 4 }),
  ledger: await LedgerFile.open(folder, { run: 'demo', seed: 7 }),
  plan: { run: 'demo', seed: 7 },
});
for (const { order, seed, outcome, steps } of await orchestrator.take(5)) {
  console.log(`order ${order} (seed ${seed}): ${outcome} after ${steps} steps`);
}
console.log(orchestrator.counts);
await orchestrator.close();
