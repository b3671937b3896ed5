/** `vlgym transfer ask`. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ask, benchmark as named, type VideoFolders, writeMiniature } from '@vlgym/transfer';
import { z } from 'zod';
import { type AgentChoice, defaultAgent } from '../../agents.js';
import { defineCommand, UsageError } from '../../command-line/command.js';
import { checkNeeds, needs } from '../../command-line/needs.js';
import { withDigest } from '../../digested-name.js';
import { dim } from '../../terminal/style.js';
import { scoresOf } from '../../transfer/answers-files.js';
import { decodePicture } from '../../transfer/decode-pictures.js';
import { partsTable, scoresTable, withoutAnswers } from '../../transfer/tables.js';
import { answeringOptions, choiceOf, whileAnswering } from './answering.js';
import { HOME, json } from './common.js';

/** Answers to generated questions do not mix with others. */
const MINIATURE = join(HOME, 'miniature');

const VIDEOS = 'questions about video';
const ofVideos = needs({ miniature: false, shows: [VIDEOS] });

export const askCommand = defineCommand({
  name: 'transfer ask',
  summary: 'ask an agent the questions of a benchmark, and score the answers',
  description:
    'Asks an agent every question of a benchmark, from your copy, in the words of its harness, stores the answers as they were written, and scores them under every rule that asks the same words. The same command goes on after Ctrl-C or a crash. An error of the model ends the run, so that no missing answer looks like a wrong one. --miniature asks 12 generated questions of the same layout instead, to try an agent without any data.',
  positional: 'benchmark',
  options: z.object({
    benchmark: z.string().describe('a benchmark of vlgym transfer list, e.g. muirbench; own for your own questions'),
    rules: z.string().optional().describe('harness and year, e.g. lmms-eval-2026; default: the first of the list'),
    questions: z
      .string()
      .optional()
      .meta(needs({ miniature: false }))
      .describe('a .jsonl, .tsv, .parquet or .tfrecord file, or a folder of such files'),
    frames: z
      .string()
      .optional()
      .meta(ofVideos)
      .describe('folder with the frames of each video, for benchmarks of videos'),
    videos: z.string().optional().meta(ofVideos).describe('folder with the video files, whose frames ffmpeg takes out'),
    framesPerVideo: z
      .number()
      .int()
      .positive()
      .default(32)
      .meta(needs({ shows: [VIDEOS] }))
      .describe('frames of a video, evenly spread'),
    miniature: z.boolean().default(false).describe('12 generated questions in the layout of the benchmark'),
    agent: z
      .string()
      .optional()
      .describe(
        'random, policy, openai, PROVIDER/MODEL, or a file of yours: ./mine.ts; default random, or policy where --weights or --model is given',
      ),
    ...answeringOptions,
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
  async run(given, context) {
    const { stdout, stderr, signal } = context;
    const rule = named(given.rules === undefined ? given.benchmark : `${given.benchmark}/${given.rules}`);
    checkNeeds(askCommand, { ...given, shows: `questions about ${rule.pictures}` }, context.given);
    const agent = given.agent ?? defaultAgent(given);
    const choice = choiceOf(given, agent, rule.maxNewTokens, context.given);
    const file = `${rule.id}-${nameOf(rule.rules, { ...given, agent })}.jsonl`;
    const out = given.out ?? join(given.miniature ? MINIATURE : HOME, file);
    await mkdir(dirname(out), { recursive: true });
    const source = await sourceOf(rule.id, given);
    const counted = { total: given.limit ?? 0, unit: 'questions' };
    const asked = await whileAnswering(choice, counted, context, async (model, progress) => {
      const { skipped } = await ask({
        ...{ benchmark: rule, model, out, limit: given.limit, concurrency: given.parallel },
        ...{ ...source, framesPerVideo: given.framesPerVideo, decode: decodePicture, signal },
        onInvalid: given.skipBroken ? 'skip' : 'throw',
        onProblem: ({ message }) => void stderr.write(`left out: ${message.split('\n', 1)[0]}\n`),
        onProgress: (answered) => progress.update(answered),
      });
      progress.end(skipped > 0 ? `${skipped} left out` : undefined);
      return skipped;
    });
    if (asked === undefined) return 1;
    const reports = await scoresOf(out);
    if (given.json) stdout.write(`${JSON.stringify(reports.map(withoutAnswers), null, 2)}\n`);
    else stdout.write(`${scoresTable(reports)}\n\n${partsTable(reports[0]!)}\n\n${dim(out)}\n`);
    return 0;
  },
});

type Asked = Parameters<typeof askCommand.run>[0];

/** Names the agent and the words that it is asked in, for a file name. */
function nameOf(rule: string, { agent, weights, model }: Pick<AgentChoice, 'agent' | 'weights' | 'model'>): string {
  const name = (weights ?? model ?? agent).replaceAll(/[^\w.-]+/g, '-').replace(/^[-.]+/, '');
  return withDigest(name, [rule, agent, weights, model]);
}

async function sourceOf(
  id: string,
  { questions, frames, videos, miniature }: Pick<Asked, 'questions' | 'frames' | 'videos' | 'miniature'>,
): Promise<{ questions: string } & VideoFolders> {
  if (miniature) return writeMiniature(id, join(MINIATURE, id));
  if (questions !== undefined) return { questions, frames, videos };
  throw new UsageError('--questions FILE is missing.', {
    expected: 'your own copy of the benchmark: a .jsonl, .tsv, .parquet or .tfrecord file, or a folder of such files',
    hint: '--miniature asks 12 generated questions instead',
  });
}
