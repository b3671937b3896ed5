import { Generator, type RgbImage } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMiniWorld } from '../env/make-task.js';
import { Box, type Entity, Key } from '../world/entity.js';
import { TextFrame } from '../world/frames.js';
import { DEFAULT_PARAMETERS } from '../world/parameters.js';
import { World } from '../world/world.js';
import { describeWorld } from './describe-world.js';
import { sights } from './sights.js';
import { wallDistance } from './wall-distance.js';

type Place = readonly [x: number, z: number];

/** Two adjacent rooms joined by an opening; the agent faces +x at (2, 5). */
function twoRooms(entities: readonly (readonly [Entity, Place])[], direction = 0): World {
  const world = new World(new Generator(0), DEFAULT_PARAMETERS);
  const first = world.addRoom({ minX: 0, maxX: 10, minZ: 0, maxZ: 10 });
  const second = world.addRoom({ minX: 10, maxX: 20, minZ: 0, maxZ: 10 });
  world.connectRooms(first, second, { minZ: 4, maxZ: 6 });
  for (const [entity, [x, z]] of entities) world.placeEntity(entity, { position: [x, 0, z], direction: 0 });
  world.placeAgent({ position: [2, 0, 5], direction });
  world.finish();
  return world;
}
const labels = (world: World) => sights(world).map(({ entity }) => entity.label);
const tell = (...entities: (readonly [Entity, Place])[]) => describeWorld(twoRooms(entities));

it('lists what is in view, nearest first, and neither behind walls nor behind the agent', () => {
  const world = twoRooms([
    [new Box('red'), [6, 5.5]],
    [new Box('blue'), [15, 4.8]],
    [new Box('green'), [14, 9]],
    [new Key('yellow'), [1, 5]],
  ]);
  expect(labels(world)).toEqual(['a red box', 'a blue box']);
  expect(sights(world)[0]!.distance).toBeCloseTo(Math.hypot(4, 0.5));
});

it('leaves out what another object hides, and what lies below the view', () => {
  const hidden = twoRooms([
    [new Box('red', [0.8, 2.5, 3]), [5, 5]],
    [new Box('blue'), [8, 5]],
  ]);
  expect(labels(hidden)).toEqual(['a red box']);
  expect(labels(twoRooms([[new Key('yellow'), [3, 5]]]))).toEqual([]);
  expect(labels(twoRooms([[new Key('yellow'), [5, 5]]]))).toEqual(['a yellow key']);
});

it('states directions in steps of 5 degrees, distances of half meters, and the walls in view', () => {
  const text = describeWorld(twoRooms([[new Box('red'), [6, 5]]], Math.PI / 12));
  expect(text).toBe(
    [
      'You see: a red box 4 m away, 15 degrees to the right.',
      'Walls, from the left edge of the view to the right edge: 6.5 m, 8.5 m, 8.5 m, 18 m, 8.5 m.',
      'Your hands are empty.',
    ].join('\n'),
  );
});

it('measures distances to walls in any direction', () => {
  expect(wallDistance(twoRooms([], Math.PI / 12), Math.PI)).toBeCloseTo(2 / Math.cos(Math.PI / 12));
});

it('states the carried entity, which is not among those seen', () => {
  const key = new Key('yellow');
  const world = twoRooms([[key, [3, 5]]]);
  world.agent.carrying = key;
  key.y = 0.9;
  expect(describeWorld(world)).toContain('You see nothing but walls.');
  expect(describeWorld(world)).toContain('You carry a yellow key.');
});

it('reads a sign only from where its letters are large enough, and not from behind', () => {
  const sign = (x: number, direction: number) => {
    const world = twoRooms([]);
    world.addEntity(new TextFrame({ position: [x, 1.35, 5], direction, text: 'RED', height: 0.5 }));
    return describeWorld(world);
  };
  expect(sign(6, Math.PI)).toContain('a sign that says RED 4 m away');
  expect(sign(9.5, Math.PI)).toContain('a sign that is too far away to read');
  expect(sign(6, 0)).toContain('nothing but walls');
});

describe('the words', () => {
  const place = fc.tuple(fc.double({ min: 3, max: 9.5, noNaN: true }), fc.double({ min: 0.6, max: 9.4, noNaN: true }));

  it('are equal whatever is out of sight', () => {
    fc.assert(
      fc.property(
        place,
        fc.constantFrom('green', 'purple', 'yellow'),
        fc.double({ min: 0.6, max: 9.4, noNaN: true }),
        (at, color, z) => {
          const seen = [new Box('red'), at] as const;
          const elsewhere = z < 4 || z > 6 ? ([12, z] as const) : ([1, z] as const);
          const world = twoRooms([seen, [new Box(color), elsewhere]]);
          fc.pre(!sights(world).some(({ entity }) => entity.label !== 'a red box'));
          expect(describeWorld(world)).toBe(tell([new Box('red'), at]));
        },
      ),
    );
  });

  it('differ if, and only if, a visible thing differs by more than an estimate by eye', () => {
    fc.assert(
      fc.property(place, place, (first, second) => {
        const [a, b] = [twoRooms([[new Box('red'), first]]), twoRooms([[new Box('red'), second]])];
        const [x, y] = [sights(a)[0], sights(b)[0]];
        const isEqual = describeWorld(a) === describeWorld(b);
        if (!x || !y) expect(isEqual).toBe(x === y);
        else if (isEqual) {
          expect(Math.abs(x.distance - y.distance)).toBeLessThanOrEqual(1);
          expect(Math.abs(x.bearing - y.bearing)).toBeLessThanOrEqual(5);
        } else expect([x.distance, x.bearing]).not.toEqual([y.distance, y.bearing]);
        expect(tell([new Box('blue'), first]) === describeWorld(a)).toBe(x === undefined);
      }),
    );
  });
});

describe.each(['OneRoom', 'PickupObjects', 'PutNext', 'RoomObjects', 'Sidewalk', 'Sign'] as const)('%s', (name) => {
  it('lists what changes the picture, and nothing that does not', () => {
    const env = createMiniWorld(name, {
      samples: 1,
      filter: 'fast',
      renderMode: 'rgb_array',
      windowWidth: 80,
      windowHeight: 60,
    });
    const draw = () => (env.render() as RgbImage).data;
    const counts = { listed: 0, unlisted: 0 };
    for (const seed of [1, 2, 3]) {
      env.reset({ seed });
      for (let step = 0; step < 6; step += 1) {
        const { entities, agent } = env.world;
        const listed = new Set(sights(env.world).map(({ entity }) => entity));
        const whole = draw();
        for (const entity of entities.filter((one) => one !== agent && one !== agent.carrying)) {
          const index = entities.indexOf(entity);
          entities.splice(index, 1);
          const without = draw();
          entities.splice(index, 0, entity);
          const pixels = Array.from({ length: 80 * 60 }, (_, at) => 3 * at).filter(
            (at) => Buffer.compare(whole.subarray(at, at + 3), without.subarray(at, at + 3)) !== 0,
          ).length;
          const where = `${entity.label}, seed ${seed}, step ${step}, ${pixels} pixels`;
          if (pixels === 0) expect(listed.has(entity), where).toBe(false);
          if (pixels >= 12) expect(listed.has(entity), where).toBe(true);
          counts[listed.has(entity) ? 'listed' : 'unlisted'] += 1;
        }
        for (let turn = 0; turn < 4; turn += 1) env.step(step % 2);
        for (let walk = 0; walk < 6; walk += 1) env.step(2);
      }
    }
    expect(counts.listed).toBeGreaterThan(0);
    expect(counts.unlisted).toBeGreaterThan(0);
  });
});
