import { Generator } from '@vlgym/core';
import { expect, it } from 'vitest';
import { Box, Key } from '../world/entity.js';
import { DEFAULT_PARAMETERS } from '../world/parameters.js';
import { World } from '../world/world.js';
import { describeWorld, sights, wallDistance } from './describe-world.js';

/** Two adjacent rooms joined by an opening; the agent faces +x at (2, 5). */
function twoRooms(): World {
  const world = new World(new Generator(0), DEFAULT_PARAMETERS);
  const first = world.addRoom({ minX: 0, maxX: 10, minZ: 0, maxZ: 10 });
  const second = world.addRoom({ minX: 10, maxX: 20, minZ: 0, maxZ: 10 });
  world.connectRooms(first, second, { minZ: 4, maxZ: 6 });
  world.placeEntity(new Box('red'), { position: [6, 0, 5], direction: 0 });
  world.placeEntity(new Box('blue'), { position: [15, 0, 5], direction: 0 });
  world.placeEntity(new Box('green'), { position: [14, 0, 9], direction: 0 });
  world.placeEntity(new Key('yellow'), { position: [1, 0, 5], direction: 0 });
  world.placeAgent({ position: [2, 0, 5], direction: 0 });
  world.finish();
  return world;
}

it('lists entities in view, nearest first, and none behind walls or behind the agent', () => {
  expect(sights(twoRooms()).map(({ entity, distance }) => [entity.label, distance])).toEqual([
    ['a red box', 4],
    ['a blue box', 13],
  ]);
});

it('states the direction of entities and the distance of walls', () => {
  const world = twoRooms();
  world.agent.direction = Math.PI / 12; // turned left, so entities appear to the right
  const text = describeWorld(world);
  expect(text).toMatch(
    /^The wall ahead is [\d.]+ m away, the wall to the left is [\d.]+ m away, the wall to the right/m,
  );
  expect(text).toContain('a red box 4.0 m away, 15 degrees to the right');
  expect(text).toContain('Your hands are empty.');
  expect(wallDistance(world, Math.PI)).toBeCloseTo(2 / Math.cos(Math.PI / 12));
});

it('states the carried entity', () => {
  const world = twoRooms();
  world.agent.carrying = world.entities[3];
  expect(describeWorld(world)).toContain('You carry a yellow key.');
});
