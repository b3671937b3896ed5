/** Rooms, episodes, maps, prompts and readings agree with recorded runs of the originals. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { make } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import {
  FrozenLakeEnv,
  generateRoom,
  generatorsOf,
  LAKE_WORDS,
  type LakeMapName,
  parseVagen,
  randomMap,
  SOKOBAN_WORDS,
  SokobanEnv,
  solve,
  type VagenFormat,
  vagenInstruction,
  vagenMap,
} from './index.js';
import { digits, PLAYER } from './sokoban/room.js';

const read = (name: string) =>
  JSON.parse(gunzipSync(readFileSync(new URL(`../../../../test/golden/${name}`, import.meta.url))).toString());
const hash = (data: Uint8Array | string, count = 16) => createHash('sha256').update(data).digest('hex').slice(0, count);

const pictureHash = ({ observation }: { readonly observation: unknown }, count: number) =>
  hash((observation as { data: Uint8Array }).data, count);

interface RecordedRoom {
  seed: number;
  dim: [number, number];
  boxes: number;
  fixed?: string;
  state?: string;
  explored?: number;
  score?: number;
  raises?: string;
  after: number[];
  shortest?: number[];
}
type RecordedStep = [number, number, boolean, boolean, boolean, string, string, string];

const sokoban = read('sokoban.json.gz') as {
  rooms: RecordedRoom[];
  episodes: { seed: number; maxSteps: number; first: string; steps: RecordedStep[] }[];
};

describe('Sokoban', () => {
  it.each(sokoban.rooms)(
    'room of seed $seed, $dim, $boxes boxes',
    ({ seed, dim: [rows, columns], boxes, ...wanted }) => {
      const generators = generatorsOf(seed);
      const drawn = generateRoom({ rows, columns, boxes }, generators);
      const after = [generators.python.random(), generators.numpy.random()];
      const found =
        'reason' in drawn
          ? { raises: drawn.reason }
          : {
              fixed: digits(drawn.room.fixed),
              state: digits(drawn.room.state),
              explored: drawn.explored,
              score: drawn.score,
              ...(wanted.shortest && { shortest: solve(drawn.room, drawn.room.state.indexOf(PLAYER)) }),
            };
      expect({ ...found, after }).toEqual(wanted);
    },
  );

  it.each(sokoban.episodes)('episode of seed $seed', ({ seed, maxSteps, steps }) => {
    const env = new SokobanEnv({ rows: 6, columns: 6, boxes: 1, maxSteps, look: 'tiny', tileSize: 1 });
    env.reset({ seed });
    for (const [action, reward, done, movedPlayer, movedBox, state, , tiny] of steps) {
      const step = env.step(action);
      const { game } = env.snapshot().state as { game: { state: string } };
      expect([step.reward, step.terminated || step.truncated, game.state]).toEqual([reward, done, state]);
      expect([step.info['action.moved_player'], step.info['action.moved_box']]).toEqual([movedPlayer, movedBox]);
      expect(pictureHash(step, 8)).toBe(tiny);
    }
  });

  const surfaces = process.env.VLGYM_SOKOBAN_SURFACE;
  it.skipIf(!surfaces).each(sokoban.episodes)('pictures of seed $seed with the tiles of the original', (episode) => {
    const env = new SokobanEnv({ rows: 6, columns: 6, boxes: 1, assets: surfaces! });
    expect(pictureHash(env.reset({ seed: episode.seed }), 16)).toBe(episode.first);
    for (const [action, , , , , , wanted] of episode.steps) expect(pictureHash(env.step(action), 8)).toBe(wanted);
  });
});

interface RecordedMap {
  size: number;
  p: number;
  seed: number;
  map: string[];
}
const lake = read('frozen-lake.json.gz') as {
  maps: RecordedMap[];
  frozenLake: {
    options: {
      map_name: LakeMapName;
      is_slippery: boolean;
      success_rate?: number;
      reward_schedule?: [number, number, number];
    };
    seed: number;
    start: number;
    steps: [number, number, number, boolean, boolean, number][];
    ansi: string;
  }[];
};
const vagen = read('vagen.json.gz') as {
  parse: {
    response: string;
    format: VagenFormat;
    maxActions: number;
    actions: string[];
    formatCorrect: boolean;
    llmResponse: string;
    think: string;
  }[];
  promptHashes: Record<string, string>;
  frozenLakeMaps: RecordedMap[];
};

describe('FrozenLake', () => {
  it.each(lake.maps)("Gymnasium's map of $size, $p, seed $seed", ({ size, p, seed, map }) => {
    expect(randomMap(size, p, seed)).toEqual(map);
  });

  it.each(vagen.frozenLakeMaps)("VAGEN's map of $size, $p, seed $seed", ({ size, p, seed, map }) => {
    expect(vagenMap(size, p, seed)).toEqual(map);
  });

  it.each(lake.frozenLake)('$options, seed $seed', ({ options, seed, start, steps, ansi }) => {
    const env = new FrozenLakeEnv({
      mapName: options.map_name,
      isSlippery: options.is_slippery,
      successRate: options.success_rate,
      rewardSchedule: options.reward_schedule,
      renderMode: 'ansi',
    });
    expect(env.reset({ seed }).observation).toBe(start);
    const rows = steps.map(([action]) => {
      const { observation, reward, terminated, truncated, info } = env.step(action);
      return [action, observation, reward, terminated, truncated, info.prob];
    });
    expect(rows).toEqual(steps);
    expect(env.render()).toBe(ansi);
  });
});

describe('VAGEN', () => {
  it('reads 528 answers as recorded', () => {
    const found = vagen.parse.map(({ response, format, maxActions }) => {
      const { actions, formatCorrect, think, canonical } = parseVagen(response, format, maxActions);
      return { response, format, maxActions, actions, formatCorrect, llmResponse: canonical, think };
    });
    expect(found).toEqual(vagen.parse);
  });

  it.each(Object.entries(vagen.promptHashes))('asks with the recorded words: %s', (key, wanted) => {
    const [game, format, max, examples] = key.split('/') as [string, VagenFormat, string, string];
    const words = game === 'sokoban' ? SOKOBAN_WORDS : LAKE_WORDS;
    expect(hash(vagenInstruction(words, format, Number(max), examples === 'True'))).toBe(wanted);
  });

  it.each(sokoban.rooms.filter(({ dim, boxes, raises }) => dim[0] === 6 && boxes === 1 && !raises).slice(0, 20))(
    'plays the room of seed $seed',
    async ({ seed, shortest }) => {
      const env = await make('vagen/Sokoban-v0', { options: { maxActions: 20 } });
      await env.reset({ seed });
      const words = { 1: 3, 2: 1, 3: 0, 4: 2 } as Record<number, number>;
      expect(env.oracle!()).toEqual(shortest!.slice(0, 20).map((action) => words[action]));
    },
  );

  it.each(vagen.frozenLakeMaps.filter(({ size }) => size === 4))(
    'plays the lake of seed $seed',
    async ({ seed, map }) => {
      const env = await make('vagen/FrozenLake-v0');
      const { observation } = await env.reset({ seed });
      const letters: Record<string, string> = { F: ' _ ', S: ' P ', H: ' O ', G: ' G ' };
      expect(observation).toBe(map.map((row) => [...row].map((letter) => letters[letter]).join('')).join('\n'));
    },
  );
});
