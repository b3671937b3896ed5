/** Features of custom worlds beyond the suite: meshes from objects, entities that appear, objects to carry. */
import {
  BoxGeometry,
  Color,
  DataTexture,
  Group,
  Mesh,
  MeshStandardMaterial,
  NoColorSpace,
  RGBAFormat,
  SRGBColorSpace,
  Texture,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { describe, expect, it } from 'vitest';
import { MiniWorldEnv } from '../env/miniworld-env.js';
import { defineMeshObject } from '../meshes/object-models.js';
import { Ball, Box, MeshEntity } from '../world/entity.js';
import type { World } from '../world/world.js';
import { defineTask, type Goal, NOTHING, type Task } from './task.js';

const ROOM = { minX: 0, maxX: 8, minZ: 0, maxZ: 6 };

function room(parts: Partial<Task> & { build(world: World): ReturnType<Task['build']> }): Task {
  return defineTask({ name: 'Own', phrase: 'look around', maxEpisodeSteps: 400, actions: 6, ...parts });
}

const sceneOf = async (file: ArrayBuffer) => (await new GLTFLoader().parseAsync(file, '')).scene;

/** A GLB file as glTF 2.0 defines it: header, JSON chunk, binary chunk. */
function greenPyramid(): ArrayBuffer {
  const corners = Float32Array.from([0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0, 4]);
  const faces = Uint16Array.from([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  const json = JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [0, 1, 0, 1] } }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [4, 8, 4] },
      { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 24 },
    ],
    buffers: [{ byteLength: 72 }],
  });
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
  const parts = [
    words(0x46546c67, 2, 12 + 8 + text.length + 8 + 72, text.length, 0x4e4f534a),
    text,
    words(72, 0x004e4942),
    Buffer.from(corners.buffer),
    Buffer.from(faces.buffer),
  ];
  return Uint8Array.from(Buffer.concat(parts)).buffer;
}

describe('a mesh from an object', () => {
  const facing = (mesh: string) =>
    room({
      build(world) {
        world.addRoom({ ...ROOM, noCeiling: true });
        world.placeEntity(new MeshEntity({ mesh, height: 2 }), { position: [4, 0, 3], direction: 0 });
        world.placeAgent({ position: [1, 0, 3], direction: 0 });
        return {};
      },
    });
  const seen = (mesh: string): Uint8Array => {
    const env = new MiniWorldEnv(facing(mesh), { obsWidth: 41, obsHeight: 41 });
    return (env.reset({ seed: 1 }).observation as { data: Uint8Array }).data;
  };
  const middle = (mesh: string): number[] => {
    const at = 3 * (20 * 41 + 20);
    return [...seen(mesh).subarray(at, at + 3)];
  };

  it('shows the colors of its materials, with groups moved and turned', () => {
    const group = new Group();
    const part = new Mesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial({ color: new Color(0x00ff00) }));
    part.position.set(5, 7, 5);
    group.add(part);
    defineMeshObject('green block', group);
    const [red, green, blue] = middle('green block');
    expect([red, blue]).toEqual([0, 0]);
    expect(green).toBeGreaterThan(100);
  });

  it('shows a texture', () => {
    const map = new DataTexture(new Uint8Array([0, 0, 255, 255]), 1, 1, RGBAFormat);
    map.needsUpdate = true;
    defineMeshObject('blue block', new Mesh(new BoxGeometry(), new MeshStandardMaterial({ map })));
    const [red, green, blue] = middle('blue block');
    expect([red, green]).toEqual([0, 0]);
    expect(blue).toBeGreaterThan(100);
  });

  it('shows a texture of sRGB in its bytes, not darker', () => {
    const block = (name: string, colorSpace: string) => {
      const map = new DataTexture(new Uint8Array([128, 128, 128, 255]), 1, 1, RGBAFormat);
      map.needsUpdate = true;
      map.colorSpace = colorSpace;
      defineMeshObject(name, new Mesh(new BoxGeometry(), new MeshStandardMaterial({ map })));
      return middle(name);
    };
    expect(block('gray block of sRGB', SRGBColorSpace)).toEqual(block('gray block', NoColorSpace));
  });

  it('can come from an OBJ file, with its proportions', () => {
    const text = 'v 0 0 0\nv 4 0 0\nv 0 8 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
    defineMeshObject('pyramid', new OBJLoader().parse(text));
    const pyramid = new MeshEntity({ mesh: 'pyramid', height: 2 });
    expect([pyramid.height, pyramid.radius]).toEqual([2, expect.closeTo(Math.hypot(2, 2) / 4, 6)]);
  });

  it('can come from a binary glTF file, with its color', async () => {
    const scene = await sceneOf(greenPyramid());
    defineMeshObject('glTF pyramid', scene);
    const pyramid = new MeshEntity({ mesh: 'glTF pyramid', height: 2 });
    expect([pyramid.height, pyramid.radius]).toEqual([2, expect.closeTo(Math.hypot(2, 2) / 4, 6)]);
    const data = seen('glTF pyramid');
    const isGreen = (at: number) => data[at] === 0 && data[at + 1]! > 50 && data[at + 2] === 0;
    expect(Array.from({ length: 41 * 41 }, (_, pixel) => isGreen(3 * pixel)).filter(Boolean).length).toBeGreaterThan(
      20,
    );
  });

  it('is refused without triangles, without pixels, or under a name that exists', () => {
    expect(() => defineMeshObject('empty', new Group())).toThrow('has no triangles');
    const pictured = new Mesh(new BoxGeometry(), new MeshStandardMaterial({ map: new Texture() }));
    expect(() => defineMeshObject('pictured', pictured)).toThrow('has no pixels');
    expect(() => defineMeshObject('cone', new Mesh(new BoxGeometry()))).toThrow('already exists');
  });
});

describe('the oracle carries', () => {
  const carry = (goalOf: (world: World, ball: Ball) => Goal, isDone: (world: World, ball: Ball) => boolean) =>
    room({
      build(world) {
        const hall = world.addRoom({ minX: 0, maxX: 5, minZ: 0, maxZ: 4 });
        const shed = world.addRoom({ minX: 6, maxX: 10, minZ: 0, maxZ: 4 });
        world.connectRooms(hall, shed, { minZ: 1, maxZ: 3 });
        const ball = world.placeEntity(new Ball('red'), { room: hall });
        world.placeAgent({ room: hall });
        return {
          goal: () => goalOf(world, ball),
          afterStep: () =>
            world.agent.carrying === undefined && isDone(world, ball) ? { reward: 1, terminated: true } : NOTHING,
        };
      },
    });
  const last = (task: Task, seed: number) => {
    const env = new MiniWorldEnv(task, { observation: 'text' });
    env.reset({ seed });
    for (;;) {
      const { reward, terminated, truncated } = env.step(env.oracle()!);
      if (terminated || truncated) return reward;
    }
  };

  it.each([1, 2, 3])('a ball into another room, seed %i', (seed) => {
    const task = carry(
      ({ rooms }, entity) => ({ kind: 'carry to', entity, to: rooms[1]! }),
      ({ rooms }, { x, z }) => rooms[1]!.contains(x, z),
    );
    expect(last(task, seed)).toBe(1);
  });

  it.each([1, 2, 3])('a ball to a place, seed %i', (seed) => {
    const to = { x: 8, z: 2, radius: 0.5 };
    const task = carry(
      (_, entity) => ({ kind: 'carry to', entity, to }),
      (_, { x, z }) => Math.hypot(x - to.x, z - to.z) < to.radius,
    );
    expect(last(task, seed)).toBe(1);
  });
});

describe('entities that appear during an episode', () => {
  /** A crate appears at every second step; crates vanish after ten. */
  const crates = (spawners: Task['spawners']) =>
    room({
      ...(spawners && { spawners }),
      build(world) {
        world.addRoom(ROOM);
        world.placeAgent({ position: [1, 0, 3], direction: 0 });
        return {
          afterStep() {
            const { stepCount: now } = world;
            if (now % 2 === 0) world.spawn('crate', { size: 0.2 + now / 100 }, { x: 3 + (now % 5), z: 1 + (now % 4) });
            const [oldest] = world.spawned;
            if (now === 10 && oldest) world.removeEntity(oldest.entity);
            return NOTHING;
          },
        };
      },
    });
  const task = () => crates({ crate: (data) => new Box('blue', (data as { size: number }).size) });

  it('are in snapshots, which continue in another environment with the same pictures', () => {
    const [one, other] = [new MiniWorldEnv(task()), new MiniWorldEnv(task())];
    one.reset({ seed: 4 });
    for (let step = 0; step < 13; step += 1) one.step(step % 3);
    other.restore(JSON.parse(JSON.stringify(one.snapshot())));
    expect(other.world.entities.map(({ label }) => label)).toEqual(one.world.entities.map(({ label }) => label));
    for (let step = 0; step < 6; step += 1) expect(other.step(step % 3)).toEqual(one.step(step % 3));
    expect(other.snapshot()).toEqual(one.snapshot());
  });

  it('are refused if the task cannot make them', () => {
    const [one, without] = [new MiniWorldEnv(task()), new MiniWorldEnv(crates(undefined))];
    one.reset({ seed: 4 });
    for (let step = 0; step < 3; step += 1) one.step(0);
    expect(() => without.restore(one.snapshot())).toThrow('of the kind "crate"');
    without.reset({ seed: 4 });
    without.step(0);
    expect(() => without.step(0)).toThrow('Unknown kind of entity "crate"');
  });

  it('need data that JSON keeps', () => {
    const env = new MiniWorldEnv(task());
    env.reset({ seed: 4 });
    for (const data of [() => 1, new Date(0), { size: Number.NaN }, 1n]) {
      expect(() => env.world.spawn('crate', data, { x: 1, z: 1 })).toThrow('is not JSON');
    }
  });
});
