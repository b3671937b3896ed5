/** The processes of a launch and where they run, independent of the launcher's format. */
import { z } from 'zod';
import { UsageError } from '../command-line/usage-error.js';

export const LAUNCHERS = ['slurm', 'k8s', 'skypilot', 'compose'] as const;

/** DNS labels, job names, compose projects: what all of them take. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const PATH = /^\/[A-Za-z0-9._/-]*$/;

const whole = z.number().int();

export const launchOptions = {
  run: z
    .string()
    .regex(NAME, 'expected lower-case letters, digits and "-"')
    .default('demo')
    .describe('name of the run'),
  learner: z
    .string()
    .default('train vl-dac')
    .describe(
      'arguments of vlgym on the learner, e.g. "bench vlgym/Points24-v1 --model /models/Qwen2.5-VL-7B-Instruct"',
    ),
  model: z.string().optional().describe('model folder, under the same path everywhere; needed for samplers'),
  samplers: whole.min(0).max(1024).default(0).describe('vLLM servers; 0: the learner samples for the workers'),
  workers: whole.min(1).max(10_000).default(8).describe('worker processes'),
  concurrency: whole.min(1).max(1024).default(8).describe('episodes at a time per worker'),
  gpus: whole.min(0).max(64).default(1).describe('GPUs of the learner and of each sampler'),
  shared: z
    .string()
    .regex(PATH, 'expected an absolute path of plain characters')
    .default('/shared')
    .describe('folder that all machines see under this path'),
  workerImage: z.string().default('vlgym-worker:latest').describe('image built from containers/worker.Containerfile'),
  learnerImage: z
    .string()
    .default('vlgym-learner:latest')
    .describe('image built from containers/learner.Containerfile'),
  samplerImage: z.string().default('vllm/vllm-openai:latest').describe('image of the serving engine; pin a version'),
  bucket: z.string().default('vlgym').describe('skypilot: bucket for trajectories'),
  queueName: z.string().optional().describe('k8s: Kueue queue that admits the run'),
};

const schema = z.object(launchOptions);
export type LaunchOptions = z.output<typeof schema>;

export interface LaunchFile {
  readonly name: string;
  readonly text: string;
}

export interface Launch {
  readonly files: readonly LaunchFile[];
  /** In order; each takes the files of a folder by their names. */
  readonly commands: readonly (readonly [tool: string, ...words: string[]])[];
  /** Commands to run first, because the launch depends on their results. */
  readonly before: readonly string[];
}

/** @throws {UsageError} Options that do not go together. */
export function checkLaunch({ samplers, model, learner }: LaunchOptions): void {
  if (samplers > 0 && model === undefined) {
    throw new UsageError('--samplers needs --model FOLDER.', { hint: 'the model folder that vLLM serves' });
  }
  const [command] = wordsOf(learner);
  if (command !== 'train' && command !== 'bench') {
    throw new UsageError(`--learner runs train or bench, not ${JSON.stringify(command ?? '')}.`, {
      hint: '--learner "train vl-dac --env vlgym/Points24-v1"',
    });
  }
}

/** The learner's words: what was asked for, its folder, and that it continues after a restart. */
export function learnerWords(options: LaunchOptions): string[] {
  const { learner, shared, run, model, samplers } = options;
  const words = wordsOf(learner);
  const has = (flag: string) => words.includes(flag) || words.some((word) => word.startsWith(`${flag}=`));
  const isTrain = words[0] === 'train';
  const folder = isTrain ? '--folder' : '--out';
  return [
    ...words,
    ...(has(folder) ? [] : [folder, `${shared}/${run}/run`]),
    ...(model !== undefined && !has('--model') ? ['--model', model] : []),
    ...(samplers > 0 ? ['--adapters', `${shared}/${run}/adapters`] : isTrain ? ['--listen', '0.0.0.0:8100'] : []),
    ...(isTrain && !has('--resume') ? ['--resume'] : []),
  ];
}

/** Ranks that vLLM makes room for. */
const MAX_RANKS = [8, 16, 32, 64, 128, 256, 320, 512] as const;
/** The default of `train --lora-rank`. */
const DEFAULT_RANK = 128;

/** Flags that training needs of vLLM. Adapters have twice the rank that is trained: a warm start is part of them. */
export function serveWords({ model, learner }: LaunchOptions): string[] {
  const [, given] = /--lora-rank[= ](\d+)/.exec(wordsOf(learner).join(' ')) ?? [];
  const rank = 2 * Number(given ?? DEFAULT_RANK);
  const most = MAX_RANKS.find((each) => each >= rank) ?? MAX_RANKS.at(-1)!;
  return [
    ...[
      '--model',
      model!,
      '--enable-lora',
      '--max-loras',
      '4',
      '--max-cpu-loras',
      '8',
      '--max-lora-rank',
      String(most),
    ],
    ...['--logprobs-mode', 'processed_logprobs', '--generation-config', 'vllm', '--enable-scale-out'],
  ];
}

/** Words as a shell would split them, without any expansion: quotes group, nothing else is special. */
export function wordsOf(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return words.map((word) => (/^(?:"[^"]*"|'[^']*')$/.test(word) ? word.slice(1, -1) : word));
}

/** For bash: nothing in it is expanded. */
export const quoted = (word: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
