/** A thing in a cell: Farama-Foundation/Minigrid, `minigrid/core/world_object.py`. Two things are the same if they are one object. */
import { COLORS, type Color, THING_TYPES, type ThingType } from './constants.js';

const NUMBERS = Object.fromEntries(THING_TYPES.map((type, number) => [type, number])) as Record<ThingType, number>;

export class Thing {
  readonly type: ThingType;
  /** Its number in an observation. */
  readonly number: number;
  color: Color;
  /** The content of a box. */
  contains: Thing | undefined;
  isOpen = false;
  isLocked = false;
  /** Its cell; -1 while it is carried. */
  x = -1;
  y = -1;
  /** Where it was put first. */
  firstX = -1;
  firstY = -1;

  constructor(type: ThingType, color: Color) {
    this.type = type;
    this.number = NUMBERS[type];
    this.color = color;
  }

  get colorNumber(): number {
    return COLORS.indexOf(this.color);
  }

  /** 0 open, 1 closed, 2 locked; 0 for everything that is not a door. */
  get state(): number {
    if (this.type !== 'door' || this.isOpen) return 0;
    return this.isLocked ? 2 : 1;
  }

  /** The agent can stand in its cell. */
  get canOverlap(): boolean {
    const { type } = this;
    return type === 'goal' || type === 'lava' || type === 'floor' || (type === 'door' && this.isOpen);
  }

  get canPickup(): boolean {
    const { type } = this;
    return type === 'ball' || type === 'key' || type === 'box';
  }

  get seesBehind(): boolean {
    return this.type !== 'wall' && (this.type !== 'door' || this.isOpen);
  }

  moveTo(x: number, y: number): void {
    this.x = x;
    this.y = y;
  }
}

export function door(color: Color, isLocked = false): Thing {
  const made = new Thing('door', color);
  made.isLocked = isLocked;
  return made;
}

export function box(color: Color, contains?: Thing): Thing {
  const made = new Thing('box', color);
  made.contains = contains;
  return made;
}

export const goal = (): Thing => new Thing('goal', 'green');
export const lava = (): Thing => new Thing('lava', 'red');
export const ball = (color: Color = 'blue'): Thing => new Thing('ball', color);
export const key = (color: Color = 'blue'): Thing => new Thing('key', color);

/** Walls do not change and are never told apart. */
const WALL_THING: Thing = Object.freeze(new Thing('wall', 'grey'));
export const wall = (): Thing => WALL_THING;
