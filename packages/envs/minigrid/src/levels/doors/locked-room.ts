/** Six rooms off a corridor, one of them locked: Farama-Foundation/Minigrid, `minigrid/envs/lockedroom.py`. */
import { COLOR_NAMES, type Color } from '../../world/constants.js';
import type { Level } from '../../world/task.js';
import { door, goal, key } from '../../world/thing.js';
import { reach } from '../goals.js';

interface SideRoom {
  readonly top: readonly [x: number, y: number];
  readonly doorPosition: readonly [x: number, y: number];
  color?: Color;
}

export function lockedRoom(size = 19): Level {
  return {
    width: size,
    height: size,
    maxSteps: 10 * size,
    generate(world) {
      const grid = world.newGrid();
      grid.border();
      const [left, right] = [Math.floor(size / 2) - 2, Math.floor(size / 2) + 2];
      grid.vertical(left, 0);
      grid.vertical(right, 0);
      const pitch = Math.floor(size / 3);
      const rooms = [0, 1, 2].flatMap((n): SideRoom[] => {
        const y = n * pitch;
        grid.horizontal(0, y, left);
        grid.horizontal(right, y);
        return [
          { top: [0, y], doorPosition: [left, y + 3] },
          { top: [right, y], doorPosition: [right, y + 3] },
        ];
      });
      const [width, height] = [left + 1, pitch + 1];
      const placeIn = ({ top: [x, y] }: SideRoom): [number, number] => [
        world.integer(x + 1, x + width - 1),
        world.integer(y + 1, y + height - 1),
      ];

      const locked = world.element(rooms);
      const goalAt = placeIn(locked);
      world.put(goal(), ...goalAt);
      const colors = [...COLOR_NAMES];
      for (const room of rooms) {
        room.color = world.element(colors);
        colors.splice(colors.indexOf(room.color), 1);
        world.put(door(room.color, room === locked), ...room.doorPosition);
      }
      let keyRoom = world.element(rooms);
      while (keyRoom === locked) keyRoom = world.element(rooms);
      world.put(key(locked.color), ...placeIn(keyRoom));
      world.placeAgent({ top: [left, 0], size: [right - left, size] });
      return {
        mission: `get the ${locked.color} key from the ${keyRoom.color} room, unlock the ${locked.color} door and go to the goal`,
        goal: reach(...goalAt),
      };
    },
  };
}
