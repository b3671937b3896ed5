/** An evaluation as a stream of events. */
import { evaluate } from '../evaluate/evaluate.js';
import type { EvaluateOptions } from '../evaluate/types.js';
import type { EvaluationEvent, EvaluationEventsOptions } from './events.js';

/**
 * Plays an evaluation and yields what happens; the last event has the result. Events wait for the reader, episodes do not.
 * Leaving the loop stops the evaluation.
 *
 * @throws what `evaluate` throws, after the events so far.
 *
 * @example
 * for await (const event of evaluationEvents({ env, agent, episodes: 10, parts: true })) socket.send(JSON.stringify(event));
 */
export async function* evaluationEvents(options: EvaluationEventsOptions): AsyncGenerator<EvaluationEvent, void> {
  const { parts = false, signal, ...rest } = options;
  const left = new AbortController();
  const waiting: EvaluationEvent[] = [];
  let wake = () => {};
  let isOver = false;
  const say = (event: EvaluationEvent) => {
    waiting.push(event);
    wake();
  };
  const running = evaluate({
    ...(rest as EvaluateOptions),
    signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal,
    onStep: (step) => say({ type: 'step', ...step }),
    onEpisode: (row, progress) => say({ type: 'episode', row, progress }),
    ...(parts && { onPart: (part) => say({ type: 'part', part }) }),
  });
  const ended = running
    .then((evaluation) => say({ type: 'end', evaluation }))
    .finally(() => {
      isOver = true;
      wake();
    });
  ended.catch(() => {}); // awaited below, unless the reader leaves first
  try {
    for (;;) {
      const event = waiting.shift();
      if (event) yield event;
      else if (isOver) return await ended;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    left.abort(new Error('Nobody reads the events any longer.'));
    await ended.catch(() => {});
  }
}
