/** `vlgym transfer`: question benchmarks before and after training. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  agentAnswerer,
  ask,
  BENCHMARKS,
  compareAnswers,
  compareSeeds,
  MINIATURES,
  benchmark as named,
  type VideoFolders,
  writeMiniature,
} from '@vlgym/transfer';
import { z } from 'zod';
import { type AgentChoice, agentOptions, defaultAgent, openAgent } from '../agents.js';
import { defineCommand, UsageError } from '../command-line/command.js';
import type { CommandGroup } from '../command-line/command-entry.js';
import { withDigest } from '../digested-name.js';
import { modelOptions, modelOptionsOf } from '../model-options.js';
import { resumeCommand } from '../terminal/command-line.js';
import { Progress } from '../terminal/progress.js';
import { dim, table } from '../terminal/style.js';
import { answersIn, scoresOf } from '../transfer/answers-files.js';
import { sharedReports } from '../transfer/comparisons.js';
import { decodePicture } from '../transfer/decode-pictures.js';
import { comparisonTable, partsTable, scoresTable, seedsTable } from '../transfer/tables.js';

const HOME = join('runs', 'transfer');
/** Answers to generated questions do not mix with others. */
const MINIATURE = join(HOME, 'miniature');
const rules = z.string().optional().describe('harness and year, e.g. lmms-eval-2026; default: as asked');
const json = z.boolean().default(false).describe('print JSON for scripts');

const askCommand = defineCommand({
  name: 'transfer ask',
  summary: 'ask an agent the questions of a benchmark, and score the answers',
  description:
    'Asks an agent every question of a benchmark, from your copy, in the words of its harness, stores the answers as they were written, and scores them under every rule that asks the same words. The same command goes on after Ctrl-C or a crash. An error of the model ends the run, so that no missing answer looks like a wrong one. --miniature asks 12 generated questions of the same layout instead, to try an agent without any data.',
  positional: 'benchmark',
  options: z.object({
    benchmark: z.string().describe('a benchmark of vlgym transfer list, e.g. muirbench; own for your own questions'),
    rules: z.string().optional().describe('harness and year, e.g. lmms-eval-2026; default: the first of the list'),
    questions: z.string().optional().describe('a .jsonl, .tsv, .parquet or .tfrecord file, or a folder of such files'),
    frames: z.string().optional().describe('folder with the frames of each video, for benchmarks of videos'),
    videos: z.string().optional().describe('folder with the video files, whose frames ffmpeg takes out'),
    framesPerVideo: z.number().int().positive().default(32).describe('frames of a video, evenly spread'),
    miniature: z.boolean().default(false).describe('12 generated questions in the layout of the benchmark'),
    agent: z
      .string()
      .optional()
      .describe(
        'random, policy, openai, PROVIDER/MODEL, or a file of yours: ./mine.ts; default random, or policy where --weights or --model is given',
      ),
    ...agentOptions,
    ...modelOptions,
    out: z.string().optional().describe(`file of the answers; default ${HOME}/BENCHMARK-AGENT.jsonl`),
    limit: z.number().int().positive().optional().describe('the first questions only'),
    parallel: z.number().int().positive().default(8).describe('questions at once'),
    skipBroken: z.boolean().default(false).describe('leave out questions that cannot be read, each with a message'),
    json,
  }),
  examples: [
    { command: 'vlgym transfer ask muirbench --miniature', does: 'guesses, without data: what the output looks like' },
    {
      command: 'vlgym transfer ask muirbench --questions data/muirbench --weights runs/vl-dac-0',
      does: 'a trained policy on your copy',
    },
    {
      command:
        'vlgym transfer ask video-mme --questions data/video-mme --frames data/frames --agent openai --model qwen2.5-vl-7b',
      does: 'a server, with 32 frames of each video',
    },
    { command: 'vlgym transfer ask own --questions mine.jsonl --agent ./mine.ts', does: 'your own questions' },
  ],
  async run(given, { stdout, stderr, signal }) {
    const rule = named(given.rules === undefined ? given.benchmark : `${given.benchmark}/${given.rules}`);
    const agent = given.agent ?? defaultAgent(given);
    const file = `${rule.id}-${nameOf(rule.rules, { ...given, agent })}.jsonl`;
    const out = given.out ?? join(given.miniature ? MINIATURE : HOME, file);
    await mkdir(dirname(out), { recursive: true });
    const source = await sourceOf(rule.id, given);
    const { agent: player, close } = await openAgent(choiceOf(given, agent, rule.maxNewTokens));
    const progress = new Progress({ label: player.name, total: given.limit ?? 0, unit: 'questions' });
    try {
      const { skipped } = await ask({
        ...{ benchmark: rule, model: agentAnswerer(player), out, limit: given.limit, concurrency: given.parallel },
        ...{ ...source, framesPerVideo: given.framesPerVideo, decode: decodePicture, signal },
        onInvalid: given.skipBroken ? 'skip' : 'throw',
        onProblem: ({ message }) => void stderr.write(`left out: ${message.split('\n', 1)[0]}\n`),
        onProgress: (answered) => progress.update(answered),
      });
      progress.end(skipped > 0 ? `${skipped} left out` : undefined);
    } catch (error) {
      progress.end();
      if (!signal.aborted) throw error;
      stderr.write(`stopped; continue with: ${resumeCommand()}\n`);
      return 1;
    } finally {
      await close();
    }
    const reports = await scoresOf(out);
    if (given.json) stdout.write(`${JSON.stringify(reports.map(withoutAnswers), null, 2)}\n`);
    else stdout.write(`${scoresTable(reports)}\n\n${partsTable(reports[0]!)}\n\n${dim(out)}\n`);
    return 0;
  },
});

const scoreCommand = defineCommand({
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

const compareCommand = defineCommand({
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
  verbs: [askCommand, scoreCommand, compareCommand, listCommand, miniatureCommand] as unknown as CommandGroup['verbs'],
};

type Asked = Parameters<typeof askCommand.run>[0];

const withoutAnswers = <T extends { readonly answers: unknown }>({ answers: _, ...report }: T) => report;

/** Names the agent and the words that it is asked in, for a file name. */
function nameOf(rule: string, { agent, weights, model }: Pick<AgentChoice, 'agent' | 'weights' | 'model'>): string {
  const name = (weights ?? model ?? agent).replaceAll(/[^\w.-]+/g, '-').replace(/^[-.]+/, '');
  return withDigest(name, [rule, agent, weights, model]);
}

async function sourceOf(
  id: string,
  { questions, frames, videos, miniature }: Pick<Asked, 'questions' | 'frames' | 'videos' | 'miniature'>,
): Promise<{ questions: string } & VideoFolders> {
  if (miniature && questions !== undefined) throw new UsageError('--miniature needs no --questions.');
  if (miniature) return writeMiniature(id, join(MINIATURE, id));
  if (questions !== undefined) return { questions, frames, videos };
  throw new UsageError('--questions FILE is missing.', {
    expected: 'your own copy of the benchmark: a .jsonl, .tsv, .parquet or .tfrecord file, or a folder of such files',
    hint: '--miniature asks 12 generated questions instead',
  });
}

/** Greedy, and as short as the harness asks, unless the user says otherwise. */
function choiceOf(given: Asked, agent: string, tokens: number): AgentChoice {
  if (agent === 'oracle') {
    throw new UsageError('--agent oracle cannot answer questions.', { hint: 'only environments have an expert' });
  }
  const { settings, ...options } = modelOptionsOf(given);
  return {
    ...given,
    agent,
    env: undefined,
    ...(agent === 'policy' && {
      temperature: given.temperature ?? 0,
      maxNewTokens: given.maxNewTokens ?? tokens,
      constrain: given.constrain ?? 'none',
    }),
    modelOptions: { ...options, settings: { temperature: 0, maxOutputTokens: tokens, ...settings } },
  };
}
