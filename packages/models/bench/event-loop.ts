/**
 * How long the event loop is held by a step of a toy Qwen2.5-VL: a rollout's sampling, its scores, one optimizer step.
 *
 *     npx tsx packages/models/bench/event-loop.ts [--rounds 5] [--blocking] [--checkpointing]
 *
 * Prints the longest block of each, as `perf_hooks.monitorEventLoopDelay` sees it, and how long the whole took: the round
 * that other work on the machine disturbed least, and the median. With `--blocking` forwards of training, the output layer,
 * and pictures are computed on the thread of JavaScript; with `--checkpointing` training keeps the inputs of layers alone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Generator, type Image } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { writeToyFolder } from '../scripts/toy-folder.js';
import { createPolicy } from '../src/index.js';
import type { ActorCritic } from '../src/layers/actor-critic.js';
import { finished, type Steps } from '../src/layers/steps.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    blocking: { type: 'boolean', default: false },
    checkpointing: { type: 'boolean', default: false },
  },
});
setNumThreads(1);

/** Multiples of what the tests have; a step takes a few hundred milliseconds. */
const sizes = {
  ...{ hidden_size: 512, num_hidden_layers: 6, num_attention_heads: 8, num_key_value_heads: 2 },
  ...{ intermediate_size: 1408, vocab_size: 16_384, rope_scaling: { type: 'mrope', mrope_section: [16, 8, 8] } },
  vision_config: {
    ...{ depth: 8, num_heads: 4, patch_size: 14, spatial_merge_size: 2, temporal_patch_size: 2, in_channels: 3 },
    ...{ hidden_size: 256, intermediate_size: 512, out_hidden_size: 512 },
    ...{ window_size: 56, fullatt_block_indexes: [3, 7] },
  },
};
const folder = mkdtempSync(join(tmpdir(), 'vlgym-loop-'));
await writeToyFolder(folder, { type: 'qwen2_5_vl', sizes });
const policy = await createPolicy({
  model: folder,
  config: { valueHead: [64] },
  train: { lora: { r: 16, alpha: 32 } },
  checkpointActivations: values.checkpointing,
});

const { language } = policy.model as ActorCritic;
const { forwardAsync } = language;
if (values.blocking) {
  const encode = language.encodeImage?.bind(language);
  Object.assign(language, {
    encodeImage: encode && ((image: Image) => inOneStep(encode(image))),
    outputWeight: undefined,
  });
}

/** The event loop does not turn before it is finished. */
// biome-ignore lint/correctness/useYield: that is the point
function* inOneStep<T>(steps: Steps<T>): Steps<T> {
  return finished(steps);
}

function picture(seed: number): Image {
  const rng = new Generator(seed);
  const data = Uint8Array.from({ length: 84 * 112 * 3 }, () => rng.integers(256));
  return { data, height: 84, width: 112, channels: 3 };
}

/** New pictures in every round, so that they are encoded in every round. */
function inputsOf(round: number) {
  return Array.from({ length: 4 }, (_, row) => {
    const content = [
      { type: 'image', image: picture(4 * round + row) },
      { type: 'text', text: 'Which card comes next? '.repeat(12) },
    ] as const;
    return policy.encode([{ role: 'user', content }]);
  });
}

async function measured(work: () => Promise<unknown>): Promise<{ longest: number; total: number }> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  // delays are counted from the first timer on
  await setTimeout(20);
  const start = performance.now();
  await work();
  const total = performance.now() - start;
  // a block at the end is seen by the next timer
  await setTimeout(10);
  histogram.disable();
  return { longest: histogram.max / 1e6, total };
}

const found: Record<string, { longest: number[]; total: number[] }> = {};
for (let round = 0; round <= Number(values.rounds); round += 1) {
  const inputs = inputsOf(round);
  const responseIds = policy.encodeResponse('{"thoughts": "the next card is an eight", "action": "8"}').ids;
  const sequences = inputs.map((input) => ({ input, responseIds }));
  const works = {
    sample: () => policy.sample(inputs, { maxNewTokens: 24, rng: new Generator(1).spawn(4) }),
    score: () => policy.score(sequences),
    train: async () => {
      if (values.blocking) Object.assign(language, { forwardAsync: undefined });
      await policy.accumulate(sequences, ({ logProbs }) => logProbs.mean().neg());
      await policy.step({ learningRate: 1e-5, maxGradNorm: 1 });
      Object.assign(language, { forwardAsync });
    },
  };
  for (const [name, work] of Object.entries(works)) {
    const { longest, total } = await measured(work);
    if (round === 0) continue;
    found[name] ??= { longest: [], total: [] };
    found[name].longest.push(longest);
    found[name].total.push(total);
  }
}
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
for (const [name, { longest, total }] of Object.entries(found)) {
  const of = (pick: (numbers: readonly number[]) => number) =>
    `${pick(longest).toFixed(0)} ms of ${pick(total).toFixed(0)} ms`;
  console.log(`${name}: longest block ${of((numbers) => Math.min(...numbers))}; median ${of(median)}`);
}
console.log(`load ${loadavg()[0]!.toFixed(1)}`);
policy.close();
rmSync(folder, { recursive: true });
