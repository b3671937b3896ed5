/** Worlds, steps and pictures agree with recorded runs of minigrid 3.2.0; texts with BALROG's fork of it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { make, type RgbImage } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import type { TextAndImage } from './env/observations.js';
import { BALROG_ACTIONS, balrogInstruction, createMiniGrid, LEVELS, type LevelId, type MixedKind } from './index.js';

type Step = [
  action: number,
  reward: number,
  terminated: 0 | 1,
  truncated: 0 | 1,
  x: number,
  y: number,
  direction: number,
  observation: string,
];
interface Episode {
  id: LevelId;
  seed: number;
  mission: string;
  maxSteps: number;
  size: number[];
  agent: number[];
  grid: string;
  obs: string;
  steps: Step[];
  gridEnd: string;
}
interface Frames {
  id: LevelId;
  seed: number;
  kind: string;
  shape: number[];
  hashes: string[];
  actions: number[];
}
interface TextEpisode {
  task: MixedKind;
  seed: number;
  mission: string;
  maxSteps: number;
  instruction: string;
  size: number[];
  agent: number[];
  text: string;
  image: string;
  steps: [action: string, reward: number, terminated: boolean, truncated: boolean, text: string, image: string][];
}

const read = (name: string) =>
  JSON.parse(gunzipSync(readFileSync(new URL(`../../../../test/golden/${name}`, import.meta.url))).toString());
const { episodes, frames } = read('minigrid.json.gz') as { episodes: Episode[]; frames: Frames[] };
const hash = (data: Uint8Array | string, digits = 16) =>
  createHash('sha256').update(data).digest('hex').slice(0, digits);

it('every recorded id is there, and no other', () => {
  expect([...new Set(episodes.map(({ id }) => id))].sort()).toEqual(Object.keys(LEVELS).sort());
});

describe.each(Object.keys(LEVELS) as LevelId[])('%s', (id) => {
  const recorded = episodes.filter((episode) => episode.id === id);

  it.each(recorded)('seed $seed begins and continues as recorded', (episode) => {
    const env = createMiniGrid(id);
    const { observation } = env.reset({ seed: episode.seed });
    const { world } = env;
    expect(observation.mission).toBe(episode.mission);
    expect([world.maxSteps, world.width, world.height]).toEqual([episode.maxSteps, ...episode.size]);
    expect([world.agentX, world.agentY, world.direction]).toEqual(episode.agent);
    expect([hash(world.grid.encode()), hash(observation.image)]).toEqual([episode.grid, episode.obs]);
    const rows = episode.steps.map(([action, , , , , , , wanted]): Step => {
      const { observation: seen, reward, terminated, truncated } = env.step(action);
      const flags = [Number(terminated), Number(truncated)] as [0 | 1, 0 | 1];
      const agent = [world.agentX, world.agentY, seen.direction] as const;
      return [action, reward, ...flags, ...agent, hash(seen.image, wanted.length)];
    });
    expect(rows).toEqual(episode.steps);
    expect(hash(world.grid.encode())).toBe(episode.gridEnd);
  });
});

describe('pictures', () => {
  it.each(frames)('$id, $kind, are the recorded ones to the last bit', ({ id, seed, kind, shape, hashes, actions }) => {
    const view = kind.startsWith('full') ? 'whole' : 'agent';
    const env = createMiniGrid(id, { observation: 'image', view, tileSize: Number(/\d+/.exec(kind)![0]) });
    const first = env.reset({ seed }).observation;
    expect([first.height, first.width, first.channels]).toEqual(shape);
    const rest = actions.slice(0, hashes.length - 1).map((action) => env.step(action).observation);
    expect([first, ...rest].map(({ data }) => hash(data))).toEqual(hashes);
  });

  it.each(frames.filter(({ kind }) => kind === 'full32'))(
    'of $id are those of `render`',
    async ({ id, seed, hashes }) => {
      const env = await make(id, { renderMode: 'rgb_array' });
      await env.reset({ seed });
      expect(hash(((await env.render()) as RgbImage).data)).toBe(hashes[0]);
    },
  );
});

describe('BabyAI-Text', () => {
  const recorded = read('balrog-babyai.json.gz') as TextEpisode[];

  it.each(recorded)('$task, seed $seed, tells and shows what BALROG does', async (episode) => {
    const options = { kind: episode.task, observation: 'both', tileSize: 16, dialogue: 'balrog-naive-v1' } as const;
    const env = await make('BabyAI-MixedTrainLocal-v0', { options });
    const { observation, info } = await env.reset({ seed: episode.seed });
    const { world } = env.unwrapped as unknown as ReturnType<typeof createMiniGrid>;
    expect([info.mission, info.maxSteps]).toEqual([episode.mission, episode.maxSteps]);
    expect([world.width, world.height]).toEqual(episode.size);
    expect([world.agentX, world.agentY, world.direction]).toEqual(episode.agent);
    expect(hash(balrogInstruction(info.mission))).toBe(episode.instruction);
    const told = ({ text, image }: TextAndImage, digits: number) => [text, hash(image.data, digits)];
    expect(told(observation, 16)).toEqual([episode.text, episode.image]);
    for (const [action, reward, terminated, truncated, text, image] of episode.steps) {
      const step = await env.step(BALROG_ACTIONS.indexOf(action as (typeof BALROG_ACTIONS)[number]));
      expect([step.reward, step.terminated, step.truncated]).toEqual([reward, terminated, truncated]);
      expect(told(step.observation, 8)).toEqual([text, image]);
    }
  });
});
