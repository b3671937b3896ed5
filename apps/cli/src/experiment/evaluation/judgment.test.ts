/** The judged agent is the trained one: one place makes the settings of every evaluation. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../environments.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { algorithmNames } from '../algorithms.js';
import { algorithmOf } from '../run-options.js';
import { effectiveConfig, typedConfig } from '../settings/effective-config.js';
import { runSchema } from '../spec.js';
import { judgmentOf, judgmentOfStart, judgmentOfTask, samplingWords } from './judgment.js';
import { judgmentOfWeights } from './weights-judgment.js';

const spec = (given: object) => runSchema.parse({ env: 'vlgym/Signs-v1', ...given });

describe.each(algorithmNames())('a run of %s', (algorithm) => {
  it('is judged with the cuts, penalty, length and constraint that it is trained with', () => {
    const set = { rollout: { topK: 7, topP: 0.8, repetitionPenalty: 1.2, maxNewTokens: 40 } };
    const plan = spec({ algorithm, set, constrain: 'actions' });
    const { rollout } = algorithmOf(plan).config;
    const { topK, topP, repetitionPenalty, maxNewTokens } = rollout;
    expect({ topK, topP, repetitionPenalty, maxNewTokens }).toEqual(set.rollout);
    expect(judgmentOf(plan)).toEqual({
      ...set.rollout,
      temperature: 1,
      constrain: 'actions',
      fallback: 'illegal-noop',
    });
  });
});

it('a start is judged as its runs are, where these are judged alike', () => {
  const [short, long] = [30, 40].map((maxNewTokens) => spec({ algorithm: 'grpo', set: { rollout: { maxNewTokens } } }));
  expect(judgmentOfStart(short!, [short!, spec({ ...short, algorithm: 'vl-dac' })]).maxNewTokens).toBe(30);
  expect(judgmentOfStart(short!, [short!, long!])).toEqual(judgmentOfTask(short!));
  expect(judgmentOfStart(short!, [])).toEqual(judgmentOfTask(short!));
});

describe('the rule for unreadable answers', () => {
  it('is a turn that does nothing, the published one in a replication, or what is asked for', () => {
    expect(judgmentOf(spec({ algorithm: 'rl4vlm' })).fallback).toBe('illegal-noop');
    expect(judgmentOf(spec({ algorithm: 'rl4vlm', replicate: true })).fallback).toBe('random');
    expect(judgmentOf(spec({ algorithm: 'rl4vlm', evaluationFallback: 'terminate' })).fallback).toBe('terminate');
  });

  it('is the same for a control without an algorithm, and for the warm start', () => {
    const control = spec({ algorithm: 'imitation', control: 'imitation' });
    expect(judgmentOf(control)).toEqual(judgmentOfTask(control));
    expect(judgmentOf(control)).toEqual(judgmentOf(spec({ algorithm: 'rl4vlm' })));
  });

  it('is in `run.json`, where what was typed is a part of its own', () => {
    const plan = { ...spec({ algorithm: 'vl-dac', replicate: true }), folder: 'runs/x', start: 'runs/x/start' };
    expect(typedConfig({ ...plan, given: { replicate: 'flag' } })).toEqual({ replicate: true });
    expect(effectiveConfig(plan).evaluation).toMatchObject({ topK: 1, topP: 0.001, fallback: 'random' });
  });
});

describe('weights in a folder', () => {
  let folder: string;
  const evaluation = judgmentOf(spec({ algorithm: 'vl-dac', set: { rollout: { topK: 3 } } }));
  const weights = () => join(folder, 'checkpoints', '000004', 'policy');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vlgym-judgment-'));
    await mkdir(weights(), { recursive: true });
    await writeFile(
      join(folder, 'run.json'),
      JSON.stringify({ typed: {}, effective: { env: 'vlgym/Signs-v1', evaluation } }),
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are judged as their run was, but for what the user chooses', async () => {
    expect(await judgmentOfWeights(weights(), 'vlgym/Signs-v1', {})).toEqual(evaluation);
    const chosen = await judgmentOfWeights(weights(), 'vlgym/Signs-v1', { temperature: 0, constrain: 'json' });
    expect(chosen).toEqual({ ...evaluation, temperature: 0, constrain: 'json' });
  });

  it('answer another environment at that one’s length', async () => {
    expect(await judgmentOfWeights(weights(), 'vlgym/EZPoints-v1', {})).toEqual({ ...evaluation, maxNewTokens: 64 });
  });

  it('of no run are judged greedily, at the length of the task', async () => {
    const alone = await judgmentOfWeights(join(tmpdir(), 'nowhere'), 'vlgym/Signs-v1', {});
    expect(alone).toMatchObject({ temperature: 0, maxNewTokens: 32, topK: 0, fallback: 'illegal-noop' });
  });
});

it('says how answers were sampled', () => {
  expect(samplingWords(judgmentOfTask(spec({})))).toBe('temperature 1, at most 32 tokens');
});
