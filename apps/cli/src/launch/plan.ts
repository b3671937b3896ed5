/** The processes of a launch and where they run, independent of the launcher's format. */
import { z } from 'zod';
import { needs } from '../command-line/needs.js';
import { UsageError } from '../command-line/usage-error.js';

export const LAUNCHERS = ['slurm', 'k8s', 'skypilot', 'compose'] as const;

/** DNS labels, job names, compose projects: what all of them take. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const PATH = /^\/[A-Za-z0-9._/-]*$/;

const whole = z.number().int();

/** SkyPilot starts workers alone: learner, broker and samplers run elsewhere. */
const withLearner = needs({ to: ['slurm', 'k8s', 'compose'] });
const inContainers = needs({ to: ['k8s', 'skypilot', 'compose'] });

export const launchOptions = {
  run: z
    .string()
    .regex(NAME, 'expected lower-case letters, digits and "-"')
    .default('demo')
    .describe('name of the run'),
  learner: z
    .string()
    .default('train vl-dac')
    .meta(withLearner)
    .describe(
      'arguments of vlgym on the learner, e.g. "bench vlgym/Points24-v1 --model /models/Qwen2.5-VL-7B-Instruct"',
    ),
  model: z.string().optional().describe('model folder, under the same path everywhere; needed for samplers'),
  samplers: whole
    .min(0)
    .max(1024)
    .default(0)
    .meta(withLearner)
    .describe('vLLM servers; 0: the learner samples for the workers'),
  workers: whole.min(1).max(10_000).default(8).describe('worker processes'),
  concurrency: whole.min(1).max(1024).default(8).describe('episodes at a time per worker'),
  gpus: whole.min(0).max(64).default(1).meta(withLearner).describe('GPUs of the learner and of each sampler'),
  shared: z
    .string()
    .regex(PATH, 'expected an absolute path of plain characters')
    .default('/shared')
    .meta(withLearner)
    .describe('folder that all machines see under this path'),
  workerImage: z
    .string()
    .default('vlgym-worker:latest')
    .meta(inContainers)
    .describe('image built from containers/worker.Containerfile'),
  learnerImage: z
    .string()
    .default('vlgym-learner:latest')
    .meta(needs({ to: ['k8s', 'compose'] }))
    .describe('image built from containers/learner.Containerfile'),
  samplerImage: z
    .string()
    .default('vllm/vllm-openai:latest')
    .meta(needs({ to: ['k8s', 'compose'], samplers: { not: 0 } }))
    .describe('image of the serving engine; pin a version'),
  bucket: z
    .string()
    .default('vlgym')
    .meta(needs({ to: ['skypilot'] }))
    .describe('skypilot: bucket for trajectories'),
  queueName: z
    .string()
    .optional()
    .meta(needs({ to: ['k8s'] }))
    .describe('k8s: Kueue queue that admits the run'),
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
export function checkLaunch({ samplers, model, learner }: LaunchOptions, to?: (typeof LAUNCHERS)[number]): void {
  if (samplers > 0 && model === undefined) {
    throw new UsageError('--samplers needs --model FOLDER.', { hint: 'the model folder that vLLM serves' });
  }
  if (to === 'compose' && samplers > 1) {
    throw new UsageError(`--samplers ${samplers} is not used by compose: it starts one.`, {
      value: samplers,
      expected: '0 or 1',
      hint: 'several servers take slurm or k8s',
    });
  }
  const own = valueIn(learner, 'model');
  if (model !== undefined && own !== undefined && own !== model) {
    throw new UsageError(`--model ${model} is not used by the learner, which has --model ${own}.`, {
      value: model,
      expected: own,
      hint: 'leave one of them out: the learner gets --model too',
    });
  }
  if (samplers > 0 && servedRank(learner) > MAX_RANKS.at(-1)!) {
    throw new UsageError(`--lora-rank ${valueIn(learner, 'lora-rank')} is more than vLLM serves.`, {
      value: valueIn(learner, 'lora-rank'),
      expected: `at most ${MAX_RANKS.at(-1)! / 2}: adapters have twice the rank that is trained`,
    });
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
  const unless = (flag: string, value: string) => (has(flag) ? [] : [flag, value]);
  const isTrain = words[0] === 'train';
  const folder = isTrain ? '--folder' : '--out';
  return [
    ...words,
    ...unless(folder, `${shared}/${run}/run`),
    ...(model === undefined ? [] : unless('--model', model)),
    ...(samplers > 0 ? unless('--adapters', `${shared}/${run}/adapters`) : []),
    ...(samplers === 0 && isTrain ? unless('--listen', '0.0.0.0:8100') : []),
    ...(isTrain && !has('--resume') ? ['--resume'] : []),
  ];
}

/** Ranks that vLLM makes room for. */
const MAX_RANKS = [8, 16, 32, 64, 128, 256, 320, 512] as const;
/** The default of `train --lora-rank`. */
const DEFAULT_RANK = 128;

/** The value of a flag of the learner. */
function valueIn(learner: string, flag: string): string | undefined {
  const words = wordsOf(learner);
  const joined = words.find((word) => word.startsWith(`--${flag}=`));
  const at = words.indexOf(`--${flag}`);
  return joined?.slice(flag.length + 3) ?? (at === -1 ? undefined : words[at + 1]);
}

const servedRank = (learner: string): number => 2 * Number(valueIn(learner, 'lora-rank') ?? DEFAULT_RANK);

/** Flags that training needs of vLLM. Adapters have twice the rank that is trained: a warm start is part of them. */
export function serveWords({ model, learner }: LaunchOptions): string[] {
  const rank = servedRank(learner);
  const most = MAX_RANKS.find((each) => each >= rank)!;
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
