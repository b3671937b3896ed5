/** Environments in threads give the bytes of environments in this process. Threads read dist: build core and points24 first. */
import { createHash } from 'node:crypto';
import { type GenerateOptions, rowGenerators } from '@vlgym/agents/model';
import { type AnyEnv, type ChatMessage, Generator, make, messageText, promptImages } from '@vlgym/core';
import { threadEnvs } from '@vlgym/core/vector';
import '@vlgym/points24';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { composeConfig } from '../config/compose.js';
import { commonOptions } from '../config/option-groups.js';
import { MetricsTally } from '../diagnostics/metrics.js';
import { Collector } from './collector.js';
import type { RolloutBuffer } from './record.js';
import type { RolloutSampler } from './sampler.js';

const ENV = 'vlgym/NumberLine-v1';
const NUM_ENVS = 5;
const config = composeConfig(z.strictObject(commonOptions), { rollout: { fallback: 'illegal-noop' } });

/** Says `+` or `-`, and sometimes nothing that is an action. */
const sampler: RolloutSampler = {
  version: 0,
  encode: (messages: readonly ChatMessage[]) => ({
    promptIds: Int32Array.from(messages.map(messageText).join(''), (letter) => letter.charCodeAt(0)),
    images: promptImages(messages),
  }),
  async sample(inputs, { rng }: GenerateOptions) {
    const generators = rowGenerators(rng, inputs.length);
    return inputs.map(({ promptIds }, row) => {
      const draw = generators[row]!.random();
      const text = draw < 0.1 ? 'hm' : `{"thoughts": "${draw}", "action": "${draw < 0.5 ? '-' : '+'}"}`;
      return {
        text,
        tokenIds: Int32Array.of(1, 2),
        logProbs: Float32Array.of(-1, -2),
        behaviorLogProbs: Float32Array.of(-1, -2),
        tokenEnds: Int32Array.of(1, text.length),
        finishReason: 'stop' as const,
        promptTokenIds: promptIds,
      };
    });
  },
};

const envs: AnyEnv[] = [];
afterEach(async () => {
  await Promise.all(envs.splice(0).map((env) => env.close()));
});

async function collectorOf(makeEnv: (index: number) => Promise<AnyEnv>): Promise<Collector> {
  const environments = await Promise.all(Array.from({ length: NUM_ENVS }, (_, index) => makeEnv(index)));
  envs.push(...environments);
  return new Collector({ policy: sampler, environments, config, rng: new Generator(4) });
}

const here = async () => (await make(ENV)) as AnyEnv;
const collect = (collector: Collector) => collector.collectSteps({ stepsPerUpdate: 60, metrics: new MetricsTally() });
async function collected(collector: Collector): Promise<Collector> {
  await collect(collector);
  return collector;
}

const digest = (buffer: RolloutBuffer): string => {
  const pixels = (_: string, value: unknown) => {
    if (value instanceof Uint8Array) return createHash('sha256').update(value).digest('hex');
    // a picture that was saved and loaded has its fields in another order
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
  };
  return createHash('sha256').update(JSON.stringify(buffer, pixels)).digest('hex');
};

it('gives the same buffers and the same saved state, byte for byte', async () => {
  const [local, threaded] = [await collectorOf(here), await collectorOf(threadEnvs(ENV, { threads: 2 }))];
  for (let update = 0; update < 3; update++) {
    const expected = await collect(local);
    expect(expected.episodes.length).toBeGreaterThan(0);
    expect(digest(await collect(threaded))).toBe(digest(expected));
  }
  expect(JSON.stringify(await threaded.save())).toBe(JSON.stringify(await local.save()));
});

it('continues a run that was saved in this process, and the other way round', async () => {
  const saved = JSON.parse(JSON.stringify(await (await collected(await collectorOf(here))).save()));
  const [local, threaded] = [await collectorOf(here), await collectorOf(threadEnvs(ENV, { threads: 2 }))];
  await Promise.all([local.load(saved), threaded.load(saved)]);
  expect(digest(await collect(threaded))).toBe(digest(await collect(local)));
  const again = await collectorOf(here);
  await again.load(JSON.parse(JSON.stringify(await threaded.save())));
  expect(digest(await collect(again))).toBe(digest(await collect(threaded)));
});

it('refuses an environment whose module a thread cannot import', async () => {
  const { register } = await import('@vlgym/core');
  const { CountingEnv } = await import('@vlgym/core/testing');
  register({ id: 'test/NoModule-v0', entryPoint: (options) => new CountingEnv(options) });
  await expect(threadEnvs('test/NoModule-v0')()).rejects.toMatchObject({ code: 'WORKER_NEEDS_MODULE' });
});
