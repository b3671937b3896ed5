/** `vlgym transfer`: question benchmarks before and after training. */
import { BENCHMARKS, MINIATURES, writeMiniature } from '@vlgym/transfer';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import type { CommandGroup } from '../../command-line/command-entry.js';
import { table } from '../../terminal/style.js';
import { askCommand } from './ask.js';
import { json } from './common.js';
import { judgeCommand } from './judge.js';
import { compareCommand, scoreCommand } from './score.js';

const listCommand = defineCommand({
  name: 'transfer list',
  summary: 'benchmarks and their rules',
  description: 'Every benchmark with its rules, the default first. The data are yours; none are included.',
  options: z.object({ json }),
  examples: [{ command: 'vlgym transfer list', does: 'all of them' }],
  async run({ json: asJson }, { stdout }) {
    const ids = [...new Set(BENCHMARKS.map(({ id }) => id))];
    const rows = ids.map((id) => {
      const [first, ...more] = BENCHMARKS.filter((each) => each.id === id);
      const names = [first!, ...more].map((each) => each.rules);
      return { benchmark: id, shows: first!.pictures, answerTokens: first!.maxNewTokens, rules: names };
    });
    const cells = rows.map((row) => [row.benchmark, row.shows, String(row.answerTokens), row.rules.join(', ')]);
    const text = table([['benchmark', 'shows', 'answer tokens', 'rules'], ...cells]);
    stdout.write(`${asJson ? JSON.stringify(rows, null, 2) : text}\n`);
    return 0;
  },
});

const miniatureCommand = defineCommand({
  name: 'transfer miniature',
  summary: 'write 12 generated questions in the layout of a benchmark',
  description: `Writes questions.jsonl with its pictures and frames, to see what a reader expects. Benchmarks: ${MINIATURES.join(', ')}.`,
  positional: 'benchmark',
  options: z.object({
    benchmark: z.string().describe('a benchmark of vlgym transfer list'),
    to: z.string().optional().describe('folder to write; default ./miniature-BENCHMARK'),
  }),
  examples: [{ command: 'vlgym transfer miniature own --to mine', does: 'a start for your own questions' }],
  async run({ benchmark, to = `miniature-${benchmark}` }, { stdout }) {
    const { questions } = await writeMiniature(benchmark, to);
    stdout.write(`${questions}\n`);
    return 0;
  },
});

export const transfer: CommandGroup = {
  name: 'transfer',
  summary: 'question benchmarks before and after training, scored as published',
  description:
    'Does what was learned here carry over? Any agent answers VSI-Bench, ERQA, MuirBench, Video-MME, VisualWebBench, MMBench, MME, MMStar, MME-RealWorld, MMT-Bench, MIRB, GQA, or your own questions, from your own copy of the data. Answers are stored as written; rules are named by harness and year.',
  verbs: [
    askCommand,
    judgeCommand,
    scoreCommand,
    compareCommand,
    listCommand,
    miniatureCommand,
  ] as unknown as CommandGroup['verbs'],
};
