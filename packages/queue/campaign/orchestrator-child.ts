/** The orchestrator of a campaign, in a separate process that can be killed; exits with 0 when the run is complete. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerFile, Orchestrator, RedisQueue } from '@vlgym/queue';

export interface OrchestratorChildOptions {
  readonly url: string;
  readonly run: string;
  readonly folder: string;
  readonly seed: number;
  readonly episodes: number;
}

const { url, run, folder, seed, episodes } = JSON.parse(process.argv[2]!) as OrchestratorChildOptions;
const BATCH = 200;

const ledger = await LedgerFile.open(folder, { run, seed });
const orchestrator = await opened();
for (let taken = 0; taken < episodes; taken += BATCH) await orchestrator.take(Math.min(BATCH, episodes - taken));
await orchestrator.close();
process.exit(0);

const say = (error: unknown) => process.stderr.write(`${String((error as Error).message ?? error)}\n`);

/** The leader lease of a killed predecessor expires. */
async function opened(): Promise<Orchestrator> {
  for (;;) {
    const queue = new RedisQueue({ url, run, backoffMs: 100, termMs: 2000 });
    try {
      return await Orchestrator.open({
        queue,
        ledger,
        plan: { run, seed },
        maxOpen: 128,
        maxStaleness: 1,
        total: episodes,
        reconcileMs: 2000,
        noProgressMs: 120_000,
      });
    } catch (error) {
      await queue.close();
      // the predecessor's term has not ended, or the broker is away: both are temporary
      if (!['RUN_HAS_LEADER', undefined].includes((error as { code?: string }).code)) say(error);
      await sleep(200);
    }
  }
}
