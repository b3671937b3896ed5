/**
 * A gradient over conversations with the preset `small`: turns of a conversation are read together, or each with its
 * whole prompt.
 *
 *     npx tsx packages/models/bench/turns.ts [conversations] [turns]
 *
 * The same turns are given in two orders: those of one conversation at once, or the same turn of all conversations, which
 * have equal lengths and nothing in common. Both take turns, three rounds; processor time, medians, the ratio, and how far
 * the sums of the losses are apart.
 */
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '../src/index.js';
import { conversation, gradient, median, timed } from './household.js';

const ROUNDS = 3;
const count = Number(process.argv[2] ?? 8);
const turns = Number(process.argv[3] ?? 20);
setNumThreads(1);
const policy = await createPolicy({ preset: 'small' });

const seconds: number[][] = [[], []];
let apart = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const talks = Array.from({ length: count }, (_, row) => conversation(policy, `${round} ${row}`, turns));
  const together = await timed(() => gradient(policy, talks));
  const apartTurns = Array.from({ length: turns }, (_, turn) => talks.map((talk) => talk[turn]!));
  const alone = await timed(() => gradient(policy, apartTurns));
  for (const [side, { seconds: time }] of [alone, together].entries()) seconds[side]!.push(time);
  apart = Math.max(apart, Math.abs(alone.result - together.result) / Math.abs(alone.result));
}
const [alone, together] = seconds.map(median) as [number, number];
console.log(`each turn with its prompt: ${alone.toFixed(2)} s\nturns together: ${together.toFixed(2)} s`);
console.log(`${count} conversations of ${turns} turns: ${(alone / together).toFixed(1)} times as fast`);
console.log(`losses differ by ${apart.toExponential(1)} of their sum`);
policy.close();
