/**
 * Searches for reward without success: plays on from the states that have paid most so far, by snapshots, and never from one
 * that has won. A format bonus, a reward for standing still, or a cycle of legal moves that pays shows up as a return that an
 * expert does not reach.
 */
import { type AnyEnv, type EnvSnapshot, Generator } from '@vlgym/core';
import { succeeds } from '../episode/state.js';

export interface FoundReward {
  readonly seed: number;
  /** Undiscounted sum of rewards of an episode without success. */
  readonly return: number;
  readonly steps: number;
}

interface Node {
  readonly snapshot: EnvSnapshot;
  readonly return: number;
  readonly steps: number;
}

export interface SearchOptions {
  readonly seeds: readonly number[];
  /** Steps of the environment, over all seeds. */
  readonly budget: number;
  /** Length at which an episode is cut. */
  readonly maxSteps: number;
}

/** States that are kept of a seed. */
const KEPT = 16;
/** Steps of one continuation. */
const STRIDE = 8;

/** @returns the best of each seed where an episode without success was seen; none for an environment without snapshots. */
export async function searchReward(env: AnyEnv, { seeds, budget, maxSteps }: SearchOptions): Promise<FoundReward[]> {
  if (!env.snapshot || !env.restore) return [];
  const found: FoundReward[] = [];
  for (const seed of seeds) {
    const best = await searchSeed(env, seed, Math.floor(budget / seeds.length), maxSteps);
    if (best) found.push(best);
  }
  return found;
}

async function searchSeed(
  env: AnyEnv,
  seed: number,
  budget: number,
  maxSteps: number,
): Promise<FoundReward | undefined> {
  const rng = new Generator(seed);
  await env.reset({ seed });
  const nodes: Node[] = [{ snapshot: await env.snapshot!(), return: 0, steps: 0 }];
  let best: FoundReward | undefined;
  const take = (sum: number, steps: number) => {
    if (!best || sum > best.return) best = { seed, return: sum, steps };
  };
  let used = 0;
  while (used < budget) {
    // half of the time from the best state, else from any that is kept
    const from = rng.random() < 0.5 ? nodes[0]! : nodes[rng.integers(nodes.length)]!;
    await env.restore!(from.snapshot);
    let { return: sum, steps } = from;
    let action: unknown;
    for (let i = 0; i < STRIDE && used < budget; i++) {
      // a move that is repeated finds what a random walk leaves at once
      if (action === undefined || rng.random() < 0.5) action = draw(env, rng);
      const { reward, terminated, truncated, info } = await env.step(action);
      used += 1;
      steps += 1;
      sum += reward;
      const isOver = terminated || truncated;
      // in between, a positive return is what is searched for, and not a success yet
      const hasWon = isOver || typeof info.success === 'boolean' ? succeeds({ info, return: sum }) : false;
      if (!hasWon) take(sum, steps);
      if (isOver || hasWon || steps >= maxSteps) break;
      if (i === STRIDE - 1) keep(nodes, { snapshot: await env.snapshot!(), return: sum, steps });
    }
  }
  return best;
}

function draw(env: AnyEnv, rng: Generator): unknown {
  env.actionSpace.seed(rng.integers(2 ** 32));
  const mask = env.actionMask?.();
  return env.actionSpace.sample(mask ? { mask } : {});
}

function keep(nodes: Node[], node: Node): void {
  nodes.push(node);
  nodes.sort((a, b) => b.return - a.return);
  nodes.length = Math.min(nodes.length, KEPT);
}
