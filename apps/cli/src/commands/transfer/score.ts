/** `vlgym transfer score` and `compare`: nobody is asked. */
import { compareAnswers, compareSeeds } from '@vlgym/transfer';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { dim } from '../../terminal/style.js';
import { answersIn, scoresOf } from '../../transfer/answers-files.js';
import { sharedReports } from '../../transfer/comparisons.js';
import { comparisonTable, partsTable, scoresTable, seedsTable, withoutAnswers } from '../../transfer/tables.js';
import { HOME, json } from './common.js';

const rules = z.string().optional().describe('harness and year, e.g. lmms-eval-2026; default: as asked');

export const scoreCommand = defineCommand({
  name: 'transfer score',
  summary: 'score stored answers, also under the rules of another year',
  description:
    'Scores files of answers without asking anybody: under the rules that they were asked with and all others of the same words, or under those of --rules.',
  positional: 'answers',
  options: z.object({
    answers: z.array(z.string()).min(1).describe('files of answers, or folders of such files'),
    rules,
    parts: z.boolean().default(false).describe('also the parts of each benchmark'),
    json,
  }),
  examples: [
    { command: `vlgym transfer score ${HOME}`, does: 'everything that was asked' },
    { command: 'vlgym transfer score base.jsonl --rules lmms-eval-2026 --parts', does: 'the rules of a later year' },
  ],
  async run({ answers, rules: name, parts, json: asJson }, { stdout }) {
    const files = (await Promise.all(answers.map(answersIn))).flat();
    const reports = (await Promise.all(files.map((file) => scoresOf(file, name)))).flat();
    if (asJson) stdout.write(`${JSON.stringify(reports.map(withoutAnswers), null, 2)}\n`);
    else stdout.write([scoresTable(reports), ...(parts ? reports.map(partsTable) : []), ''].join('\n\n').trimEnd());
    if (!asJson) stdout.write('\n');
    return 0;
  },
});

export const compareCommand = defineCommand({
  name: 'transfer compare',
  summary: 'answers before and after training, question by question',
  description:
    'Pairs two files of answers by question, or two folders by benchmark: won and lost counts, the difference with its 95 % interval, an exact paired test (sign flips by video or page for graded scores), rates of unreadable answers, and the same difference among answers that are readable in both. p-values of several benchmarks are also corrected by Holm. Different rules or prompts are refused. More than two name a start and the policies of several training seeds: the interval is then one over seeds and questions.',
  positional: 'answers',
  options: z.object({
    answers: z
      .array(z.string())
      .min(2)
      .describe('answers before and after: two files or folders; more: after each of several training seeds'),
    rules,
    json,
  }),
  examples: [
    { command: 'vlgym transfer compare base.jsonl tuned.jsonl', does: 'one benchmark' },
    { command: 'vlgym transfer compare runs/base runs/tuned --rules lmms-eval-2026', does: 'all in two folders' },
    {
      command: 'vlgym transfer compare base.jsonl seed-0.jsonl seed-1.jsonl seed-2.jsonl',
      does: 'three training seeds',
    },
  ],
  async run({ answers, rules: name, json: asJson }, { stdout }) {
    const { shared, unpaired } = await sharedReports(answers, name);
    const units = shared.map(({ before }) => before.summary.unit);
    const print = <T>(rows: readonly T[], tableOf: (rows: readonly T[], of: typeof units) => string) =>
      void stdout.write(`${asJson ? JSON.stringify(rows, null, 2) : tableOf(rows, units)}\n`);
    if (answers.length === 2)
      print(
        shared.map(({ before, after }) => compareAnswers(before, after[0]!)),
        comparisonTable,
      );
    else
      print(
        shared.map(({ before, after }) => compareSeeds(before, after)),
        seedsTable,
      );
    if (!asJson && unpaired.length > 0) stdout.write(`${dim(`only on one side: ${unpaired.join(', ')}`)}\n`);
    return 0;
  },
});
