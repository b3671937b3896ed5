/** `vlgym export`: recorded episodes as a chat dataset for other trainers. */
import { join } from 'node:path';
import { readExamples, writeJsonLines, writeParquet } from '@vlgym/datasets';
import { z } from 'zod';
import { defineCommand } from '../command.js';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'recorded episodes as a chat dataset: JSON Lines or Parquet',
  description:
    "Writes every step of recorded episodes as a row in TRL's layout (`prompt`, `completion`, `images`), which `datasets.load_dataset` reads. JSON Lines have their pictures as PNG files beside them, Parquet inside.",
  positional: 'folder',
  options: z.object({
    folder: z.string().describe('folder or .jsonl file of recorded episodes, or another dataset'),
    to: z.enum(['jsonl', 'parquet']).default('parquet').describe('format'),
    out: z.string().optional().describe('file to write; default dataset.FORMAT in the folder'),
    episodes: z.enum(['success', 'all']).default('success').describe('episodes to take'),
    minReturn: z.number().optional().describe('smallest return of an episode'),
    skipInvalid: z.boolean().default(false).describe('leave invalid lines out, each with a message'),
  }),
  examples: [
    { command: 'vlgym export runs/expert/episodes --to parquet', does: 'successful episodes, for TRL' },
    {
      command: 'vlgym export runs/expert/episodes --to jsonl --out data/train.jsonl',
      does: 'with PNG files beside it',
    },
  ],
  async run({ folder, to, out, episodes, minReturn, skipInvalid }, { stdout, stderr }) {
    const isFile = /\.(jsonl|parquet)$/.test(folder);
    const path = out ?? (isFile ? `${folder}.dataset.${to}` : join(folder, `dataset.${to}`));
    const onInvalid = skipInvalid ? 'skip' : 'throw';
    const onProblem = ({ message }: Error) => void stderr.write(`left out ${message}\n`);
    const examples = readExamples(folder, { episodes, minReturn, onInvalid, onProblem });
    const rows = await (to === 'jsonl' ? writeJsonLines : writeParquet)(path, examples);
    stdout.write(`${rows} rows\n${path}\n`);
    return 0;
  },
});
