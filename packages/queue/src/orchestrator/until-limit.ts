import { type OrchestratorEvent, QueueUnavailableError } from './events.js';
import { isFinal, isSilence } from './failures.js';

interface Limits {
  /** How long the queue may answer with errors, in milliseconds. */
  readonly limitMs: number;
  /** How long it may be silent. */
  readonly silenceMs: number;
  readonly onEvent: (event: OrchestratorEvent) => void;
  readonly mend: () => Promise<void>;
}

const RETRY_MS = 250;

/**
 * Tries until the limit; a broker that restarts is waited for.
 *
 * @param what  What the queue is asked to do, in words.
 * @throws {QueueUnavailableError} The limit has passed. @throws errors that another try does not mend.
 */
export async function untilLimit<T>(
  what: string,
  call: () => Promise<T>,
  { limitMs, silenceMs, onEvent, mend }: Limits,
): Promise<T> {
  const start = performance.now();
  for (let isReported = false; ; ) {
    try {
      return await call();
    } catch (error) {
      if (isFinal(error)) throw error;
      const limit = isSilence(error) ? silenceMs : limitMs;
      if (performance.now() - start > limit) throw new QueueUnavailableError(what, limit, error);
      if (!isReported) {
        onEvent({ type: 'QUEUE_SILENT', what, problem: String((error as Error).message ?? error) });
        isReported = true;
      }
      // an error as the answer may mean that another program has overwritten a key
      if (!isSilence(error)) await mend().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
