/**
 * News of a run as server-sent events: whole records of `metrics.jsonl`, and the state when it changes. The id of an
 * event is the byte offset behind its last record, so a connection that was lost continues there. The files are looked at;
 * the trainer knows nothing of it.
 */
import { ReadableStream } from 'node:stream/web';
import type { Run } from '../folders/run.js';
import type { LiveMessage } from '../protocol.js';

/** Milliseconds between two looks at the files. */
const EVERY = 400;
/** Looks without news after which a comment keeps the connection alive. */
const QUIET = 30;

export function liveStream(run: Run, from: number, signal: AbortSignal): ReadableStream {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let at = from;
  let said = '';
  let quiet = 0;
  return new ReadableStream({
    start(controller) {
      const stop = () => clearTimeout(timer);
      signal.addEventListener('abort', stop, { once: true });
      const look = async () => {
        const message = await news();
        if (signal.aborted) return;
        quiet = message ? 0 : quiet + 1;
        if (message) controller.enqueue(encoder.encode(`id: ${message.to}\ndata: ${JSON.stringify(message)}\n\n`));
        else if (quiet % QUIET === 0) controller.enqueue(encoder.encode(':\n\n'));
        timer = setTimeout(again, EVERY);
      };
      const again = () => {
        // a folder that is being deleted: the page keeps what it has
        look().catch((error) => controller.error(error));
      };
      again();
    },
    cancel() {
      clearTimeout(timer);
    },
  });

  async function news(): Promise<LiveMessage | undefined> {
    const [{ records, to }, summary, recorded] = await Promise.all([
      run.metrics(at),
      run.summary(),
      run.training.updates(),
    ]);
    at = to;
    const { changedAt: _, ...state } = summary;
    const now = JSON.stringify([state, recorded.length]);
    if (records.length === 0 && now === said) return undefined;
    said = now;
    return { records, to, summary, recorded };
  }
}
