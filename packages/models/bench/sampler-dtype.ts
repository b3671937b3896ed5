/**
 * Sampling with the trained weights against sampling with copies in fewer bytes (`samplerDtype`), in turns in one process:
 *
 *     npx tsx packages/models/bench/sampler-dtype.ts [--rounds 5] [--size small|wide]
 *
 * Greedy decoding behind a prompt of text. Times are processor time of one thread; ratios are medians of neighboring turns.
 * `gap` is the mean difference of a token's log-probability between the sampler and the scores of the learner.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Generator, InvalidOptionError } from '@vlgym/core';
import { memoryUse, setNumThreads } from '@vlgym/gpu';
import { writeToyFolder } from '../scripts/toy-folder.js';
import { createPolicy, type SamplerDType, type VlmPolicy } from '../src/index.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, size: { type: 'string', default: 'small' } },
});
setNumThreads(1);

/** `small` is the model of against-transformers.ts; a layer of `wide` has the shape of a published one of half the width. */
const SIZES = {
  small: { hidden_size: 256, num_hidden_layers: 6, num_attention_heads: 4, intermediate_size: 768, vocab_size: 4096 },
  wide: {
    hidden_size: 1024,
    num_hidden_layers: 6,
    num_attention_heads: 8,
    intermediate_size: 5504,
    vocab_size: 16_384,
  },
};
const size = SIZES[values.size as keyof typeof SIZES];
if (!size) throw new InvalidOptionError('size', values.size, Object.keys(SIZES).join(', '));
const half = size.hidden_size / size.num_attention_heads / 2;
const sizes = {
  ...size,
  num_key_value_heads: 2,
  rope_scaling: { type: 'mrope', mrope_section: [half / 2, half / 4, half / 4] },
  vision_config: {
    ...{ depth: 1, num_heads: 2, patch_size: 14, spatial_merge_size: 2, temporal_patch_size: 2, in_channels: 3 },
    ...{ hidden_size: 32, intermediate_size: 48, out_hidden_size: size.hidden_size },
    ...{ window_size: 56, fullatt_block_indexes: [0] },
  },
};
const folder = mkdtempSync(join(tmpdir(), 'vlgym-dtype-'));
await writeToyFolder(folder, { type: 'qwen2_5_vl', sizes });
const KINDS: readonly SamplerDType[] = ['same', 'bfloat16', 'int8'];
const policies = new Map<SamplerDType, VlmPolicy>();
for (const samplerDtype of KINDS) {
  const train = { lora: { r: 16, alpha: 32 } };
  policies.set(samplerDtype, await createPolicy({ model: folder, config: { valueHead: [16] }, train, samplerDtype }));
}
rmSync(folder, { recursive: true });

const promptIds = (row: number) => Int32Array.from({ length: 273 }, (_, i) => 20 + ((i * 7 + row * 31) % 900));

async function turn(policy: VlmPolicy, rows: number, maxNewTokens: number): Promise<number> {
  const inputs = Array.from({ length: rows }, (_, row) => ({ promptIds: promptIds(row), images: [] }));
  const before = process.cpuUsage();
  await policy.sample(inputs, { maxNewTokens, temperature: 0, rng: new Generator(0) });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

async function gap(policy: VlmPolicy): Promise<number> {
  const inputs = [0, 1].map((row) => ({ promptIds: promptIds(row), images: [] }));
  const sampled = await policy.sample(inputs, { maxNewTokens: 32, rng: new Generator(3).spawn(2) });
  const { logProbs } = await policy.score(inputs.map((input, i) => ({ input, responseIds: sampled[i]!.tokenIds })));
  const gaps = sampled.flatMap((response, i) => [...response.logProbs].map((x, t) => Math.abs(x - logProbs[i]![t]!)));
  return gaps.reduce((sum, each) => sum + each, 0) / gaps.length;
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
console.log(JSON.stringify({ ...values, processor: cpus()[0]?.model, load: loadavg()[0] }));
for (const rows of [1, 8]) {
  const times = new Map(KINDS.map((kind) => [kind, { first: [] as number[], rest: [] as number[] }]));
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const kind of KINDS) {
      const policy = policies.get(kind)!;
      const [all, first] = [await turn(policy, rows, 33), await turn(policy, rows, 1)];
      if (round === 0) continue;
      times.get(kind)!.first.push(first);
      times.get(kind)!.rest.push((all - first) / 32);
    }
  }
  for (const [kind, { first, rest }] of times) {
    const ratio = (part: 'first' | 'rest', own: readonly number[]) =>
      median(own.map((time, i) => times.get('same')![part][i]! / time)).toFixed(2);
    console.log(
      `batch ${rows}, ${kind.padEnd(8)}  prompt ${median(first).toFixed(1)} ms (${ratio('first', first)} x)` +
        `  a token ${median(rest).toFixed(2)} ms (${ratio('rest', rest)} x)`,
    );
  }
}
for (const [kind, policy] of policies) {
  console.log(`${kind}: gap ${(await gap(policy)).toExponential(1)} nats`);
  const before = memoryUse().bytes;
  policy.close();
  console.log(`${kind}: ${((before - memoryUse().bytes) / 1e6).toFixed(1)} MB held, copies included`);
}
console.log(`load ${loadavg()[0]!.toFixed(1)}`);
