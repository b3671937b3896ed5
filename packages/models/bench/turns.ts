/**
 * A gradient over conversations with the preset `small`: turns of a conversation are read together, or each with its
 * whole prompt.
 *
 *     npx tsx packages/models/bench/turns.ts [conversations] [turns]
 *
 * Each turn adds about 30 tokens to an opening of 200 and answers with 8. The same turns are given in two orders: those of
 * one conversation at once, or the same turn of all conversations, which have equal lengths and nothing in common. Both
 * take turns, three rounds; processor time, medians, the ratio, and how far the sums of the losses are apart.
 */
import type { ChatMessage } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import type { PolicyOutputs, Sequence } from '@vlgym/rl';
import { createPolicy } from '../src/index.js';

const ROUNDS = 3;
const count = Number(process.argv[2] ?? 8);
const turns = Number(process.argv[3] ?? 20);
setNumThreads(1);

const NEWS = 'You open the cabinet 7. The cabinet 7 is open. In it, you see a cup 2, a plate 1, and a saltshaker 1.';
const policy = await createPolicy({ preset: 'small' });

function conversation(name: string): Sequence[] {
  const opening = `Room ${name}. ${'You see a cabinet 12, a drawer 3, and a shelf 1. '.repeat(14)}`;
  const messages: ChatMessage[] = [{ role: 'user', content: opening }];
  return Array.from({ length: turns }, (_, turn) => {
    const answer = `{"action":"open cabinet ${turn}"}`;
    const sequence = { input: policy.encode(messages), responseIds: policy.encodeResponse(answer).ids };
    messages.push({ role: 'assistant', content: answer }, { role: 'user', content: NEWS });
    return sequence;
  });
}

const loss = ({ logProbs }: PolicyOutputs) => logProbs.sum();

async function train(batches: readonly (readonly Sequence[])[]): Promise<{ seconds: number; total: number }> {
  const before = process.cpuUsage();
  let total = 0;
  for (const batch of batches) total += await policy.accumulate(batch, loss);
  await policy.step({ learningRate: 0, maxGradNorm: 1 });
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, total };
}

const seconds: number[][] = [[], []];
let apart = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const talks = Array.from({ length: count }, (_, row) => conversation(`${round} ${row}`));
  const together = await train(talks);
  const apartTurns = Array.from({ length: turns }, (_, turn) => talks.map((talk) => talk[turn]!));
  const alone = await train(apartTurns);
  for (const [side, { seconds: time }] of [alone, together].entries()) seconds[side]!.push(time);
  apart = Math.max(apart, Math.abs(alone.total - together.total) / Math.abs(alone.total));
}
const [alone, together] = seconds.map((times) => times.toSorted((a, b) => a - b)[ROUNDS >> 1]!) as [number, number];
console.log(`each turn with its prompt: ${alone.toFixed(2)} s\nturns together: ${together.toFixed(2)} s`);
console.log(`${count} conversations of ${turns} turns: ${(alone / together).toFixed(1)} times as fast`);
console.log(`losses differ by ${apart.toExponential(1)} of their sum`);
policy.close();
