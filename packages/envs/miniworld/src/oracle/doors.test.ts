/** Doors with keys, and what the oracle says where it has no action. */
import { make, register } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { MiniWorldEnv } from '../env/miniworld-env.js';
import { defineTask, type Goal, NOTHING, type Task } from '../tasks/task.js';
import { Door } from '../world/door.js';
import { Box, Key } from '../world/entity.js';
import type { World } from '../world/world.js';

interface Parts {
  readonly world: World;
  readonly key: Key;
  readonly door: Door;
  readonly treasure: Box;
}

/** A hall with a key, and a chamber behind a locked door. */
function vault(goal: (parts: Parts) => Goal | undefined, more: Partial<Task> = {}, half = 0.6): Task {
  return defineTask({
    name: 'Vault',
    phrase: 'open the vault',
    maxEpisodeSteps: 300,
    actions: 7,
    ...more,
    build(world) {
      const hall = world.addRoom({ minX: 0, maxX: 7, minZ: 0, maxZ: 6 });
      const chamber = world.addRoom({ minX: 7.2, maxX: 11, minZ: 1, maxZ: 5 });
      world.connectRooms(hall, chamber, { minZ: 3 - half, maxZ: 3 + half, maxY: 2 });
      const key = new Key('yellow');
      const door = new Door({ color: 'yellow', key });
      world.placeEntity(door, { position: [7.1, 0, 3], direction: 0 });
      const treasure = world.placeEntity(new Box('red', 0.6), { room: chamber, minX: 9.5 });
      world.placeEntity(key, { room: hall, maxX: 5 });
      world.placeAgent({ room: hall, maxX: 5 });
      const parts = { world, key, door, treasure };
      return {
        afterStep: () => (world.near(treasure) ? { reward: 1, terminated: true } : NOTHING),
        goal: () => goal(parts),
      };
    },
  });
}

const size = { obsWidth: 40, obsHeight: 30 };
const byDoor = ({ door, treasure }: Parts): Goal =>
  door.isOpen ? { kind: 'touch', entity: treasure } : { kind: 'open', entity: door };

describe('a door with a key', () => {
  it.each([1, 2, 3, 4, 5])('is opened by the oracle, which fetches the key: seed %i', (seed) => {
    const env = new MiniWorldEnv(vault(byDoor), size);
    env.reset({ seed });
    let last: ReturnType<typeof env.step> | undefined;
    while (!last?.terminated && !last?.truncated) last = env.step(env.oracle()!);
    expect(last.reward).toBe(1);
  });

  it('is a task of its own for each place of the key', () => {
    const env = new MiniWorldEnv(vault(byDoor), size);
    const keys = Array.from({ length: 20 }, (_, seed) => env.reset({ seed }).info.taskKey);
    expect(keys[0]).toMatch(/^world:open:\w+:locked yellow door@14,6<yellow key@/);
    expect(new Set(keys).size).toBeGreaterThan(15);
  });

  it('stays closed without its key, blocks, and is part of snapshots', () => {
    let parts: Parts | undefined;
    const task = vault((given) => {
      parts = given;
      return byDoor(given);
    });
    const env = new MiniWorldEnv(task, size);
    env.reset({ seed: 1 });
    env.oracle();
    const { world, door, key } = parts!;
    Object.assign(world.agent, { x: 6.1, z: 3, direction: 0 });
    for (let turn = 0; turn < 10; turn += 1) env.step(2);
    env.step(6);
    expect([door.label, world.agent.x < 6.6]).toEqual(['a locked yellow door', true]);
    world.agent.carrying = key;
    env.step(6);
    expect([door.isOpen, door.looks().kind, world.agent.carrying, key.x]).toEqual([true, 'none', undefined, door.x]);
    const snapshot = env.snapshot();
    Object.assign(world.agent, { x: 6.05 });
    env.step(6);
    expect(door.label).toBe('a closed yellow door'); // the key stays in it
    env.restore(snapshot);
    expect(env.world.entities.find((entity) => entity instanceof Door)?.label).toBe('an open yellow door');
  });
});

describe('an oracle that gave up without a reason', () => {
  const reasonOf = (task: Task, act: (env: MiniWorldEnv) => void = () => {}) => {
    const env = new MiniWorldEnv(task, size);
    env.reset({ seed: 1 });
    act(env);
    expect(env.oracle()).toBeUndefined();
    return env.oracleReason();
  };

  it('says which action the task lacks: actions: 5 has no "drop"', () => {
    const task = vault(({ door, key }) => (door.isOpen ? undefined : { kind: 'carry to', entity: key, to: { x: 3, z: 3, radius: 9 } }), { actions: 5 }); // biome-ignore format: one line
    const reason = reasonOf(task, (env) => {
      env.world.agent.carrying = env.world.entities.find((entity) => entity instanceof Key);
    });
    expect(reason).toBe('the next action is "drop", which this world does not have');
  });

  it('names the closed door in the way', () => {
    expect(reasonOf(vault(({ treasure }) => ({ kind: 'touch', entity: treasure })))).toBe(
      'no path leads to a red box past a locked yellow door',
    );
  });

  it('says that a goal is missing', () => {
    expect(reasonOf(vault(() => undefined))).toContain('no goal');
  });

  it('says that a task asks again for what was put down, in place of alternating until the time limit', () => {
    const task = vault(
      ({ world, key, treasure, door }) => {
        door.blocks = false;
        if (world.agent.carrying !== key) return { kind: 'pick up', entities: [key] };
        return { kind: 'touch', entity: treasure };
      },
      {},
      0.42,
    ); // the agent fits, and not with the key in front
    const env = new MiniWorldEnv(task, size);
    env.reset({ seed: 2 });
    let steps = 0;
    for (let action = env.oracle(); action !== undefined && steps < 300; action = env.oracle()) {
      env.step(action);
      steps += 1;
    }
    expect(env.oracleReason()).toContain('and the task asks for it again');
    expect(steps).toBeLessThan(100);
  });
});

it('a map and the reason are there through wrappers', async () => {
  register({
    id: 'test/Vault-v0',
    entryPoint: () =>
      new MiniWorldEnv(
        vault(() => undefined),
        size,
      ),
  });
  const env = await make('test/Vault-v0');
  await env.reset({ seed: 1 });
  expect(await env.renderTop!({ height: 30, width: 40 })).toMatchObject({ height: 30, width: 40, channels: 3 });
  expect(env.topMarker!({ height: 30, width: 40 })).toMatchObject({ x: expect.any(Number) });
  expect(env.oracleReason!()).toContain('no goal');
  await env.close();
});
