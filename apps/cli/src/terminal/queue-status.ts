/** The current work of each worker in a run on Redis, and the roles that are waiting. */
import { loadQueue } from '../load-queue.js';
import { dim, red } from './style.js';

/** Workers report every 5 seconds. */
const SILENT_SECONDS = 20;

interface QueueAddress {
  readonly url: string;
  readonly run: string;
}

/** @param json  As data instead of lines. */
export async function queueStatus(address: QueueAddress, json: boolean): Promise<string> {
  // the client of Redis takes a while to load
  const { RedisQueue } = await loadQueue();
  const queue = new RedisQueue(address);
  try {
    const found = await queue.status();
    if (json) return JSON.stringify(found, null, 2);
    const { waiting, active, failed, pending, duplicates, workers } = found;
    const lines = [
      `orders   ${waiting} waiting for workers, ${active} in play, ${failed} failed`,
      `episodes ${pending} waiting for the orchestrator, ${duplicates} refused because they had been counted`,
    ];
    if (workers.length === 0) lines.push(`workers  ${red('none')}: orders wait until one is started`);
    for (const { name, concurrency, running, episodes, silentSeconds, eventLoopLagMs, state } of workers) {
      const what = silentSeconds > SILENT_SECONDS ? red(`silent for ${Math.round(silentSeconds)} s`) : state;
      const lag = dim(`event loop ${Math.round(eventLoopLagMs)} ms late at most`);
      lines.push(`worker   ${name}: ${what}, ${running.length} of ${concurrency} in play, ${episodes} played, ${lag}`);
    }
    return lines.join('\n');
  } finally {
    await queue.close();
  }
}
