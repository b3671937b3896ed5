import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnyEnv, StepResult } from '../env.js';
import { hashImage } from '../images/hash-image.js';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { checkTrajectory } from './check.js';
import type { EpisodeStep } from './episode.js';
import { collect, writeEpisodes } from './fixtures/folder.js';
import { PictureWalk } from './fixtures/picture-walk.js';
import { play } from './fixtures/play.js';
import { readTrajectories } from './reader.js';
import { recordEpisode } from './recorder.js';
import { TRAJECTORY_SCHEMA, type Trajectory } from './schema.js';
import { TrajectoryWriter } from './writer.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-trajectory-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const episodesFile = () => join(folder, 'episodes.jsonl');

describe('a recorded episode', () => {
  it('has all data of the episode', async () => {
    const env = new PictureWalk();
    const first = env.reset({ seed: 5 });
    const recorder = await recordEpisode({
      env,
      first,
      seed: 5,
      agent: { name: 'me', model: 'tiny' },
      group: 'deck 5',
    });
    const text = 'I must go right';
    const parsed = env.dialogue.parse(text);
    const result = env.step(1);
    await recorder.step({
      prompt: env.dialogue.prompt({ observation: first.observation, info: first.info, history: [] }),
      turn: {
        text,
        parsed,
        completion: {
          tokenIds: Int32Array.of(5, 6, 2),
          logProbs: Float32Array.of(-0.5, -0.25, 0),
          behaviorLogProbs: Float32Array.of(-0.5, -0.125, 0),
          tokenEnds: Int32Array.of(10, 15, 15),
          finishReason: 'stop',
          promptTokenIds: Int32Array.of(1, 2, 3),
        },
        usage: { requests: 1, inputTokens: 3, outputTokens: 3, cost: 0 },
        value: 0.75,
        policyVersion: 4,
      },
      action: 1,
      result,
      latencyMs: 12.5,
    });
    const trajectory = await recorder.end({ success: false });

    const [before, after] = [first.observation, result.observation].map(hashImage);
    expect(trajectory).toEqual({
      schema: TRAJECTORY_SCHEMA,
      id: 'PictureWalk.5',
      createdBy: { '@vlgym/core': expect.stringMatching(/^\d+\.\d+\.\d+/) },
      dialogue: 'picture-walk/plain-v1',
      seed: 5,
      agent: { name: 'me', model: 'tiny' },
      group: 'deck 5',
      observation: { digest: before, images: [before] },
      info: first.info,
      steps: [
        {
          index: 0,
          prompt: [
            { role: 'system', content: 'Walk to the right.' },
            {
              role: 'user',
              content: [
                { type: 'text', text: 'left or right?' },
                { type: 'image', image: before },
              ],
            },
          ],
          response: text,
          thought: 'I must go ',
          actionText: 'right',
          legal: true,
          formatValid: true,
          spans: { thought: [0, 10], action: [10, 15] },
          tokens: {
            promptIds: [1, 2, 3],
            ids: [5, 6, 2],
            logProbs: [-0.5, -0.25, 0],
            behaviorLogProbs: [-0.5, -0.125, 0],
            tokenEnds: [10, 15, 15],
            finishReason: 'stop',
            thoughtMask: [1, 0, 0],
            actionMask: [0, 1, 1],
          },
          value: 0.75,
          policyVersion: 4,
          action: 1,
          reward: result.reward,
          rewardParts: result.info.rewardParts,
          terminated: false,
          truncated: false,
          observation: { digest: after, images: [after] },
          info: result.info,
          usage: { requests: 1, inputTokens: 3, outputTokens: 3, cost: 0 },
          latencyMs: 12.5,
        },
      ],
      outcome: { return: result.reward, length: 1, success: false, endedBy: 'interrupted' },
    });
    expect(await recorder.images.load(before!)).toEqual(first.observation);
  });

  it.each([
    ['the environment itself', { result: { truncated: true } }, 'environment', 'truncated'],
    ['a crashed environment', { error: failure('environment') }, 'environment-error', 'error'],
    ['a lost model', { action: undefined, error: failure('model') }, 'model-error', 'error'],
    ['the step limit of a runner', { result: {}, truncationReason: 'step-limit' }, 'step-limit', 'truncated'],
    ['a stopped run', { action: undefined }, 'interrupted', 'truncated'],
  ] as const)('records that %s truncated it', async (_, step, truncationReason, endedBy) => {
    const trajectory = await scripted([{ action: 0, ...step }]);
    expect(trajectory.steps[0]).toMatchObject({ truncated: true, truncationReason });
    expect(trajectory.outcome.endedBy).toBe(endedBy);
    expect(await checkTrajectory(trajectory)).toEqual({ ok: true, problems: [] });
  });

  it('keeps the order of steps that were not awaited', async () => {
    const env = new PictureWalk();
    const first = env.reset({ seed: 1 });
    const recorder = await recordEpisode({ env, first, seed: 1 });
    for (const action of [1, 0, 1, 1]) void recorder.step({ action, result: env.step(action) });
    const { steps } = await recorder.end();
    expect(steps.map(({ index, action }) => [index, action])).toEqual([
      [0, 1],
      [1, 0],
      [2, 1],
      [3, 1],
    ]);
  });

  it('continues after an error that did not reach the environment', async () => {
    const trajectory = await scripted([{ action: 1, fallback: true, error: failure('parser'), result: {} }]);
    expect(trajectory.steps[0]).toMatchObject({ truncated: false, fallback: true, error: { boundary: 'parser' } });
  });

  it('keeps small observations without pictures, pictures by name, and large ones by digest only', async () => {
    const { observation } = new PictureWalk().reset({ seed: 1 });
    const small = await scripted([], 17);
    const nested = await scripted([], { frames: [observation, observation], text: 'hi' });
    const large = await scripted([], 'x'.repeat(20_000));
    expect(small.observation).toEqual({ digest: expect.any(String), value: 17 });
    expect(nested.observation).toEqual({
      digest: expect.any(String),
      images: [hashImage(observation), hashImage(observation)],
    });
    expect(large.observation).toEqual({ digest: expect.any(String) });
  });

  it.each([
    ['a reward that is not a number', { result: { reward: Number.NaN } }, 'step.reward'],
    [
      'a log-probability of minus infinity',
      { turn: completionOf([Number.NEGATIVE_INFINITY]) },
      'step.tokens.logProbs.0',
    ],
    ['a fractional policy version', { turn: { text: '', policyVersion: 0.5 } }, 'step.policyVersion'],
  ] as const)('refuses %s, names it, and keeps earlier steps', async (_, step, path) => {
    const recorder = await recordEpisode({ env: anyEnv(), first: { observation: 0, info: {} } });
    await recorder.step({ action: 0, result: answer({}) });
    const broken = { action: 0, ...step, result: answer('result' in step ? step.result : {}) };
    await expect(recorder.step(broken)).rejects.toMatchObject({
      code: 'TRAJECTORY_INVALID',
      message: expect.stringContaining(path),
    });
    expect((await recorder.end()).outcome.length).toBe(1);
    await expect(recorder.end()).rejects.toMatchObject({ code: 'TRAJECTORY_INVALID' });
  });
});

describe('TrajectoryWriter and readTrajectories', () => {
  it('return every episode, for any number of parallel ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(episodeInputs(), { minLength: 1, maxLength: 4 }), async (episodes) => {
        await rm(episodesFile(), { force: true });
        const writer = await TrajectoryWriter.open(folder);
        const recorded = await Promise.all(
          episodes.map(async ({ id, steps, info }) => {
            const recorder = await writer.start({ id, env: anyEnv(), first: { observation: 0, info }, seed: 3 });
            for (const step of steps) await recorder.step(step);
            return recorder.end();
          }),
        );
        await writer.close();
        const byId = (a: Trajectory, b: Trajectory) => (a.id < b.id ? -1 : 1);
        const read = await collect(readTrajectories(folder));
        expect(read.sort(byId)).toEqual(JSON.parse(JSON.stringify(recorded.sort(byId))));
      }),
      { numRuns: 40 },
    );
  });

  it('write each picture once, and load it', async () => {
    const writer = await TrajectoryWriter.open(folder);
    const [a, b] = await Promise.all([1, 1].map((seed) => play({ seed, record: (start) => writer.start(start) })));
    await writer.close();
    expect([a!.id, b!.id]).toEqual(['PictureWalk.1', 'PictureWalk.1~2']);
    expect(await readdir(join(folder, 'images'))).toHaveLength(a!.steps.length + 1);
    const reader = readTrajectories(folder);
    const env = new PictureWalk();
    expect(await reader.loadImage(a!.observation.digest)).toEqual(env.reset({ seed: 1 }).observation);
  });

  it('write equal bytes for equal episodes', async () => {
    const files = [];
    for (const name of ['a', 'b']) {
      const writer = await TrajectoryWriter.open(join(folder, name));
      await play({ seed: 4, record: (start) => writer.start(start) });
      await writer.close();
      files.push(await readFile(join(folder, name, 'episodes.jsonl'), 'utf8'));
    }
    expect(files[0]).toBe(files[1]);
  });

  it('read an unfinished episode as far as it was recorded', async () => {
    const writer = await TrajectoryWriter.open(folder);
    const recorder = await writer.start({ env: anyEnv(), first: { observation: 0, info: {} } });
    for (let i = 0; i < 3; i++) await recorder.step({ action: 0, result: answer({}) });
    const [episode] = await collect(readTrajectories(folder)); // while the writer is open
    expect(episode?.outcome).toEqual({ return: 3, length: 3, endedBy: 'interrupted' });
    await writer.close();
  });

  it('drop and report a torn last line, wherever it was torn', async () => {
    const whole = await writeEpisodes(folder, 2);
    const size = (await readFile(episodesFile())).length;
    const lastLine = size - (await readFile(episodesFile(), 'utf8')).trimEnd().lastIndexOf('\n') - 1;
    for (const cut of [2, 10, lastLine - 1]) {
      await writeEpisodes(folder, 2);
      await truncate(episodesFile(), size - cut);
      const reader = readTrajectories(folder);
      const read = await collect(reader);
      expect(read.map(({ steps }) => steps)).toEqual(whole.map(({ steps }) => steps)); // only an end was torn
      expect(reader.problems).toHaveLength(1);
      expect(reader.problems[0]).toMatchObject({ code: 'TRAJECTORY_INVALID', file: episodesFile() });
      expect(reader.problems[0]?.message).toContain('torn');

      const writer = await TrajectoryWriter.open(folder);
      expect(writer.tornBytes).toBe(lastLine - cut);
      await writer.close();
      expect((await collect(readTrajectories(folder))).length).toBe(2);
    }
  });

  it('also read files of whole trajectories', async () => {
    const episodes = await writeEpisodes(folder, 3);
    const file = join(folder, 'exported.jsonl');
    await writeFile(file, episodes.map((episode) => JSON.stringify(episode)).join('\n'));
    expect(await collect(readTrajectories(file))).toEqual(episodes);
  });
});

function failure(boundary: 'environment' | 'model' | 'parser') {
  return { boundary, code: 'BROKEN', message: 'it broke' } as const;
}

function completionOf(logProbs: number[]): EpisodeStep['turn'] {
  const ids = logProbs.map((_, i) => i);
  return {
    text: '',
    completion: {
      tokenIds: ids,
      logProbs,
      behaviorLogProbs: logProbs,
      tokenEnds: ids.map(() => 0),
      finishReason: 'length',
      promptTokenIds: [],
    },
  };
}

function anyEnv(): AnyEnv {
  return new ScriptedEnv();
}

function answer(partial: object) {
  return { observation: 1, reward: 1, terminated: false, truncated: false, info: {}, ...partial };
}

type ScriptedStep = Omit<EpisodeStep, 'result'> & { readonly result?: Partial<StepResult<unknown>> };

async function scripted(steps: readonly ScriptedStep[], observation: unknown = 0): Promise<Trajectory> {
  const recorder = await recordEpisode({ env: anyEnv(), first: { observation, info: {} } });
  for (const { result, ...step } of steps) await recorder.step({ ...step, ...(result && { result: answer(result) }) });
  return recorder.end();
}

/** Arbitrary responses of agents and results of environments. */
function episodeInputs() {
  const text = fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)); // including half surrogate pairs
  const number = fc.double({ min: -1e100, max: 1e100, noNaN: true });
  const info = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 });
  const step = fc.record(
    {
      prompt: fc.array(fc.record({ role: fc.constantFrom('user' as const, 'system' as const), content: text }), {
        maxLength: 3,
      }),
      turn: fc.oneof(
        fc.record({ text }),
        fc.array(number, { maxLength: 5 }).map((logProbs) => completionOf(logProbs)!),
      ),
      action: fc.nat(1),
      result: fc.record({ reward: number, info }).map(answer),
      latencyMs: fc.nat(),
    },
    { requiredKeys: ['action', 'result'] },
  );
  const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,20}$/);
  return fc.record({ id, info, steps: fc.array(step, { maxLength: 5 }) });
}
