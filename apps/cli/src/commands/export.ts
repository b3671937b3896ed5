/** `vlgym export`: recorded episodes as a chat dataset, or the weights of a run as others load them. */
import { join, resolve } from 'node:path';
import {
  type ChatExample,
  type ReadExamplesOptions,
  readExamples,
  writeJsonLines,
  writeParquet,
} from '@vlgym/datasets';
import { z } from 'zod';
import { defineCommand } from '../command-line/command.js';
import { recordingsIn } from '../folders/recordings.js';
import { weightsIn } from '../folders/weights.js';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'recorded episodes as a chat dataset, or the weights of a run for other programs',
  description:
    "`--to adapter` writes the adapter of a run as peft and vLLM load it next to its model folder, `--to merged` the whole model as a folder like that one. The other formats write every step of recorded episodes as a row in TRL's layout (`prompt`, `completion`, `images`), which `datasets.load_dataset` reads. JSON Lines have their pictures as PNG files next to them, Parquet inside.",
  positional: 'folder',
  options: z.object({
    folder: z
      .string()
      .describe('a run, a recording, a suite, an episodes.jsonl, or another dataset; for weights a run or checkpoint'),
    to: z.enum(['jsonl', 'parquet', 'adapter', 'merged']).default('parquet').describe('format'),
    out: z
      .string()
      .optional()
      .describe('file or folder to write; default dataset.FORMAT, adapter or merged in the folder'),
    episodes: z.enum(['success', 'all']).default('success').describe('episodes to take'),
    minReturn: z.number().optional().describe('smallest return of an episode'),
    skipInvalid: z.boolean().default(false).describe('leave invalid lines out, each with a message'),
  }),
  examples: [
    { command: 'vlgym export runs/expert --to parquet', does: 'successful episodes, for TRL' },
    {
      command: 'vlgym export runs/expert --to jsonl --out data/train.jsonl',
      does: 'with PNG files next to it',
    },
    { command: 'vlgym export runs/vl-dac-0 --to adapter', does: 'for peft and vLLM, with its warm start' },
    { command: 'vlgym export runs/vl-dac-0 --to merged --out models/mine', does: 'a whole model folder' },
  ],
  async run({ folder, to, out, episodes, minReturn, skipInvalid }, { stdout, stderr }) {
    if (to === 'adapter' || to === 'merged') {
      stdout.write(`${await exportWeights(folder, to, out)}\n`);
      return 0;
    }
    const paths = await recordingsIn(folder);
    const [first = folder] = paths;
    const isFile = /\.(jsonl|parquet)$/.test(first);
    const path = out ?? (isFile ? `${first}.dataset.${to}` : join(paths.length > 1 ? folder : first, `dataset.${to}`));
    const onInvalid = skipInvalid ? 'skip' : 'throw';
    const onProblem = ({ message }: Error) => void stderr.write(`left out ${message}\n`);
    const examples = examplesIn(paths, { episodes, minReturn, onInvalid, onProblem });
    const rows = await (to === 'jsonl' ? writeJsonLines : writeParquet)(path, examples);
    stdout.write(`${rows} rows\n${path}\n`);
    return 0;
  },
});

async function exportWeights(folder: string, to: 'adapter' | 'merged', out: string | undefined): Promise<string> {
  const weights = await weightsIn(folder);
  const path = resolve(out ?? join(weights.run ?? weights.start, to));
  // libtorch is loaded for weights alone
  const { loadPolicy } = await import('@vlgym/models');
  const policy = await loadPolicy(weights.folder, { keepReference: false });
  try {
    if (to === 'adapter') await policy.saveAdapter(path);
    else await policy.saveMerged(path);
    return path;
  } finally {
    policy.close();
  }
}

async function* examplesIn(paths: readonly string[], options: ReadExamplesOptions): AsyncGenerator<ChatExample> {
  for (const path of paths) yield* readExamples(path, options);
}
