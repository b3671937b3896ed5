/**
 * Which objects of a world a phrase such as `the red ball on your left` means: Farama-Foundation/Minigrid,
 * `minigrid/envs/babyai/core/verifier.py`, class `ObjDesc`.
 */
import { type Color, type Kind, STEPS } from '../world/constants.js';
import type { Room, Rooms } from '../world/rooms.js';
import type { Cell } from '../world/task.js';
import type { Thing } from '../world/thing.js';

export const LOCATIONS = ['left', 'right', 'front', 'behind'] as const;
export type Location = (typeof LOCATIONS)[number];
export type DescribedType = Kind | 'door';

export class Description {
  readonly type: DescribedType | undefined;
  readonly color: Color | undefined;
  readonly location: Location | undefined;
  /** The objects that matched when the episode began. */
  things: Thing[] = [];
  /** Where those objects were when they were last looked up. */
  cells: Cell[] = [];

  constructor(type?: DescribedType, color?: Color, location?: Location) {
    this.type = type;
    this.color = color;
    this.location = location;
  }

  /** Finds the objects by kind, color and place, column by column. */
  find(rooms: Rooms): void {
    this.things = [];
    this.cells = [];
    const room = rooms.agentRoom;
    this.#scan(rooms, (thing, x, y) => {
      if (!this.#matchesPlace(rooms, room, x, y)) return;
      this.things.push(thing);
      this.cells.push([x, y]);
    });
  }

  /** Finds out where the objects are now. */
  update(rooms: Rooms): void {
    this.cells = [];
    this.#scan(rooms, (thing, x, y) => {
      if (this.things.includes(thing)) this.cells.push([x, y]);
    });
  }

  surface(rooms: Rooms): string {
    this.find(rooms);
    const name = `${this.color === undefined ? '' : `${this.color} `}${this.type ?? 'object'}`;
    const { location } = this;
    const where =
      location === undefined
        ? ''
        : location === 'front'
          ? ' in front of you'
          : location === 'behind'
            ? ' behind you'
            : ` on your ${location}`;
    return `${this.things.length > 1 ? 'a' : 'the'} ${name}${where}`;
  }

  #scan({ world: { grid } }: Rooms, found: (thing: Thing, x: number, y: number) => void): void {
    for (let x = 0; x < grid.width; x += 1) {
      for (let y = 0; y < grid.height; y += 1) {
        const thing = grid.get(x, y);
        if (thing === undefined) continue;
        if (this.type !== undefined && thing.type !== this.type) continue;
        if (this.color !== undefined && thing.color !== this.color) continue;
        found(thing, x, y);
      }
    }
  }

  /** Left, right, in front or behind as the agent looks, and in its room. */
  #matchesPlace({ world }: Rooms, room: Room, x: number, y: number): boolean {
    if (this.location === undefined) return true;
    if (!room.contains(x, y)) return false;
    const [columns, rows] = STEPS[world.direction]!;
    const [dx, dy] = [x - world.agentX, y - world.agentY];
    const ahead = dx * columns + dy * rows;
    const right = dx * -rows + dy * columns;
    switch (this.location) {
      case 'left':
        return right < 0;
      case 'right':
        return right > 0;
      case 'front':
        return ahead > 0;
      case 'behind':
        return ahead < 0;
    }
  }
}
