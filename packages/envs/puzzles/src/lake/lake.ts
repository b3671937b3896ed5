/** The rules of the frozen lake: Gymnasium 1.4.0, `toy_text/frozen_lake.py`; `test/golden/frozen-lake.json.gz` pins them. */
import type { Generator } from '@vlgym/core';
import { type LakeMap, neighbors } from './maps.js';

export const LAKE_ACTIONS = ['left', 'down', 'right', 'up'] as const;

export interface LakeRules {
  readonly isSlippery: boolean;
  /** Probability of the wanted direction on slippery ice; the rest is halved between the two at its sides. */
  readonly successRate: number;
  /** Rewards of the goal, of a hole, and of every other step. */
  readonly rewards: readonly [goal: number, hole: number, frozen: number];
}

export interface Slid {
  readonly reward: number;
  readonly terminated: boolean;
  /** Probability of what happened. */
  readonly prob: number;
}

export class Lake {
  readonly map: LakeMap;
  readonly columns: number;
  readonly cells: string;
  readonly rules: LakeRules;
  /** The player's cell, row by row. */
  position: number;
  lastAction: number | undefined;
  readonly #next: Uint16Array;

  readonly #starts: readonly number[];

  /** @param position  Where the player is; drawn among the starts unless it is given. */
  constructor(map: LakeMap, rules: LakeRules, rng: Generator, position?: number) {
    this.map = map;
    this.columns = map[0]!.length;
    this.cells = map.join('');
    this.rules = rules;
    this.#next = tableOf(this.cells, this.columns);
    this.#starts = Array.from(this.cells.matchAll(/S/g), ({ index }) => index);
    this.position = position ?? this.#start(rng);
  }

  /** Begins again on the same map. */
  restart(rng: Generator): void {
    this.position = this.#start(rng);
    this.lastAction = undefined;
  }

  /** The first start whose running sum exceeds a random number; the first if rounding leaves none. */
  #start(rng: Generator): number {
    const drawn = rng.random();
    const share = 1 / this.#starts.length;
    let sum = 0;
    for (const start of this.#starts) {
      sum += share;
      if (sum > drawn) return start;
    }
    return this.#starts[0]!;
  }

  get letter(): string {
    return this.cells[this.position]!;
  }

  slide(action: number, rng: Generator): Slid {
    this.lastAction = action;
    const drawn = rng.random();
    const { isSlippery, successRate, rewards } = this.rules;
    if (this.#isEnd(this.position)) return { reward: 0, terminated: true, prob: 1 };
    let [way, prob] = [action, 1];
    if (isSlippery) {
      const beside = (1 - successRate) / 2;
      // the wanted direction stands between its two sides; if rounding leaves none, it is the first
      const turn =
        beside > drawn ? 3 : beside + successRate > drawn ? 0 : beside + successRate + beside > drawn ? 1 : 3;
      way = (action + turn) % 4;
      prob = turn === 0 ? successRate : beside;
    }
    this.position = this.#next[this.position * 4 + way]!;
    const { letter } = this;
    const reward = rewards[letter === 'G' ? 0 : letter === 'H' ? 1 : 2];
    return { reward, terminated: letter === 'G' || letter === 'H', prob };
  }

  #isEnd(cell: number): boolean {
    return this.cells[cell] === 'G' || this.cells[cell] === 'H';
  }
}

/** The cell after each cell and action. */
function tableOf(cells: string, columns: number): Uint16Array {
  const shifts = [-1, columns, 1, -columns];
  return Uint16Array.from({ length: cells.length * 4 }, (_, at) => {
    const cell = Math.floor(at / 4);
    const to = cell + shifts[at % 4]!;
    return neighbors(cell, columns, cells.length).includes(to) ? to : cell;
  });
}

/** The action on a shortest way to a goal on ice that is not slippery; `undefined` if there is none. */
export function nextOnWay({
  cells,
  columns,
  position,
}: Pick<Lake, 'cells' | 'columns' | 'position'>): number | undefined {
  const distance = new Map<number, number>();
  for (const match of cells.matchAll(/G/g)) distance.set(match.index, 0);
  for (const [cell, steps] of distance) {
    for (const next of neighbors(cell, columns, cells.length)) {
      if (cells[next] !== 'H' && !distance.has(next)) distance.set(next, steps + 1);
    }
  }
  const shifts = [-1, columns, 1, -columns];
  const here = distance.get(position);
  if (here === undefined || here === 0) return undefined;
  const around = neighbors(position, columns, cells.length);
  const action = shifts.findIndex((shift) => {
    const to = position + shift;
    return around.includes(to) && distance.get(to) === here - 1;
  });
  return action < 0 ? undefined : action;
}
