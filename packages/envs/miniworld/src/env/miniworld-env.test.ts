import { checkEnv, Generator, GymError, make, type RgbImage, timeLimit } from '@vlgym/core';
import { conformance } from '@vlgym/core/testing';
import { describe, expect, it } from 'vitest';
import '../register.js';
import type { Scene } from 'three';
import { collected } from '../../../../../test/support/collected.js';
import { Painter } from '../scene/painter.js';
import { SUITE, type TaskName } from '../tasks/suite.js';
import { Box } from '../world/entity.js';
import type { World } from '../world/world.js';
import { createMiniWorld } from './make-task.js';
import { MiniWorldEnv } from './miniworld-env.js';
import type { MiniWorldOptions } from './options.js';

const names = Object.keys(SUITE) as TaskName[];
const SMALL = { obsWidth: 32, obsHeight: 24 };

conformance('Hallway', () => make('MiniWorld-Hallway-v0', { options: SMALL }), { describe, it });
conformance('Sign', () => make('MiniWorld-Sign-v0', { options: SMALL }), { describe, it });

describe('MiniWorldEnv', () => {
  it.each(names)('%s keeps the contract of every environment', async (name) => {
    await checkEnv(() => createMiniWorld(name, SMALL), { steps: 20 });
  });

  it.each(['depth', 'rgbd', 'text'] as const)(
    'keeps the contract with observations of kind %s',
    async (observation) => {
      await checkEnv(() => createMiniWorld('PutNext', { ...SMALL, observation, domainRand: true }), { steps: 20 });
    },
  );

  it('does not retain earlier episodes in a loop that awaits only resolved promises', async () => {
    const env = createMiniWorld('Hallway', SMALL);
    const heapAfter = async (resets: number) => {
      for (let count = 0; count < resets; count += 1) {
        await env.reset({ seed: count });
        await env.step(0);
      }
      return collected().heapUsed;
    };
    const warm = await heapAfter(50);
    // The leak was 7.8 kB per reset, 1.95 MB here; caches and compiled code have grown by 0.4 MB on a busy machine.
    expect((await heapAfter(300)) - warm).toBeLessThan(1e6);
  });

  it('shows 80 x 60 pixels, or the requested size', () => {
    const shape = (image: RgbImage) => [image.width, image.height, image.channels, image.data.length];
    expect(shape(createMiniWorld('Hallway').reset({ seed: 0 }).observation)).toEqual([80, 60, 3, 14_400]);
    const env = createMiniWorld('Hallway', { obsWidth: 224, obsHeight: 224, renderMode: 'rgb_array', windowWidth: 64 });
    expect(shape(env.reset({ seed: 0 }).observation)).toEqual([224, 224, 3, 150_528]);
    expect(shape(env.render() as RgbImage)).toEqual([64, 600, 3, 115_200]);
  });

  it('returns the goal of Sign with the picture', () => {
    const { observation } = createMiniWorld('Sign', { ...SMALL, goal: 1 }).reset({ seed: 0 });
    expect(observation.goal).toBe(1);
    expect(observation.obs.data.length).toBe(3 * 32 * 24);
  });

  it('measures the floor at its geometric distance', () => {
    const env = createMiniWorld('OneRoom', {
      obsWidth: 80,
      obsHeight: 60,
      observation: 'rgbd',
    });
    env.reset({ seed: 4 });
    Object.assign(env.world.agent, { x: 2, z: 5, direction: 0 });
    const { depth } = env.step(0).observation;
    // The sample of the bottom row is 29.875 pixels below the middle.
    const down = (29.875 / 30) * Math.tan(Math.PI / 6);
    expect(depth[59 * 80 + 40]).toBeCloseTo(1.5 / down, 2);
    expect(depth[30 * 80 + 40]! > 4).toBe(true);
  });

  it("draws into the caller's buffer if its size is right", () => {
    const env = createMiniWorld('Hallway', SMALL);
    const fresh = env.reset({ seed: 1 }).observation;
    const frame = new Uint8Array(new SharedArrayBuffer(3 * 32 * 24));
    env.drawInto(frame);
    expect(env.reset({ seed: 1 }).observation.data).toBe(frame);
    expect([...frame]).toEqual([...fresh.data]);
    expect(() => env.drawInto(new Uint8Array(7))).toThrow(/Invalid frame: 7\.\n.*2304 bytes/);
    expect(() => env.drawInto(new Float32Array(2304) as never)).toThrow(/Invalid frame/);
    for (const observation of ['depth', 'rgbd', 'text'] as const) {
      const other = createMiniWorld('Hallway', { ...SMALL, observation });
      expect(() => other.drawInto(frame)).toThrow(/Invalid observation/);
    }
  });

  it('shows what a newly drawn picture shows after every step, also where a wall stops the agent', () => {
    const [env, other] = [createMiniWorld('PutNext', SMALL), createMiniWorld('OneRoom', SMALL)];
    const rng = new Generator(1);
    const last = { picture: env.reset({ seed: 1 }).observation.data.slice(), same: 0 };
    other.reset({ seed: 2 });
    for (let step = 0; step < 300; step += 1) {
      const { observation, terminated, truncated } = env.step([2, 2, 2, 0, 4, 5][rng.integers(6)]!);
      const now = observation.data.slice();
      if (Buffer.compare(now, last.picture) === 0) last.same += 1;
      observation.data.fill(0); // it is the user's
      if (step % 3 === 0) other.step(rng.integers(3));
      const painter = new Painter();
      expect(Buffer.compare(painter.rgb(env.world, { width: 32, height: 24 }).data, now)).toBe(0);
      painter.close();
      last.picture = terminated || truncated ? env.reset().observation.data.slice() : now;
    }
    expect(last.same).toBeGreaterThan(30);
  });

  it('shows what is added to a scene that it has given away', () => {
    const env = createMiniWorld('Hallway', { ...SMALL, renderMode: 'rgb_array' });
    env.reset({ seed: 0 });
    const scene = env.view().scene as unknown as Scene;
    const before = env.render() as RgbImage;
    for (const child of scene.children) if (child.type === 'Group') child.visible = false;
    expect((env.render() as RgbImage).data).not.toEqual(before.data);
  });

  it('shows the entity in the picture of its pickup', () => {
    const env = createMiniWorld('PickupObjects', { ...SMALL, numObjs: 1, numActions: 8 });
    env.reset({ seed: 0 });
    for (let action = env.oracle()!; action !== 4; action = env.oracle()!) env.step(action);
    const [object] = env.world.entities;
    const { observation, reward, terminated } = env.step(4);
    expect([reward, terminated]).toEqual([1, true]);
    expect(env.world.entities).toEqual([env.world.agent]);
    // The picture equals that of a world in which the agent carries the entity.
    env.world.entities.unshift(object!);
    env.world.agent.carrying = object;
    expect([...env.step(6).observation.data]).toEqual([...observation.data]);
  });

  it('continues a snapshot in another process as if nothing had happened', () => {
    for (const name of ['CollectHealth', 'PutNext', 'PickupObjects'] as const) {
      const env = createMiniWorld(name, { ...SMALL, observation: 'text', domainRand: true });
      env.reset({ seed: 5 });
      for (let step = 0; step < 40; step += 1) env.step(env.oracle() ?? 2);
      const saved = JSON.parse(JSON.stringify(env.snapshot()));
      const twin = createMiniWorld(name, { ...SMALL, observation: 'text', domainRand: true });
      twin.restore(saved);
      for (let step = 0; step < 60; step += 1) {
        const action = (step * 7) % (name === 'PickupObjects' ? 5 : 6);
        expect(twin.step(action)).toEqual(env.step(action));
      }
      expect(twin.snapshot()).toEqual(env.snapshot());
    }
  });

  describe('restore', () => {
    const started = (options: object = {}, name: TaskName = 'OneRoom') => {
      const env = createMiniWorld(name, { ...SMALL, observation: 'text', ...options });
      env.reset({ seed: 1 });
      env.step(0);
      return env;
    };

    it.each<[string, TaskName, object, object, RegExp]>([
      ['another size', 'OneRoom', { size: 10 }, { size: 4 }, /different `size`.*\n.*4, the value of this environment/],
      ['another length', 'Hallway', { length: 12 }, { length: 6 }, /different `length`/],
      ['another goal', 'TMaze', { goalPos: [10, 0, 6] }, {}, /different `goalPos`/],
      ['another number of rows', 'MazeS2', {}, { numRows: 3 }, /different `numRows`/],
      ['another limit', 'OneRoom', {}, { maxEpisodeSteps: 30 }, /different `maxEpisodeSteps`/],
      ['another color', 'Sign', {}, { colorIndex: 1 }, /different `colorIndex`/],
      ['randomization', 'OneRoom', { domainRand: true }, {}, /different `domainRand`/],
      ['other parameters', 'OneRoom', { parameters: { forwardStep: 0.2 } }, {}, /different `parameters.forwardStep`/],
    ])('refuses a world with %s', (_, name, theirs, ours, message) => {
      const env = started(ours, name);
      const before = env.snapshot();
      expect(() => env.restore(started(theirs, name).snapshot())).toThrow(message);
      expect(env.snapshot()).toEqual(before);
    });

    it('accepts a snapshot of a world with the same options in another order', () => {
      const camFovY = { min: 50, max: 70, default: 60 };
      const snapshot = JSON.parse(JSON.stringify(started({ size: 10, parameters: { camFovY } }).snapshot()));
      const env = started({ parameters: { camFovY: { default: 60, min: 50, max: 70 } } });
      env.restore(snapshot);
      expect(env.snapshot()).toEqual(snapshot);
    });

    it.each<[string, (saved: { [part: string]: unknown; entities: { [part: string]: unknown }[] }) => unknown]>([
      ['an unknown entity', ({ entities }) => Object.assign(entities[0]!, { built: 99 })],
      ['an entity without position', ({ entities }) => Object.assign(entities[0]!, { x: null })],
      ['an entity twice', ({ entities }) => entities.push(entities[0]!)],
      ['no agent', ({ entities }) => entities.pop()],
      ['a fractional step count', (saved) => Object.assign(saved, { stepCount: 0.5 })],
      ['an unknown carried entity', (saved) => Object.assign(saved, { carrying: 7 })],
      ['no entities', (saved) => Object.assign(saved, { entities: null })],
      ['no options', (saved) => Object.assign(saved, { options: undefined })],
    ])('refuses %s, and the running episode continues', (_, damage) => {
      const env = started();
      const before = env.snapshot();
      const snapshot = structuredClone(before) as { kind: string; state: { episode: Parameters<typeof damage>[0] } };
      damage(snapshot.state.episode);
      expect(() => env.restore(snapshot)).toThrow(expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' }));
      expect(env.snapshot()).toEqual(before);
      expect(env.step(2).truncated).toBe(false);
    });

    it('refuses an invalid state', () => {
      const env = started();
      for (const state of [null, {}, { task: 'OneRoom' }, { task: 'Hallway', episode: null }]) {
        const restore = () => env.restore({ kind: env.snapshot().kind, state });
        expect(restore).toThrow(expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' }));
      }
      expect(() => env.restore({ kind: 'another/1', state: {} })).toThrow(/another\/1/);
    });
  });

  it('treats undefined options as omitted', () => {
    const rooms = (name: TaskName, options: object) => {
      const env = createMiniWorld(name, { observation: 'text', ...options });
      env.reset({ seed: 0 });
      return { rooms: env.world.rooms.length, limit: env.task.maxEpisodeSteps, options: env.task.options };
    };
    for (const [name, options] of [
      ['MazeS2', { numRows: undefined, numCols: undefined }],
      ['MazeS3Fast', { numCols: undefined, maxEpisodeSteps: undefined }],
      ['TMazeLeft', { goalPos: undefined }],
      ['YMazeRight', { goalPos: undefined }],
    ] as const) {
      expect(rooms(name, options)).toEqual(rooms(name, {}));
    }
  });

  it('names the invalid part of a custom task', () => {
    const task = SUITE.OneRoom();
    const build = (part: object) => () => new MiniWorldEnv({ ...task, ...part }, { observation: 'text' });
    expect(build({ phrase: undefined })).toThrow(/Invalid `phrase` of the task/);
    expect(build({ build: undefined })).toThrow(/Invalid `build` of the task/);
    expect(build({ maxEpisodeSteps: Number.NaN })).toThrow(/Invalid `maxEpisodeSteps` of the task/);
    const forgetful = build({ build: (world: World) => void task.build(world) })();
    expect(() => forgetful.reset({ seed: 0 })).toThrow(/did not return rules/);
  });

  it("shows the agent's mark only in the view from above", () => {
    const env = createMiniWorld('OneRoom', { ...SMALL, numActions: 8 });
    const { observation } = env.reset({ seed: 0 });
    const shown = () => (env.view().scene as unknown as Scene).children.filter(({ visible }) => visible).length;
    const before = shown();
    env.renderTop();
    expect(shown()).toBe(before);
    expect(env.renderDepth().data).toHaveLength(32 * 24);
    expect(env.step(6).observation.data).toEqual(observation.data);
  });

  it('refuses all calls after close', () => {
    const env = createMiniWorld('OneRoom', { ...SMALL, renderMode: 'rgb_array' });
    env.reset({ seed: 0 });
    const snapshot = env.snapshot();
    void env.close();
    const closed = expect.objectContaining({ code: 'CLOSED' });
    expect(() => env.render()).toThrow(closed);
    expect(() => env.renderTop()).toThrow(closed);
    expect(() => env.renderDepth()).toThrow(closed);
    expect(() => env.visibleEntities()).toThrow(closed);
    expect(() => env.view()).toThrow(closed);
    expect(() => env.oracle()).toThrow(closed);
    expect(() => env.restore(snapshot)).toThrow(closed);
  });

  it.each([
    ['a NaN parameter', { parameters: { forwardStep: Number.NaN } }, /parameters\.forwardStep.*NaN/],
    ['a reversed range', { parameters: { camFovY: { default: 60, min: 80, max: 50 } } }, /parameters\.camFovY/],
    ['an unknown parameter', { parameters: { fowardStep: 1 } }, /did you mean "parameters.forwardStep"/],
    ['a NaN size', { size: Number.NaN }, /Invalid size: NaN/],
    ['null as options', null, /Invalid options: null/],
    ['a size of 0 pixels', { obsWidth: 0 }, /Invalid obsWidth: 0/],
    ['an unknown option', { lenght: 4 }, /Unknown option "lenght"/],
    ['an option of another world', { numRows: 3 }, /Unknown option "numRows"/],
    ['a missing asset folder', { assets: '/nonexistent' }, /asset folder "\/nonexistent" does not exist/],
    ['a folder without textures', { assets: '/' }, /has no textures/],
    ['an unknown observation', { observation: 'smell' }, /Invalid observation: "smell"/],
  ])('refuses %s', (_, options, message) => {
    const build = () => createMiniWorld('OneRoom', options as object);
    expect(build).toThrow(message);
    expect(build).toThrow(GymError);
  });

  it('throws an error that names the entity without a free place, and continues the last episode', () => {
    const env = createMiniWorld('PickupObjects', { ...SMALL, size: 4, numObjs: 60, observation: 'text' });
    expect(() => env.reset({ seed: 0 })).toThrow(expect.objectContaining({ code: 'IMPOSSIBLE_WORLD' }));
    expect(() => env.reset({ seed: 0 })).toThrow(/No free place was found for a \w+ (ball|box|key)/);
    let count = 1;
    const growing = new MiniWorldEnv(
      {
        ...SUITE.OneRoom(),
        build(world) {
          world.addRoom({ minX: 0, maxX: 4, minZ: 0, maxZ: 4 });
          world.placeAgent();
          for (let placed = 0; placed < count; placed += 1) world.placeEntity(new Box('grey'));
          return {};
        },
      },
      { observation: 'text' },
    );
    growing.reset({ seed: 0 });
    count = 50;
    expect(() => growing.reset()).toThrow(/a grey box/);
    expect(growing.step(0).truncated).toBe(false);
  });

  it('refuses randomization in worlds where the original has none', () => {
    expect(() => createMiniWorld('Sign', { domainRand: true })).toThrow(/domainRand/);
  });

  it('describes the task in a sentence, with the health in CollectHealth', () => {
    const env = createMiniWorld('CollectHealth', { ...SMALL, observation: 'text' });
    env.reset({ seed: 0 });
    env.step(0);
    expect(env.describeTask()).toMatch(/^Stay alive: .* \(health 98 of 100\)\.$/);
  });

  it('refuses calls before the first reset', () => {
    const env = createMiniWorld('Hallway', SMALL);
    expect(() => env.step(0)).toThrow(/before `reset`/);
    expect(() => env.oracle()).toThrow(/before `reset`/);
  });
});

describe('the filter of textures', () => {
  type Quality = Pick<MiniWorldOptions, 'filter' | 'samples'>;
  const picture = (options: Quality) => {
    const env = createMiniWorld('PutNext', { obsWidth: 64, obsHeight: 48, ...options });
    const pictures = [1, 2, 3, 4].map((seed) => env.reset({ seed }).observation.data);
    return Uint8Array.from(pictures.flatMap((data) => [...data]));
  };
  const difference = (left: Uint8Array, right: Uint8Array) =>
    left.reduce((sum, byte, index) => sum + Math.abs(byte - right[index]!), 0) / left.length;

  it('is trilinear by default; `fast` and one sample draw nearly the same picture', () => {
    const plain = picture({});
    expect(difference(plain, picture({ filter: 'trilinear', samples: 4 }))).toBe(0);
    for (const options of [{ filter: 'fast' }, { samples: 1 }, { filter: 'fast', samples: 1 }] as const) {
      const mean = difference(plain, picture(options));
      expect([options, mean > 0 && mean < 8]).toEqual([options, true]);
      expect(difference(picture(options), picture(options))).toBe(0);
    }
    expect(() => picture({ samples: 2 as never })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

describe('the view from above', () => {
  it('says where on the map the agent is: the red triangle of the view from above is there', () => {
    const env = createMiniWorld('OneRoom');
    env.reset({ seed: 7 });
    const size = { height: 300, width: 400 };
    const { x, y, direction } = env.topMarker(size);
    const { data } = env.renderTop(size) as RgbImage;
    const at = 3 * (Math.round(y) * size.width + Math.round(x));
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    expect(red).toBeGreaterThan(2 * Math.max(green, blue));
    env.step(0); // turns left
    expect(env.topMarker(size).direction).toBeGreaterThan(direction);
    expect(env.topMarker(size)).toMatchObject({ x, y });
  });

  it('reaches through wrappers, as the type of `make` says', async () => {
    const env = timeLimit(5)(await make('MiniWorld-OneRoom-v0'));
    await env.reset({ seed: 7 });
    const plain = createMiniWorld('OneRoom');
    plain.reset({ seed: 7 });
    const size = { height: 30, width: 40 };
    expect(await env.renderTop!(size)).toEqual(plain.renderTop(size));
  });
});
