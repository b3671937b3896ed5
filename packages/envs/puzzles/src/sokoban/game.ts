/**
 * The rules of Sokoban: mpSchrader/gym-sokoban 0.0.6, `gym_sokoban/envs/sokoban_env.py`; `test/golden/sokoban.json.gz` pins them.
 */
import { BOX, BOX_ON_TARGET, isBox, isFree, PLAYER, type Room, TARGET } from './room.js';

/** 0 waits, 1 to 4 push or move, 5 to 8 only move: up, down, left, right. */
export const SOKOBAN_ACTIONS = [
  'no operation',
  'push up',
  'push down',
  'push left',
  'push right',
  'move up',
  'move down',
  'move left',
  'move right',
] as const;

const STEP = -0.1;
const ON_TARGET = 1;
const OFF_TARGET = -1;
const FINISHED = 10;

export interface Played {
  readonly reward: number;
  readonly movedPlayer: boolean;
  readonly movedBox: boolean;
}

export class SokobanGame implements Room {
  readonly rows: number;
  readonly columns: number;
  readonly fixed: Uint8Array;
  readonly state: Uint8Array;
  readonly boxes: number;
  player: number;
  steps = 0;
  /** 0 at the start, as published, also if a box is on its target. */
  boxesOnTarget = 0;

  /** @param boxes  Number of boxes; the score counts targets that have none. */
  constructor({ rows, columns, fixed, state }: Room, boxes: number) {
    this.rows = rows;
    this.columns = columns;
    this.fixed = fixed;
    this.state = state.slice();
    this.boxes = boxes;
    this.player = state.indexOf(PLAYER);
  }

  get isSolved(): boolean {
    return this.#freeTargets() === 0;
  }

  play(action: number): Played {
    this.steps += 1;
    const { movedPlayer, movedBox } = this.#act(action);
    const onTarget = this.boxes - this.#freeTargets();
    let reward = STEP;
    if (onTarget > this.boxesOnTarget) reward += ON_TARGET;
    else if (onTarget < this.boxesOnTarget) reward += OFF_TARGET;
    if (this.isSolved) reward += FINISHED;
    this.boxesOnTarget = onTarget;
    return { reward, movedPlayer, movedBox };
  }

  /** From the player's cell to the next one in the direction of an action from 1 to 8. */
  shiftOf(action: number): number {
    return [-this.columns, this.columns, -1, 1][(action - 1) % 4]!;
  }

  #act(action: number): Omit<Played, 'reward'> {
    if (action === 0) return { movedPlayer: false, movedBox: false };
    const shift = this.shiftOf(action);
    const to = this.player + shift;
    const beyond = to + shift;
    const isPush = action < 5;
    if (isPush && this.#leaves(beyond, shift)) return { movedPlayer: false, movedBox: false };
    if (isPush && isBox(this.state[to]) && isFree(this.state[beyond])) {
      this.#step(to);
      this.state[beyond] = this.fixed[beyond] === TARGET ? BOX_ON_TARGET : BOX;
      return { movedPlayer: true, movedBox: true };
    }
    const movedPlayer = isFree(this.state[to]);
    if (movedPlayer) this.#step(to);
    return { movedPlayer, movedBox: false };
  }

  /** Beyond the lower or right edge, where a push does nothing at all. */
  #leaves(beyond: number, shift: number): boolean {
    if (shift === this.columns) return beyond >= this.state.length;
    return shift === 1 && this.player % this.columns >= this.columns - 2;
  }

  #step(to: number): void {
    this.state[to] = PLAYER;
    this.state[this.player] = this.fixed[this.player]!;
    this.player = to;
  }

  /** Targets without a box; the player's does not have one. */
  #freeTargets(): number {
    let count = 0;
    for (let cell = 0; cell < this.fixed.length; cell += 1) {
      if (this.fixed[cell] === TARGET && this.state[cell] !== BOX_ON_TARGET) count += 1;
    }
    return count;
  }
}
