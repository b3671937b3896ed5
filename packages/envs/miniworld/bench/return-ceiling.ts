/**
 * The maximum of `value/explained-variance` in OneRoomS6Fast: how much of the return a critic can explain.
 *
 *     npx tsx packages/envs/miniworld/bench/return-ceiling.ts [episodes]
 *
 * Plays a share of random actions and the oracle's actions otherwise. The predictor is the mean return per cell of
 * distance and bearing to the box, fitted on odd episodes and scored on even ones. "State" always knows both; "picture"
 * knows them only while the box is in view, like an agent with one picture and no memory.
 */
import { Generator } from '@vlgym/core';
import { createMiniWorld } from '../src/index.js';

const GAMMA = 0.95;
/** Half of the horizontal field of view, radians. */
const HALF_VIEW = 0.656;
const DISTANCE_CELL = 0.6;
const BEARING_CELLS = 16;

interface Row {
  readonly episode: number;
  readonly distance: number;
  readonly bearing: number;
  readonly value: number;
}

function play(episodes: number, randomShare: number): Row[] {
  const env = createMiniWorld('OneRoomS6Fast', { observation: 'text' });
  const rng = new Generator(0);
  const rows: Row[] = [];
  for (let episode = 0; episode < episodes; episode++) {
    env.reset({ seed: episode });
    const places: { distance: number; bearing: number }[] = [];
    const rewards: number[] = [];
    for (let ended = false; !ended; ) {
      places.push(placeOfGoal(env));
      const action = rng.random() < randomShare ? rng.integers(0, 3) : (env.oracle() ?? 0);
      const { reward, terminated, truncated } = env.step(action);
      rewards.push(reward);
      ended = terminated || truncated;
    }
    let value = 0;
    for (let step = rewards.length - 1; step >= 0; step--) {
      value = rewards[step]! + GAMMA * value;
      rows.push({ episode, value, ...places[step]! });
    }
  }
  return rows;
}

function placeOfGoal(env: ReturnType<typeof createMiniWorld>): { distance: number; bearing: number } {
  const goal = env.simulation.rules.goal?.();
  if (goal?.kind !== 'touch') throw new Error('OneRoomS6Fast has one box to touch');
  const { agent } = env.world;
  const [dx, dz] = [goal.entity.x - agent.x, goal.entity.z - agent.z];
  const turn = Math.atan2(-dz, dx) - agent.direction;
  return { distance: Math.hypot(dx, dz), bearing: Math.atan2(Math.sin(turn), Math.cos(turn)) };
}

const fullState = ({ distance, bearing }: Row) =>
  `${Math.floor(distance / DISTANCE_CELL)},${Math.floor(((bearing + Math.PI) / (2 * Math.PI)) * BEARING_CELLS)}`;

const picture = (row: Row) => (Math.abs(row.bearing) > HALF_VIEW ? 'hidden' : fullState(row));

const mean = (rows: readonly Row[]) => rows.reduce((sum, { value }) => sum + value, 0) / rows.length;

/** 1 − Σ(value − prediction)² / Σ(value − mean)² on the even episodes. */
function explainedVariance(rows: readonly Row[], cellOf: (row: Row) => string): number {
  const cells = new Map<string, Row[]>();
  for (const row of rows.filter(({ episode }) => episode % 2 === 1)) {
    const members = cells.get(cellOf(row));
    if (members) members.push(row);
    else cells.set(cellOf(row), [row]);
  }
  const held = rows.filter(({ episode }) => episode % 2 === 0);
  const overall = mean(held);
  const predictions = new Map([...cells].map(([cell, members]) => [cell, mean(members)]));
  const squares = (prediction: (row: Row) => number) =>
    held.reduce((sum, row) => sum + (row.value - prediction(row)) ** 2, 0);
  return 1 - squares((row) => predictions.get(cellOf(row)) ?? overall) / squares(() => overall);
}

const episodes = Number(process.argv[2] ?? 1000);
console.log('random actions   mean return   explained by picture   by state');
for (const randomShare of [1, 0.8, 0.5, 0.2]) {
  const rows = play(episodes, randomShare);
  const figures = [mean(rows), explainedVariance(rows, picture), explainedVariance(rows, fullState)];
  console.log(
    `${String(randomShare).padEnd(17)}${figures.map((figure) => figure.toFixed(2).padStart(8)).join('          ')}`,
  );
}
