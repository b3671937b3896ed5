/** `vlgym workers`: who works on what in a run, and what waits for whom. */
import { z } from 'zod';
import { defineCommand } from '../command.js';
import { dim, red } from '../terminal/style.js';
import { queueOf, queueOptions } from './worker.js';

/** Workers report every 5 seconds. */
const SILENT_SECONDS = 20;

export const workers = defineCommand({
  name: 'workers',
  summary: 'who works on what in a run on Redis',
  description: 'Shows the orders and the workers of a run: what waits, what is played by whom, who has fallen silent.',
  options: z.object({ ...queueOptions, json: z.boolean().default(false).describe('print JSON') }),
  examples: [{ command: 'vlgym workers --redis redis://127.0.0.1:6379 --run demo', does: 'while a run is going on' }],
  async run(given, { stdout }) {
    const { url, run } = queueOf(given);
    const { RedisQueue } = await import('@vlgym/queue');
    const queue = new RedisQueue({ url, run });
    try {
      const found = await queue.status();
      if (given.json) {
        stdout.write(`${JSON.stringify(found, null, 2)}\n`);
        return 0;
      }
      const { waiting, active, failed, pending, duplicates, workers: reports } = found;
      stdout.write(
        `orders   ${waiting} waiting for workers, ${active} in play, ${failed} failed\nepisodes ${pending} waiting for the orchestrator, ${duplicates} refused because they had been counted\n`,
      );
      if (reports.length === 0) stdout.write(`workers  ${red('none')}: orders wait until one is started\n`);
      for (const { name, concurrency, running, episodes, silentSeconds, eventLoopLagMs, state } of reports) {
        const silent = silentSeconds > SILENT_SECONDS;
        const what = silent ? red(`silent for ${Math.round(silentSeconds)} s`) : state;
        const lag = dim(`event loop ${Math.round(eventLoopLagMs)} ms late at most`);
        stdout.write(
          `worker   ${name}: ${what}, ${running.length} of ${concurrency} in play, ${episodes} played, ${lag}\n`,
        );
      }
      return 0;
    } finally {
      await queue.close();
    }
  },
});
