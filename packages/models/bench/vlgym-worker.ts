/**
 * The vlgym side of against-transformers.ts: the same folder, jobs and output lines (`transformers_worker.py`).
 *
 *     npx tsx packages/models/bench/vlgym-worker.ts FOLDER FAMILY THREADS [SIZE DEVICE DTYPE SAMPLER_DTYPE]
 *
 * With SAMPLER_DTYPE nothing is trained, and responses come from the folder's weights in this type.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Generator, type Image } from '@vlgym/core';
import {
  cuda,
  type DType,
  libtorchVersion,
  memoryUse,
  ones,
  resetPeakMemory,
  safetensors,
  setNumThreads,
  synchronize,
  type Tensor,
  tidy,
} from '@vlgym/gpu';
import type { ModelInput, Sequence } from '@vlgym/rl';
import { createPolicy } from '../src/index.js';
import type { LanguageModel } from '../src/language-model.js';
import type { ActorCritic } from '../src/layers/actor-critic.js';
import { QwenModel } from '../src/models/shared/model.js';
import type { TextModel } from '../src/models/shared/text-model.js';
import type { SamplerDType } from '../src/policy/weights/sampler-weights.js';

const RESPONSE = 64;

type Job =
  | { readonly job: 'bandwidth' }
  | { readonly job: 'score' }
  | { readonly job: 'train'; readonly isFirst?: boolean }
  | {
      readonly job: 'generate';
      readonly batch: number;
      readonly tokens: number;
      readonly adapters?: boolean;
      /** Decode with graphs of CUDA; default true. */
      readonly graphs?: boolean;
    };

const [folder = '', , threads = '1', , device = 'cpu', dtype, samplerDtype] = process.argv.slice(2);
const onDevice = device !== 'cpu';
setNumThreads(Number(threads));
const { image_token_id: imageToken } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
if (imageToken !== undefined) writeTokenizer(folder);
const policy = await createPolicy({
  model: folder,
  device,
  ...(dtype && { dtype: dtype as Extract<DType, 'float32' | 'bfloat16'> }),
  config: { valueHead: [16] },
  // none is kept for a later call
  imageCacheBytes: 2 ** 16,
  ...(samplerDtype ? { samplerDtype: samplerDtype as SamplerDType } : { train: { lora: { r: 16, alpha: 32 } } }),
  optimizer: { kind: 'adamw', eps: 1e-8 },
});
const model = (policy.model as ActorCritic).language as QwenModel | TextModel;
const inputs = safetensors.load(join(folder, 'inputs.safetensors'));
const pixelsOf = new Map(
  [...inputs].flatMap(([name, values]) =>
    name.endsWith('/pixel_values') ? [[name.split('/')[0]!, values.to({ dtype: model.dtype, device })] as const] : [],
  ),
);
/** Both sides get pixels that are normalized and in the order of patches. */
const patchesOf = new WeakMap<Image, Tensor>();
let pictures = 0;
if (model instanceof QwenModel) model.patches = ([image]) => patchesOf.get(image!)!.clone();

/** Rows of one job: pictures are stand-ins of the right size, whose pixels come from the file. None is known from another job. */
function rowsOf(key: string): ModelInput[] {
  const ids = inputs.get(`${key}/input_ids`)!;
  const [count, width] = ids.shape as [number, number];
  const all = Int32Array.from(ids.toNumbers());
  const grid = inputs.get(`${key}/image_grid_thw`)?.toNumbers();
  const pixels = pixelsOf.get(key)?.split(pixelsOf.get(key)!.size(0) / count, 0);
  return Array.from({ length: count }, (_, row) => {
    const promptIds = all.subarray(row * width, (row + 1) * width);
    if (!grid || !pixels || !(model instanceof QwenModel)) return { promptIds, images: [] };
    const { patchSize } = model.config.vision;
    const [height, columns] = [grid[3 * row + 1]! * patchSize, grid[3 * row + 2]! * patchSize];
    pictures += 1;
    const image = { data: new Uint8Array([pictures, pictures >> 8]), height, width: columns, channels: 3 } as const;
    patchesOf.set(image, pixels[row]!);
    return { promptIds, images: [image] };
  });
}

function trainingRows(): Sequence[] {
  return rowsOf('train').map(({ promptIds, images }) => ({
    input: { promptIds: promptIds.subarray(0, -RESPONSE), images },
    responseIds: promptIds.subarray(-RESPONSE),
  }));
}

async function run(job: Job): Promise<object> {
  if (job.job === 'bandwidth') return { bandwidth: bandwidth() };
  if (job.job === 'train') {
    // the same factors on both sides
    if (job.isFirst) await policy.loadAdapter(join(folder, 'adapter'));
    const loss = await policy.accumulate(trainingRows(), ({ logProbs }) => logProbs.mean().neg());
    await policy.step({ learningRate: 1e-3, valueLearningRate: 0, maxGradNorm: Number.POSITIVE_INFINITY });
    return { loss };
  }
  if (job.job === 'score') {
    const { logProbs } = await policy.score(trainingRows(), { weights: 'reference', entropies: false });
    return { logProbs: logProbs.map((row) => [...row]) };
  }
  const key = `generate${job.batch}`;
  cuda.useGraphs(job.graphs ?? true);
  const responses = await policy.sample(rowsOf(key), {
    maxNewTokens: job.tokens,
    temperature: 0,
    rng: new Generator(0),
    weights: job.adapters || samplerDtype ? 'current' : 'reference',
  });
  const short = responses.find(({ tokenIds }) => tokenIds.length < job.tokens);
  if (short) throw new Error(`a response ended after ${short.tokenIds.length} of ${job.tokens} tokens`);
  return { ids: responses.map(({ tokenIds }) => [...tokenIds]) };
}

const decoder = model instanceof QwenModel ? model.model.language_model : model.model;
/** Read for one token: the matrices of the layers, and the output layer. */
const bytesPerToken = [...decoder.layers.flatMap((layer) => [...layer.parameters()]), outputWeight(model)]
  .filter((weight) => weight.dtype === model.dtype)
  .reduce((sum, { numel }) => sum + numel * (model.dtype === 'bfloat16' ? 2 : 4), 0);
console.log(JSON.stringify({ libtorch: libtorchVersion(), node: process.version, bytesPerToken }));
for await (const line of createInterface({ input: process.stdin })) {
  clearPeak();
  const held = onDevice ? { held: memoryUse(device).bytes } : {};
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await run(JSON.parse(line) as Job);
  if (onDevice) synchronize(device);
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - start) / 1e3;
  console.log(JSON.stringify({ seconds, processor: (user + system) / 1e6, peak: peak(), ...held, ...result }));
}

function outputWeight(language: LanguageModel): Tensor {
  return language.outputWeight!()!;
}

/** Bytes per second at which the maxima of the rows of a matrix are found, 256 MB or on a device 4 GB; the best of ten. */
function bandwidth(): number {
  return tidy(() => {
    const [rows, width] = [onDevice ? 262_144 : 16_384, 4_096];
    const matrix = ones([rows, width], { device });
    const times = Array.from({ length: 10 }, () => {
      if (onDevice) synchronize(device);
      const from = performance.now();
      matrix.amax([1]).dispose();
      if (onDevice) synchronize(device);
      return performance.now() - from;
    });
    return (4 * rows * width) / (Math.min(...times) / 1e3);
  });
}

/** Bytes, of the device where there is one; Linux counts the most since `clearPeak`, other systems since the start. */
function peak(): number {
  if (onDevice) return memoryUse(device).peak;
  const line = existsSync('/proc/self/status') && /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  return line ? Number(line[1]) * 1024 : process.resourceUsage().maxRSS * 1024;
}

function clearPeak(): void {
  if (onDevice) resetPeakMemory(device);
  if (existsSync('/proc/self/clear_refs')) writeFileSync('/proc/self/clear_refs', '5');
}

/** The folder comes without a tokenizer; this one knows the single bytes and the ids of its configuration. */
function writeTokenizer(target: string): void {
  const path = join(target, 'tokenizer.json');
  if (existsSync(path)) return;
  const printable = [...Array(256).keys()].map((byte) => {
    const shown = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return shown ? byte : -1;
  });
  let next = 256;
  const bytes = printable.map((byte) => String.fromCharCode(byte >= 0 ? byte : next++));
  const special = [
    '<|endoftext|>',
    '<|vision_start|>',
    '<|vision_end|>',
    '<|image_pad|>',
    '<|video_pad|>',
    '<|im_end|>',
  ];
  const first = imageToken - 3;
  const words = Array.from({ length: first - bytes.length }, (_, i) => `a${i.toString(36)}`);
  const definition = {
    version: '1.0',
    added_tokens: special.map((content, i) => ({
      id: first + i,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: { type: 'BPE', vocab: Object.fromEntries([...bytes, ...words].map((word, id) => [word, id])), merges: [] },
  };
  writeFileSync(path, JSON.stringify(definition));
}
