/**
 * How far the target alone leads in Signs: the share of test episodes whose right sign is the most frequent one of their
 * target. What a policy reaches that never looks at the cards.
 *
 *     npx tsx packages/envs/points24/bench/sign-from-target.ts [episodes]
 */
import { SignsEnv } from '../src/index.js';

const episodes = Number(process.argv[2] ?? 600);
const env = new SignsEnv({ split: 'test' });
/** How often each sign is right, by target. */
const counts = new Map<number, number[]>();
for (let seed = 0; seed < episodes; seed++) {
  env.reset({ seed });
  const start = env.snapshot();
  const { target } = (start.state as { readonly row: { readonly target: number } }).row;
  const right = counts.get(target) ?? [0, 0, 0];
  counts.set(target, right);
  for (const sign of right.keys()) {
    env.restore(start);
    if (env.step(sign).reward > 0) right[sign]! += 1;
  }
}
const solved = [...counts.values()].reduce((sum, right) => sum + Math.max(...right), 0);
console.log(
  `${counts.size} targets; the most frequent sign of each solves ${((100 * solved) / episodes).toFixed(1)} %`,
);
