import { type AnyEnv, type Image, make, promptImages } from '@vlgym/core';
import '@vlgym/points24';
import type { Policy } from '@vlgym/rl';
import { afterEach, describe, expect, it } from 'vitest';
import { judgmentOfTask } from '../evaluation/judgment.js';
import { RunEvaluations } from '../evaluation/run-evaluations.js';
import { algorithmOf } from '../run-options.js';
import { completeTask } from '../settings/settings.js';
import { taskSchema } from '../spec.js';
import { controls, pictureControls, runControl, runControls } from './index.js';
import { blanked, shuffled, startPictures } from './replaced-pictures.js';

const environments: AnyEnv[] = [];
afterEach(async () => {
  await Promise.all(environments.splice(0).map((env) => env.close()));
});

const small = { size: { height: 42, width: 56 } };
const allTasks = () => make('vlgym/EZPoints-v1', { options: small });

async function open(wrap = (env: AnyEnv) => env): Promise<AnyEnv> {
  const env = wrap(await make('vlgym/EZPoints-v1', { options: { ...small, split: 'test' } }));
  environments.push(env);
  return env;
}

async function firstPrompt(env: AnyEnv, seed: number) {
  const { observation, info } = await env.reset({ seed });
  const [picture] = promptImages(env.dialogue!.prompt({ observation, info, history: [] }));
  return { observation: observation as Image, info, picture: picture! };
}

describe('pictures of an evaluation', () => {
  it('are one even gray of the same size, and the environment itself stays as it is', async () => {
    const [plain, gray] = [await firstPrompt(await open(), 3), await firstPrompt(await open(blanked), 3)];
    expect(gray.info).toEqual(plain.info);
    expect(gray.observation).toEqual(plain.observation);
    expect(gray.picture).toMatchObject({ width: plain.picture.width, height: plain.picture.height });
    expect(new Set(gray.picture.data)).toEqual(new Set([128]));
  });

  it('are those of another task, whatever the seed', async () => {
    const pool = await startPictures(allTasks, [0, 1, 2, 3, 4, 5, 6, 7]);
    const [plain, other] = [await open(), await open((env) => shuffled(env, pool))];
    for (let seed = 0; seed < 12; seed += 1) {
      const [own, wrong] = [await firstPrompt(plain, seed), await firstPrompt(other, seed)];
      expect(wrong.info).toEqual(own.info);
      expect(wrong.observation).toEqual(own.observation);
      const shown = pool.find(({ images }) => images[0] === wrong.picture);
      expect(shown?.taskKey).not.toBe(own.info.taskKey);
      expect(shown).toBeDefined();
      expect((await firstPrompt(other, seed)).picture).toEqual(wrong.picture);
    }
  });

  it('are not played again where prompts have none', async () => {
    const task = completeTask(taskSchema.parse({ env: 'vlgym/EZPoints-v1', envOptions: { observation: 'text' } }));
    const never = {} as Policy;
    const evaluations = new RunEvaluations(task, never, { settings: judgmentOfTask(task), start: '', folder: '' });
    expect(await evaluations.pictures(new AbortController().signal)).toEqual({});
  });

  it('change nothing else of the dialogue', async () => {
    const [plain, gray] = [await open(), await open(blanked)];
    const { observation, info } = await gray.reset({ seed: 3 });
    const context = { observation, info, history: [] };
    const members = (env: AnyEnv) => Object.keys(env.dialogue!).sort();
    expect(members(gray)).toEqual(members(plain));
    const [action] = gray.dialogue!.choices?.(context) ?? [0];
    expect(gray.dialogue!.demonstrate!(context, action)).toBe(plain.dialogue!.demonstrate!(context, action));
  });

  it('stay wrong while the episode continues', async () => {
    const pool = await startPictures(allTasks, [0, 1, 2, 3]);
    const env = await open((inner) => shuffled(inner, pool));
    const { picture } = await firstPrompt(env, 3);
    const { observation, info } = await env.step(env.oracle!());
    expect(promptImages(env.dialogue!.prompt({ observation, info, history: [] }))).toEqual([picture]);
  });
});

describe('the registry', () => {
  it('has each name once', () => {
    expect(new Set(controls().map(({ name }) => name)).size).toBe(controls().length);
    expect(runControls().length + pictureControls.length).toBe(controls().length);
  });

  it('holds choices that the algorithms have', () => {
    const base = { replicate: false, env: 'vlgym/EZPoints-v1', model: 'tiny' } as const;
    for (const control of runControls()) {
      if (control.kind === 'algorithm') expect(algorithmOf({ ...base, ...control })).toBeDefined();
    }
  });

  it('offers the nearest name', () => {
    expect(() => runControl('beta-1')).toThrow(
      expect.objectContaining({ code: 'USAGE', hint: 'did you mean "beta-0"?' }),
    );
  });
});
