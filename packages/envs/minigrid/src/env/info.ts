/** The `info` of a step, which dialogues read: what a person would know. */
import type { Info, TaskInfo } from '@vlgym/core';
import type { Thing } from '../world/thing.js';
import type { World } from '../world/world.js';

export interface MiniGridInfo extends Info, Partial<TaskInfo> {
  readonly mission: string;
  /** The carried object, e.g. `red ball`; `nothing`. */
  readonly carrying: string;
  /** The content of the next cell ahead, e.g. `wall`, `closed yellow door`, `red ball`; `nothing`. */
  readonly ahead: string;
  readonly steps: number;
  readonly maxSteps: number;
}

export function infoOf(world: World): MiniGridInfo {
  return {
    mission: world.mission,
    carrying: nameOf(world.carrying),
    ahead: nameOf(world.grid.get(world.frontX, world.frontY)),
    steps: world.stepCount,
    maxSteps: world.maxSteps,
  };
}

function nameOf(thing: Thing | undefined): string {
  if (thing === undefined) return 'nothing';
  const { type, color, isOpen, isLocked } = thing;
  if (type === 'door') return `${isOpen ? 'open' : isLocked ? 'locked' : 'closed'} ${color} door`;
  return type === 'wall' || type === 'lava' || type === 'goal' ? type : `${color} ${type}`;
}
