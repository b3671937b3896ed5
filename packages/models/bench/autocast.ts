/**
 * A gradient and a scoring of conversations with the preset `small`, in float32 and with `autocast: 'bfloat16'`.
 *
 *     npx tsx packages/models/bench/autocast.ts [conversations] [turns]
 *
 * Both take turns, three rounds; processor time on one thread, medians, the ratio, and how far log-probabilities are apart.
 */
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '../src/index.js';
import { conversation, gradient, median, timed } from './household.js';

const ROUNDS = 3;
const KINDS = ['none', 'bfloat16'] as const;
const count = Number(process.argv[2] ?? 8);
const turns = Number(process.argv[3] ?? 20);
setNumThreads(1);
const policies = await Promise.all(KINDS.map((autocast) => createPolicy({ preset: 'small', autocast })));

const seconds = { gradient: [[], []] as number[][], scoring: [[], []] as number[][] };
let apart = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const logProbs: number[][] = [];
  for (const [side, policy] of policies.entries()) {
    const talks = Array.from({ length: count }, (_, row) => conversation(policy, `${round} ${row}`, turns));
    const scored = await timed(() => policy.score(talks.flat()));
    const trained = await timed(() => gradient(policy, [talks.flat()]));
    seconds.scoring[side]!.push(scored.seconds);
    seconds.gradient[side]!.push(trained.seconds);
    logProbs.push(scored.result.logProbs.flatMap((row) => [...row]));
  }
  const [exact, rounded] = logProbs as [number[], number[]];
  apart = Math.max(apart, ...exact.map((value, i) => Math.abs(value - rounded[i]!)));
}
for (const [job, sides] of Object.entries(seconds)) {
  const [exact, rounded] = sides.map(median) as [number, number];
  const ratio = (exact / rounded).toFixed(2);
  console.log(
    `${job}: ${exact.toFixed(2)} s in float32, ${rounded.toFixed(2)} s with autocast, ${ratio} times as fast`,
  );
}
console.log(
  `log-probabilities of ${count} conversations of ${turns} turns differ by at most ${apart.toExponential(1)}`,
);
for (const policy of policies) policy.close();
