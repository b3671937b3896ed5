/** `vlgym transfer judge`. */
import { judgeAnswers, scoreAnswers } from '@vlgym/transfer';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { partsTable, scoresTable, withoutAnswers } from '../../transfer/tables.js';
import { answeringOptions, choiceOf, whileAnswering } from './answering.js';
import { json } from './common.js';

/** A reply is a letter; a model may say more. */
const JUDGE_TOKENS = 64;

export const judgeCommand = defineCommand({
  name: 'transfer judge',
  summary: 'ask a model which option unclear answers mean, and score them with it',
  description:
    'Asks an agent about every stored answer in which the rules of its benchmark find no option, once and in words of ours, stores what it said in a file beside the answers, and scores them with it. MMBench has a judge; its published figures come from another model and other words, so compare figures under one judge only. The same command goes on after Ctrl-C or a crash.',
  positional: 'answers',
  options: z.object({
    answers: z.string().describe('a file of answers'),
    rules: z.string().optional().describe('rules with a judge; default: the first of the benchmark'),
    agent: z.string().describe('openai, PROVIDER/MODEL, policy, or a file of yours: ./mine.ts'),
    ...answeringOptions,
    parallel: z.number().int().positive().default(8).describe('answers at once'),
    json,
  }),
  examples: [
    { command: 'vlgym transfer judge base.jsonl --agent openai --model gpt-5-mini', does: 'a server as the judge' },
  ],
  async run(given, context) {
    const { answers, agent, parallel } = given;
    const choice = choiceOf(given, agent, JUDGE_TOKENS, context.given);
    const name = await whileAnswering(choice, { total: 0, unit: 'answers' }, context, async (model, progress) => {
      const onProgress = (judged: number) => progress.update(judged);
      const asked = await judgeAnswers({
        answers,
        rules: given.rules,
        model,
        concurrency: parallel,
        onProgress,
        signal: context.signal,
      });
      progress.end(`${asked.judged + asked.before} answers were judged`);
      return asked.rules;
    });
    if (name === undefined) return 1;
    const report = await scoreAnswers(answers, name);
    if (given.json) context.stdout.write(`${JSON.stringify([withoutAnswers(report)], null, 2)}\n`);
    else context.stdout.write(`${scoresTable([report])}\n\n${partsTable(report)}\n`);
    return 0;
  },
});
