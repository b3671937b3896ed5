/**
 * Two rooms with a locked door between them, and corridors of rooms: Farama-Foundation/Minigrid, `minigrid/envs/unlock.py`,
 * `unlockpickup.py`, `blockedunlockpickup.py` and `keycorridor.py`.
 */
import { PICKUP, TOGGLE } from '../../world/constants.js';
import { roomLevel } from '../../world/rooms.js';
import type { Level, Task } from '../../world/task.js';
import { ball, type Thing } from '../../world/thing.js';
import type { World } from '../../world/world.js';
import { pickup } from '../goals.js';

const PAIR = { roomSize: 6, rows: 1, columns: 2 };

export function unlock(): Level {
  return roomLevel(PAIR, {
    maxSteps: 8 * PAIR.roomSize ** 2,
    generate(rooms) {
      const { world } = rooms;
      const locked = rooms.addDoor(0, 0, { index: 0, locked: true });
      rooms.addObject(0, 0, 'key', locked.color);
      rooms.placeAgent(0, 0);
      return {
        mission: 'open the door',
        goal: () => ({ kind: 'open', doors: [locked] }),
        step(action, act) {
          const outcome = act(action);
          return action === TOGGLE && locked.isOpen ? world.succeed(outcome) : outcome;
        },
      };
    },
  });
}

/** Ends as soon as the thing is picked up. */
export function pickupTask(world: World, thing: Thing): Task {
  return {
    mission: `pick up the ${thing.color} ${thing.type}`,
    goal: pickup(thing),
    step(action, act) {
      const outcome = act(action);
      return action === PICKUP && world.carrying === thing ? world.succeed(outcome) : outcome;
    },
  };
}

/** @param isBlocked  A ball stands in front of the door. */
export function unlockPickup({ isBlocked = false }: { readonly isBlocked?: boolean } = {}): Level {
  return roomLevel(PAIR, {
    maxSteps: (isBlocked ? 16 : 8) * PAIR.roomSize ** 2,
    generate(rooms) {
      const { world } = rooms;
      const wanted = rooms.addObject(1, 0, 'box');
      const locked = rooms.addDoor(0, 0, { index: 0, locked: true });
      if (isBlocked) world.put(ball(world.color()), locked.x - 1, locked.y);
      rooms.addObject(0, 0, 'key', locked.color);
      rooms.placeAgent(0, 0);
      return pickupTask(world, wanted);
    },
  });
}

export function keyCorridor(roomSize: number, rows: number): Level {
  return roomLevel(
    { roomSize, rows, columns: 3 },
    {
      maxSteps: 30 * roomSize ** 2,
      generate(rooms) {
        const { world } = rooms;
        for (let j = 1; j < rows; j += 1) rooms.removeWall(1, j, 3);
        const row = world.integer(0, rooms.rows);
        const locked = rooms.addDoor(2, row, { index: 2, locked: true });
        const wanted = rooms.addObject(2, row, 'ball');
        rooms.addObject(0, world.integer(0, rooms.rows), 'key', locked.color);
        rooms.placeAgent(1, Math.floor(rooms.rows / 2));
        rooms.connectAll();
        return pickupTask(world, wanted);
      },
    },
  );
}
