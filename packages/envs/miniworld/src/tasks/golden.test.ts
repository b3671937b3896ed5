/**
 * 340 recorded episodes of the original, without pictures: positions and directions to 1e-9, rewards, ends, the carried
 * entity, and the generator's state to the last bit.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Generator } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { Agent, Box, type Entity, MeshEntity } from '../world/entity.js';
import { ImageFrame, TextFrame } from '../world/frames.js';
import type { Room } from '../world/room.js';
import { Simulation } from './simulation.js';
import { SUITE, type TaskName } from './suite.js';

interface RecordedEntity {
  readonly pos: number[];
  readonly dir: number;
  readonly radius: number;
  readonly height: number;
  readonly size?: number[];
  readonly color_vec?: number[];
  readonly mesh?: string;
  readonly scale?: number;
  readonly static?: boolean;
  readonly width?: number;
  readonly texs?: string[];
  readonly cam_height?: number;
  readonly cam_fwd_disp?: number;
  readonly cam_pitch?: number;
  readonly cam_fov_y?: number;
}

interface RecordedRoom {
  readonly outline: number[][];
  readonly wall_height: number;
  readonly no_ceiling: boolean;
  readonly tex: string[];
  readonly portals: number[][][];
}

interface RecordedGenerator {
  readonly state: string;
  readonly inc: string;
  readonly has_uint32: number;
  readonly uinteger: number;
}

interface RecordedEpisode {
  readonly seed: number;
  readonly mode: string;
  readonly actions: string;
  readonly reset: {
    readonly agent: [number[], number];
    readonly entities: RecordedEntity[];
    readonly rng: RecordedGenerator;
    readonly n_wall_segs: number;
    readonly n_rooms: number;
    readonly rooms?: RecordedRoom[];
    readonly sky_color?: number[];
    readonly light_pos?: number[];
    readonly light_color?: number[];
    readonly light_ambient?: number[];
  };
  readonly steps: number[][];
  readonly final: {
    readonly entities_pos_dir: [number[], number, number][];
    readonly rng: RecordedGenerator;
    readonly step_count: number;
  };
}

interface RecordedEnv {
  readonly max_episode_steps: number | null;
  readonly n_actions: number;
  readonly max_forward_step: number;
  readonly plain: RecordedEpisode[];
  readonly domain_rand: RecordedEpisode[];
}

const file = new URL('../../../../../test/golden/miniworld-trajectories.json.gz', import.meta.url);
const golden = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { envs: Record<string, RecordedEnv> };

const nameOf = (id: string) => id.replace(/^MiniWorld-|-v0$/g, '') as TaskName;

const episodes = Object.entries(golden.envs).flatMap(([id, env]) =>
  (['plain', 'domain_rand'] as const).flatMap((kind) =>
    env[kind].map((episode) => ({ id, kind, seed: episode.seed, mode: episode.mode, episode })),
  ),
);

/** Largest difference so far; the claim is 1e-9. */
function near(actual: readonly number[], expected: readonly number[], where: string): void {
  const worst = Math.max(...expected.map((value, index) => Math.abs(value - actual[index]!)), 0);
  expect(actual.length, where).toBe(expected.length);
  expect(worst, where).toBeLessThan(1e-9);
}

function sameGenerator(rng: Generator, { state, inc, has_uint32, uinteger }: RecordedGenerator): void {
  expect(rng.getState()).toEqual({ state, inc, hasUint32: has_uint32 === 1, uinteger });
}

function sameEntity(entity: Entity, recorded: RecordedEntity, where: string): void {
  near([entity.x, entity.y, entity.z, entity.direction], [...recorded.pos, recorded.dir], where);
  near([entity.radius, entity.height], [recorded.radius, recorded.height], where);
  if (entity instanceof Box)
    near([...entity.size, ...entity.shownColor], [...recorded.size!, ...recorded.color_vec!], where);
  if (entity instanceof MeshEntity) {
    near([entity.scale], [recorded.scale!], where);
    expect([entity.mesh, entity.isStatic], where).toEqual([recorded.mesh, recorded.static]);
  }
  if (entity instanceof ImageFrame || entity instanceof TextFrame) near([entity.width], [recorded.width!], where);
  if (entity instanceof Agent) {
    const { cam_height, cam_fwd_disp, cam_pitch, cam_fov_y } = recorded;
    near(
      [entity.camHeight, entity.camFwdDisp, entity.camPitch, entity.camFovY],
      [cam_height!, cam_fwd_disp!, cam_pitch!, cam_fov_y!],
      where,
    );
  }
}

function sameRoom(room: Room, recorded: RecordedRoom, where: string): void {
  near(room.outline.flat(), recorded.outline.flat(), where);
  expect([room.wallHeight, room.noCeiling], where).toEqual([recorded.wall_height, recorded.no_ceiling]);
  const { wall, floor, ceiling } = room.variants;
  const textures = [
    `${room.wallTexture}_${wall}`,
    `${room.floorTexture}_${floor}`,
    `${room.ceilingTexture}_${ceiling}`,
  ];
  expect(textures.slice(0, recorded.tex.filter(Boolean).length), where).toEqual(recorded.tex.filter(Boolean));
  near(
    room.edges.flatMap(({ portals }) => portals.flatMap(({ start, end, minY, maxY }) => [start, end, minY, maxY])),
    recorded.portals.flat(2),
    where,
  );
}

describe('the recorded episodes of the original', () => {
  it('are 340', () => expect(episodes.length).toBe(340));

  it.each(Object.entries(golden.envs))('%s has the limit, actions and reach recorded', (id, recorded) => {
    const task = SUITE[nameOf(id)]();
    expect(task.maxEpisodeSteps).toBe(recorded.max_episode_steps ?? Number.POSITIVE_INFINITY);
    expect(task.actions ?? 3).toBe(recorded.n_actions);
    expect(new Simulation(task).parameters.forwardStep.max).toBe(recorded.max_forward_step);
  });

  it.each(episodes)('$id replays exactly, $kind, seed $seed, $mode', ({ id, kind, episode }) => {
    const simulation = new Simulation(SUITE[nameOf(id)](), { domainRand: kind === 'domain_rand' });
    const rng = new Generator(episode.seed);
    simulation.reset(rng);
    const { world } = simulation;
    const { agent } = world;
    const { reset, final } = episode;

    sameGenerator(rng, reset.rng);
    expect([world.rooms.length, world.segments.length / 4]).toEqual([reset.n_rooms, reset.n_wall_segs]);
    for (const [index, room] of (reset.rooms ?? []).entries()) sameRoom(world.rooms[index]!, room, `room ${index}`);
    expect(world.entities.length).toBe(reset.entities.length);
    const built = [...world.entities];
    for (const [index, recorded] of reset.entities.entries()) sameEntity(built[index]!, recorded, `entity ${index}`);
    if (reset.sky_color) {
      const { skyColor, lightPos, lightColor, lightAmbient } = world.atmosphere;
      near(
        [...skyColor, ...lightPos, ...lightColor, ...lightAmbient],
        [reset.sky_color, reset.light_pos!, reset.light_color!, reset.light_ambient!].flat(),
        'light',
      );
    }

    for (const [index, row] of episode.steps.entries()) {
      const action = Number(episode.actions[index]);
      simulation.act(action);
      const { reward, terminated, truncated, info } = simulation.judge(action);
      const carried = agent.carrying ? built.indexOf(agent.carrying) : -1;
      const [x, z, direction, ...rest] = row;
      near([agent.x, agent.z, agent.direction], [x!, z!, direction!], `step ${index}`);
      const health = 'health' in info ? [info.health] : [];
      near([reward], [rest[0]!], `reward of step ${index}`);
      expect([Number(terminated), Number(truncated), carried, ...health], `step ${index}`).toEqual(rest.slice(1));
    }

    sameGenerator(rng, final.rng);
    expect(world.stepCount).toBe(final.step_count);
    expect(world.entities.map((entity) => built.indexOf(entity))).toEqual(final.entities_pos_dir.map(([, , i]) => i));
    for (const [position, direction, index] of final.entities_pos_dir) {
      const { x, y, z, direction: actual } = built[index]!;
      near([x, y, z, actual], [...position, direction], `entity ${index} at the end`);
    }
  });
});
