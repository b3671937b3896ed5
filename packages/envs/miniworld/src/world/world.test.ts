import { Generator } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Box, Key, MeshEntity } from './entity.js';
import { ImpossibleWorldError } from './errors.js';
import { ImageFrame, TextFrame } from './frames.js';
import { DEFAULT_PARAMETERS } from './parameters.js';
import { World } from './world.js';

const ROOM = { minX: 0, maxX: 4, minZ: 0, maxZ: 4 };
const world = (seed = 0) => new World(new Generator(seed), DEFAULT_PARAMETERS);

describe('a world', () => {
  it('throws an error that names an entity without a free place', () => {
    const small = world();
    small.addRoom({ minX: 0, maxX: 1, minZ: 0, maxZ: 1 });
    expect(() => small.placeEntity(new Box('red', 0.9))).toThrow(ImpossibleWorldError);
    expect(() => small.placeEntity(new Box('red', 0.9))).toThrow(/a red box/);
  });

  it('throws an error if entities fill a room', () => {
    const crowded = world();
    crowded.addRoom(ROOM);
    const fill = () => {
      for (let index = 0; index < 100; index += 1) crowded.placeEntity(new Key('blue', 0.6));
    };
    expect(fill).toThrow(/No free place was found for a blue key/);
  });

  it.each([
    ['an unknown texture', { ...ROOM, wallTexture: 'brick_wal' }, /did you mean "brick_wall"/],
    [
      'a clockwise outline',
      {
        outline: [
          [0, 0],
          [4, 0],
          [4, 4],
        ] as const,
      },
      /outline/,
    ],
    ['a NaN in an outline', { ...ROOM, maxX: Number.NaN }, /outline/],
    ['a room without height', { ...ROOM, wallHeight: 0 }, /wall height/],
  ])('refuses %s', (_, options, message) => {
    expect(() => world().addRoom(options)).toThrow(message);
  });

  it('refuses rooms after the first placement, and rooms that do not face each other', () => {
    const other = world();
    const a = other.addRoom(ROOM);
    const b = other.addRoom({
      outline: [
        [20, 20],
        [21, 18],
        [19, 19],
      ],
    });
    expect(() => other.connectRooms(a, b, { minX: 1, maxX: 2 })).toThrow(/face each other/);
    other.placeAgent();
    expect(() => other.addRoom(ROOM)).toThrow(/after the first placement/);
  });

  it('refuses portals that do not fit their wall, and those that overlap', () => {
    const room = world().addRoom({ minX: 0, maxX: 8, minZ: 0, maxZ: 8 });
    for (const portal of [
      { start: -10, end: 20 },
      { start: 3, end: 3 },
      { start: 3, end: 9 },
      { start: 1, end: 2, maxY: 9 },
      { minZ: 6, maxZ: 10 },
    ]) {
      expect(() => room.addPortal(0, portal)).toThrow(expect.objectContaining({ code: 'INVALID_WORLD' }));
    }
    room.addPortal(0, { start: 1, end: 3 });
    expect(() => room.addPortal(0, { start: 2, end: 4 })).toThrow(/overlaps/);
    room.addPortal(0, { start: 3, end: 4 });
    expect(room.edges[0]!.portals).toHaveLength(2);
  });

  it('refuses invalid positions, and the same entity twice', () => {
    const room = world();
    room.addRoom(ROOM);
    const box = new Box('red', 0.2);
    const invalid = expect.objectContaining({ code: 'INVALID_WORLD' });
    expect(() => room.placeEntity(box, { position: [Number.NaN, 0, 1] })).toThrow(invalid);
    expect(() => room.placeEntity(box, { direction: Number.POSITIVE_INFINITY })).toThrow(invalid);
    room.placeEntity(box);
    expect(() => room.placeEntity(box)).toThrow(/already/);
  });

  it('refuses entities with an invalid size, color, mesh, text or texture', () => {
    expect(() => new Box('red', Number.NaN)).toThrow(/size/);
    expect(() => new Box('pink' as 'red')).toThrow(/color/);
    expect(() => new MeshEntity({ mesh: 'medkitt', height: 1 })).toThrow(/did you mean "medkit"/);
    const place = { position: [0, 1, 0], direction: 0 } as const;
    expect(() => new TextFrame({ ...place, text: 'ÄÖ' })).toThrow(/text/);
    expect(() => new ImageFrame({ ...place, texture: 'nothing', width: 1 })).toThrow(/texture/);
  });

  it('needs an agent', () => {
    const empty = world();
    empty.addRoom(ROOM);
    expect(() => empty.finish()).toThrow(/no agent/);
  });

  it('never lets the agent through walls and boxes, wherever it walks', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.array(fc.nat(7), { maxLength: 200 }), (seed, actions) => {
        const room = world(seed);
        room.addRoom({ minX: 0, maxX: 8, minZ: 0, maxZ: 8 });
        const box = room.placeEntity(new Box('red'));
        const { agent } = room;
        room.placeAgent();
        room.finish();
        for (const action of actions) {
          room.act(action);
          const margin = agent.radius - 1e-9;
          expect(Math.min(agent.x, agent.z, 8 - agent.x, 8 - agent.z)).toBeGreaterThanOrEqual(margin);
          if (agent.carrying !== box) {
            const gap = Math.sqrt((agent.x - box.x) ** 2 + (agent.z - box.z) ** 2);
            expect(gap).toBeGreaterThanOrEqual(box.radius + margin);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
