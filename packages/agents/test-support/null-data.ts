/**
 * Simulated evaluations of trained policies, drawn from crossed random effects.
 *
 * A cell (training seed, task) succeeds when ability + seed effect + task effect + rest is above 0. Tasks differ in how
 * often they are evaluated; a greedy policy does the same every time, a sampled one does not.
 */
import type { Generator } from '@vlgym/core';
import type { TrainedRun } from '../src/statistics/crossed.js';

export interface Effects {
  readonly seeds: number;
  readonly tasks: number;
  /** Mean ability; 0 solves half. */
  readonly ability: number;
  /** Standard deviation of effects of training seeds. */
  readonly bySeed: number;
  /** Standard deviation of effects of tasks, shared by all algorithms. */
  readonly byTask: number;
  /** Standard deviation of effects of tasks within one algorithm. */
  readonly byTaskAndAlgorithm: number;
  /** Standard deviation of the residual of each cell. */
  readonly rest: number;
  readonly greedy: boolean;
}

export class Effected {
  readonly #effects: Effects;
  readonly #rng: Generator;
  readonly #repeats: readonly number[];
  readonly #taskEffects: Float64Array;

  constructor(effects: Effects, rng: Generator) {
    this.#effects = effects;
    this.#rng = rng;
    this.#repeats = Array.from({ length: effects.tasks }, () => 1 + Math.floor(-2 * Math.log(1 - rng.random())));
    this.#taskEffects = Float64Array.from({ length: effects.tasks }, () => effects.byTask * rng.normal());
  }

  /** The final evaluations of one algorithm. @param better  Added to its ability. */
  runs(better = 0): TrainedRun[] {
    const { seeds, ability, bySeed, byTaskAndAlgorithm, rest, greedy } = this.#effects;
    const rng = this.#rng;
    const tasks = this.#taskEffects.map((effect) => ability + better + effect + byTaskAndAlgorithm * rng.normal());
    return Array.from({ length: seeds }, (_, seed) => {
      const seedEffect = bySeed * rng.normal();
      const episodes = this.#repeats.flatMap((repeats, task) => {
        const once = tasks[task]! + seedEffect + rest * rng.normal() > 0;
        return Array.from({ length: repeats }, (_unused, repeat) => ({
          seed: 1000 * task + repeat,
          taskKey: String(task),
          success: greedy || repeat === 0 ? once : tasks[task]! + seedEffect + rest * rng.normal() > 0,
        }));
      });
      return { seed, episodes };
    });
  }
}
