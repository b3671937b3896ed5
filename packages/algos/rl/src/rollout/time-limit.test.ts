/** Time limits count the turns that leave an environment alone, also those before the last. */
import { rowGenerators } from '@vlgym/agents/model';
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { CountingEnv } from '@vlgym/core/testing';
import { checkTrajectory, replay, type Trajectory } from '@vlgym/core/trajectory';
import '@vlgym/points24';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composeConfig } from '../config/compose.js';
import { commonOptions } from '../config/option-groups.js';
import { MetricsTally } from '../diagnostics/metrics.js';
import { rolloutMetrics } from '../diagnostics/rollout-metrics.js';
import { Collector } from './collector.js';
import { playEpisode } from './play-episode.js';
import type { RolloutSampler } from './sampler.js';

const config = composeConfig(z.strictObject(commonOptions), { rollout: { fallback: 'illegal-noop' } });

/** Gives these answers in turn, then the last one again and again. */
function saying(...texts: readonly (string | (() => string))[]): RolloutSampler {
  let said = 0;
  return {
    version: 0,
    encode: () => ({ promptIds: Int32Array.of(1), images: [] }),
    async sample(inputs, { rng }) {
      rowGenerators(rng, inputs.length);
      const next = texts[Math.min(said, texts.length - 1)]!;
      const text = typeof next === 'string' ? next : next();
      said += 1;
      return inputs.map(() => ({
        text,
        tokenIds: Int32Array.of(1),
        behaviorLogProbs: Float32Array.of(-1),
        tokenEnds: Int32Array.of(text.length),
        finishReason: 'stop' as const,
        promptTokenIds: Int32Array.of(1),
      }));
    },
  };
}

/** An answer that does not end the episode. */
const away = (env: AnyEnv) => () => JSON.stringify({ action: env.oracle!() === 0 ? '+' : '-' });

describe('an episode of NumberLine, whose own limit is twice its length', () => {
  const open = async () => (await make('vlgym/NumberLine-v1', { options: { maxPosition: 5 } })) as AnyEnv;

  it.each([
    ['nothing can be read', ['hm']],
    ['one answer can be read at the end', [...Array<string>(9).fill('hm'), 'away']],
    ['one answer cannot be read at the beginning', ['hm', 'away']],
  ])('has ten turns where %s', async (_, answers) => {
    const env = await open();
    const sampler = saying(...answers.map((text) => (text === 'away' ? away(env) : text)));
    const { steps, summary } = await playEpisode({ env, sampler, config, seed: 4, rng: new Generator(0) });
    expect({ length: steps.length, success: summary.success }).toEqual({ length: 10, success: false });
    expect(steps.map(({ truncated }) => truncated)).toEqual([...Array<boolean>(9).fill(false), true]);
  });

  it('is recorded so that it passes the check and replays', async () => {
    const env = await open();
    const trajectories: Trajectory[] = [];
    const collector = new Collector({
      policy: saying('hm', away(env)),
      environments: [env],
      config,
      rng: new Generator(0),
      onTrajectory: (trajectory) => trajectories.push(trajectory),
    });
    await collector.collectEpisodes({ stepsPerUpdate: 1, groupSize: 1, metrics: new MetricsTally() });
    const trajectory = trajectories[0]!;
    expect(trajectory.steps.at(-1)).toMatchObject({ truncated: true, truncationReason: 'step-limit' });
    expect(trajectory.steps[0]).toMatchObject({ fallback: true });
    expect(await checkTrajectory(trajectory)).toMatchObject({ ok: true });
    expect(await replay(trajectory)).toMatchObject({ ok: true });
  });
});

it('does not end an environment that has switched its limit off', async () => {
  const env = new CountingEnv() as AnyEnv;
  env.spec = { id: 'test/NoLimit-v0', maxEpisodeSteps: -1 };
  const collector = new Collector({ policy: saying('hm'), environments: [env], config, rng: new Generator(0) });
  const { steps } = await collector.collectSteps({ stepsPerUpdate: 5, metrics: new MetricsTally() });
  expect(steps.every(({ truncated }) => !truncated)).toBe(true);
});

it('counts right thoughts among readable answers, and unreadable answers', async () => {
  const env = (await make('vlgym/NumberLine-v1', { options: { dialogue: 'compact-v1' } })) as AnyEnv;
  const { info } = await env.reset({ seed: 4 });
  const { Current, Target } = info as { Current: number; Target: number };
  const sign = Current < Target ? '<' : '>';
  const right = { 'current number': Current, 'target number': Target, thoughts: `${Current}${sign}${Target}` };
  const stay = JSON.stringify({ ...right, action: Current < Target ? '-' : '+' });
  const sampler = saying('hm', stay, 'hm', '{"action": "+"}');
  const { steps, summary } = await playEpisode({ env, sampler, config, seed: 4, rng: new Generator(0) });
  expect(steps.slice(0, 4).map(({ parsed }) => parsed.thoughtCorrect)).toEqual([undefined, true, undefined, false]);
  const metrics = new MetricsTally();
  rolloutMetrics(
    { steps: steps.slice(0, 4), trajectories: [[0, 1, 2, 3]], episodes: [summary], taskKeys: [] },
    0,
    metrics,
  );
  expect(metrics.toMetrics()).toMatchObject({ 'response/thought-correct': 0.5, 'response/unreadable': 0.5 });
});
