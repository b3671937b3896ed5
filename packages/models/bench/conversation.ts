/**
 * Conversations with the preset `small`: every turn reads the whole prompt, or only what is new (`promptCacheBytes`).
 *
 *     npx tsx packages/models/bench/conversation.ts [rows] [turns]
 *
 * Each turn adds about 30 tokens to an opening of 200 and answers with 8. Both policies have the same weights and take
 * turns, three rounds; processor time, medians, and the ratio.
 */
import type { ChatMessage } from '@vlgym/core';
import { Generator } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '../src/index.js';

const ROUNDS = 3;
const rows = Number(process.argv[2] ?? 8);
const turns = Number(process.argv[3] ?? 20);
setNumThreads(1);

const NEWS = 'You open the cabinet 7. The cabinet 7 is open. In it, you see a cup 2, a plate 1, and a saltshaker 1.';
const names = ['whole prompts', 'what is new'] as const;
const policies = await Promise.all(
  [0, 2 ** 30].map((promptCacheBytes) => createPolicy({ preset: 'small', promptCacheBytes })),
);

async function converse(policy: (typeof policies)[number], round: number): Promise<number> {
  const opening = (row: number) =>
    `Room ${round} ${row}. ${'You see a cabinet 12, a drawer 3, and a shelf 1. '.repeat(14)}`;
  const talks = Array.from({ length: rows }, (_, row): ChatMessage[] => [{ role: 'user', content: opening(row) }]);
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn += 1) {
    const inputs = talks.map((messages) => policy.encode(messages));
    await policy.sample(inputs, { rng: talks.map((_, row) => new Generator(row)), maxNewTokens: 8 });
    // the same answer on both sides, regardless of the draw
    for (const talk of talks) {
      talk.push({ role: 'assistant', content: `{"action":"open cabinet ${turn}"}` }, { role: 'user', content: NEWS });
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const seconds: number[][] = [[], []];
for (let round = 0; round < ROUNDS; round += 1)
  for (const [side, policy] of policies.entries()) seconds[side]!.push(await converse(policy, round));
const medians = seconds.map((times) => times.toSorted((a, b) => a - b)[ROUNDS >> 1]!);
for (const [side, name] of names.entries()) console.log(`${name}: ${medians[side]!.toFixed(2)} s`);
console.log(`${rows} conversations of ${turns} turns: ${(medians[0]! / medians[1]!).toFixed(1)} times as fast`);
for (const policy of policies) policy.close();
