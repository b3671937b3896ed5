/** Conversations of the length of a household of ALFWorld, and the time of a gradient over them. */
import type { ChatMessage } from '@vlgym/core';
import type { PolicyOutputs, Sequence } from '@vlgym/rl';
import type { VlmPolicy } from '../src/index.js';

const NEWS = 'You open the cabinet 7. The cabinet 7 is open. In it, you see a cup 2, a plate 1, and a saltshaker 1.';

/** Each turn adds about 30 tokens to an opening of 200 and answers with 8. */
export function conversation(policy: VlmPolicy, name: string, turns: number): Sequence[] {
  const opening = `Room ${name}. ${'You see a cabinet 12, a drawer 3, and a shelf 1. '.repeat(14)}`;
  const messages: ChatMessage[] = [{ role: 'user', content: opening }];
  return Array.from({ length: turns }, (_, turn) => {
    const answer = `{"action":"open cabinet ${turn}"}`;
    const sequence = { input: policy.encode(messages), responseIds: policy.encodeResponse(answer).ids };
    messages.push({ role: 'assistant', content: answer }, { role: 'user', content: NEWS });
    return sequence;
  });
}

/** Processor seconds of this process. */
export async function timed<T>(compute: () => Promise<T>): Promise<{ readonly seconds: number; readonly result: T }> {
  const before = process.cpuUsage();
  const result = await compute();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, result };
}

/** The sum of the losses; no weight moves. */
export async function gradient(policy: VlmPolicy, batches: readonly (readonly Sequence[])[]): Promise<number> {
  let total = 0;
  for (const batch of batches) total += await policy.accumulate(batch, ({ logProbs }: PolicyOutputs) => logProbs.sum());
  await policy.step({ learningRate: 0, maxGradNorm: 1 });
  return total;
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
