/** `vlgym models`: what a model folder is, and what it needs. */
import { inspectModel, type MemoryNeed, type ModelInspection } from '@vlgym/models';
import { z } from 'zod';
import { defineCommand } from '../command-line/command.js';
import type { CommandGroup } from '../command-line/command-entry.js';
import { bold, dim, table } from '../terminal/style.js';

const whole = z.number().int().positive();

const inspect = defineCommand({
  name: 'models inspect',
  summary: 'what a model folder is, how much memory it needs, whether it fits here',
  description:
    'Reads the small files and the headers of the weights of a folder as Hugging Face publishes it (Qwen2-VL, Qwen2.5-VL, Qwen3-VL; Llama, Qwen2, Qwen3), and says what sampling and training need by dtype. A configuration that this package does not compute exactly is an error here already. No weight is read.',
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

export const models: CommandGroup = {
  name: 'models',
  summary: 'look into model folders',
  description: 'Model folders as Hugging Face publishes them: what they are and what they need.',
  verbs: [inspect],
};

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
