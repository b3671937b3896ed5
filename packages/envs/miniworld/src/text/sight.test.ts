import { Generator } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { createMiniWorld } from '../env/make-task.js';
import type { Goal } from '../tasks/task.js';
import { Box } from '../world/entity.js';
import { DEFAULT_PARAMETERS } from '../world/parameters.js';
import { World } from '../world/world.js';
import { sightOf } from './sight.js';

/**
 * One room with boxes in front of and behind the agent, which stands at (2, 5), turned left from +x by some degrees.
 */
function world(degrees: number) {
  const world = new World(new Generator(0), DEFAULT_PARAMETERS);
  world.addRoom({ minX: 0, maxX: 10, minZ: 0, maxZ: 10 });
  const red = world.placeEntity(new Box('red'), { position: [6, 0, 5], direction: 0 });
  const blue = world.placeEntity(new Box('blue'), { position: [1, 0, 5], direction: 0 });
  world.placeAgent({ position: [2, 0, 5], direction: (degrees * Math.PI) / 180 });
  world.finish();
  return { world, red, blue };
}

describe('sightOf', () => {
  it.each([
    [0, 'ahead'],
    [14, 'ahead'],
    [-16, 'left'],
    [16, 'right'],
    [40, 'hidden'], // half the field of view is 37.6 degrees
    [-100, 'hidden'],
  ])('turned by %d degrees: %s', (degrees, where) => {
    const { world: room, red } = world(degrees);
    expect(sightOf(room, { kind: 'touch', entity: red })).toBe(where);
  });

  it('uses the nearest goal, the entity to pick up before its target, and none without a goal', () => {
    const { world: room, red, blue } = world(0);
    const put: Goal = { kind: 'put next', entity: blue, target: red };
    expect(sightOf(room, { kind: 'pick up', entities: [blue, red] })).toBe('ahead');
    expect(sightOf(room, put)).toBe('hidden');
    room.agent.carrying = blue;
    expect(sightOf(room, put)).toBe('ahead');
    expect(sightOf(room, undefined)).toBe('none');
  });

  it('is hidden behind a wall', () => {
    const room = new World(new Generator(0), DEFAULT_PARAMETERS);
    room.addRoom({ minX: 0, maxX: 4, minZ: 0, maxZ: 4 });
    room.addRoom({ minX: 5, maxX: 9, minZ: 0, maxZ: 4 });
    const box = room.placeEntity(new Box('red'), { position: [7, 0, 2], direction: 0 });
    room.placeAgent({ position: [2, 0, 2], direction: 0 });
    room.finish();
    expect(sightOf(room, { kind: 'touch', entity: box })).toBe('hidden');
  });

  it('is in the responses of the compact-v1 expert, and in `info` only for that style', () => {
    const compact = createMiniWorld('Hallway', { dialogue: 'compact-v1' });
    const { observation, info } = compact.reset({ seed: 0 });
    const sight = sightOf(compact.world, compact.simulation.rules.goal?.());
    expect(info).toMatchObject({ sight });
    const answer = compact.dialogue.demonstrate!({ observation, info, history: [] }, 2);
    expect(JSON.parse(answer)).toEqual({ goal: sight, action: 'move forward' });
    expect(Object.keys(compact.step(0).info)).toEqual(['sight']);
    expect(Object.keys(createMiniWorld('Hallway').reset({ seed: 0 }).info)).toEqual(['taskKey']);
  });
});
