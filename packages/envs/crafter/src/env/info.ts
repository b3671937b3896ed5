/** The `info` of a step, which dialogues read. */
import type { Info, TaskInfo } from '@vlgym/core';
import { nameAt } from '../text/describe.js';
import type { Game } from '../world/game.js';
import { ACHIEVEMENTS, type Achievement, type Item } from '../world/rules.js';

export interface CrafterInfo extends Info, Partial<TaskInfo> {
  /** 0 to 9 of each item. */
  readonly inventory: Readonly<Record<Item, number>>;
  /** How often each was achieved. */
  readonly achievements: Readonly<Record<Achievement, number>>;
  /** Achieved for the first time in this step. */
  readonly unlocked: readonly Achievement[];
  /** Share of the 22 achievements so far, 0 to 1; BALROG's measure. */
  readonly progression: number;
  /** Column and row on the map. */
  readonly position: readonly [x: number, y: number];
  /** The material or creature in front of the player; `nothing` outside the map. */
  readonly facing: string;
  readonly sleeping: boolean;
  /** 0 for night to 1 for day. */
  readonly daylight: number;
  /** 0 if the player is dead, otherwise 1. */
  readonly discount: number;
  readonly steps: number;
  readonly maxSteps: number;
}

export function infoOf(game: Game, unlocked: readonly Achievement[], maxSteps: number): CrafterInfo {
  const { player, world, steps } = game;
  return {
    inventory: player.inventory,
    achievements: { ...player.achievements },
    unlocked,
    progression: game.unlocked.size / ACHIEVEMENTS.length,
    position: [player.x, player.y],
    facing: nameAt(world, player.x + player.look[0], player.y + player.look[1]),
    sleeping: player.sleeping,
    daylight: world.daylight,
    discount: game.isDead ? 0 : 1,
    steps,
    maxSteps,
  };
}
