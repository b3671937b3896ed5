/**
 * Teaches the `small` preset one environment by imitation of correct labels, and judges it on content that it has never
 * seen (`split: 'test'`), with an interval. docs/small.md has the figures.
 *
 *     npm run small -- points24 --minutes 240            # also: alfworld, webshop
 *     npm run small -- points24 --minutes 60 --resume    # continues where it stopped
 *     npm run small -- webshop --start runs/small-alfworld   # continues from the weights of another lesson
 *     npm run small -- points24 --bfloat16               # on a processor with AVX-512 BF16 or AMX
 *     npm run small -- points24 --minutes 0              # only judges the last checkpoint, on --evaluate episodes
 *     npm run small -- webshop --minutes 0 --constrain actions   # the same, with answers held to legal actions
 *     npm run small -- webshop --minutes 0 --evaluate 0 --losses 24   # the loss of each kind on 24 fresh examples
 *
 * Minutes are those of the processor in this call, so that a busy machine changes nothing; the length of the whole run,
 * which the learning rate depends on, is counted in examples (`--examples`).
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AnyEnv, constraintKind, InvalidOptionError, make } from '@vlgym/core';
import { appendJsonLine, lockFolder, writeFileAtomic } from '@vlgym/core/internal';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '@vlgym/models';
import { FolderInUseError } from '@vlgym/rl';
import { trainSupervised } from '@vlgym/rl/warm-start';
import { batches, drillStepsOf } from './batches.js';
import { judge } from './judge.js';
import { lessons } from './lessons.js';
import { type KindLoss, lossesByKind } from './losses.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '240' },
    examples: { type: 'string' },
    evaluate: { type: 'string', default: '200' },
    rate: { type: 'string', default: '0.002' },
    folder: { type: 'string' },
    start: { type: 'string' },
    threads: { type: 'string', default: '1' },
    seed: { type: 'string', default: '0' },
    resume: { type: 'boolean', default: false },
    bfloat16: { type: 'boolean', default: false },
    constrain: { type: 'string', default: 'none' },
    losses: { type: 'string', default: '0' },
  },
});
const [name = 'points24'] = positionals;
const lesson = lessons[name];
if (!lesson) throw new InvalidOptionError('lesson', name, Object.keys(lessons).join(', '));
const folder = resolve(values.folder ?? join('runs', `small-${name}`));
const number = (key: 'minutes' | 'evaluate' | 'losses' | 'rate' | 'threads' | 'seed') => {
  const value = Number(values[key]);
  if (!(value >= 0)) throw new InvalidOptionError(key, values[key], 'a number, 0 or more');
  return value;
};

const total = values.examples === undefined ? lesson.totalExamples : Number(values.examples);
if (!(Number.isInteger(total) && total > 0)) throw new InvalidOptionError('examples', values.examples, '1 or more');
const constrain = constraintKind(values.constrain);
const steps = Math.ceil(total / lesson.batch);

interface Progress {
  readonly step: number;
  readonly examples: number;
  /** Processor seconds of training so far, in all processes. */
  readonly seconds: number;
}

/** Processor seconds between two checkpoints. */
const SAVE_EVERY = 60;
/** Bytes of conversations that judging does not read again at every turn. */
const PROMPT_CACHE = 2 ** 31;

const OPTIMIZER = {
  kind: 'muon',
  betas: [0.9, 0.99],
  eps: 1e-7,
  weightDecay: 0,
  bfloat16: values.bfloat16,
} as const;

// a stop by hand keeps the step that is under way
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopping = true));

setNumThreads(number('threads'));
await mkdir(folder, { recursive: true });
const lock = await lockFolder(folder, 'run');
const seed = number('seed');
const policy = await createPolicy({
  preset: 'small',
  seed,
  optimizer: OPTIMIZER,
  promptCacheBytes: PROMPT_CACHE,
  autocast: values.bfloat16 ? 'bfloat16' : 'none',
  keepReference: false,
});
try {
  const isStarted = await readFile(join(folder, 'progress.json'), 'utf8').catch(() => undefined);
  const isJudged = values.minutes === '0';
  if (isStarted !== undefined && !values.resume && !isJudged) {
    throw new FolderInUseError(folder);
  }
  // weights of another run are past the drills
  const step = values.start === undefined ? 0 : drillStepsOf(lesson, steps);
  const before: Progress = isStarted ? JSON.parse(isStarted) : { step, examples: step * lesson.batch, seconds: 0 };
  const from = isStarted === undefined ? values.start : folder;
  if (from !== undefined) await policy.load(join(from, 'policy'), { weightsOnly: from !== folder });
  const progress = isJudged ? before : await train(before);
  const examples = isStopping ? 0 : number('losses');
  if (examples > 0) show(await lossesByKind(lesson, policy, examples));
  const episodes = isStopping ? 0 : number('evaluate');
  if (episodes > 0) {
    const result = { ...progress, ...(await judge(lesson, policy, episodes, constrain)), constrain: values.constrain };
    await appendJsonLine(join(folder, 'evaluations.jsonl'), result);
    console.log(JSON.stringify(result));
  }
} finally {
  policy.close();
  await lock.release();
}

async function train(before: Progress): Promise<Progress> {
  const env = (await make(lesson!.env, { options: { ...lesson!.options, ...lesson!.splits.train } })) as AnyEnv;
  const started = process.cpuUsage();
  const limit = number('minutes') * 60;
  let progress = before;
  let savedAt = 0;
  try {
    await trainSupervised({
      policy,
      steps,
      from: before.step,
      batchOf: batches({ lesson: lesson!, env, policy, seed, steps }),
      learningRate: number('rate'),
      warmupRatio: 0.02,
      batchTokens: 2048,
      onStep: async ({ step, loss, gradNorm }) => {
        const { user, system } = process.cpuUsage(started);
        const spent = (user + system) / 1e6;
        progress = { step, examples: step * lesson!.batch, seconds: before.seconds + spent };
        await appendJsonLine(join(folder, 'metrics.jsonl'), { ...progress, loss, gradNorm });
        if (spent - savedAt >= SAVE_EVERY) {
          savedAt = spent;
          await save(progress);
        }
        return spent < limit && !isStopping;
      },
    });
  } finally {
    await env.close();
  }
  await save(progress);
  return progress;
}

/** A row for each kind. */
function show(losses: readonly KindLoss[]): void {
  const rounded = losses.map(({ kind, loss, missed, ...counts }) => {
    const numbers = { loss: Number(loss.toPrecision(3)), 'missed, %': Number((100 * missed).toFixed(2)) };
    return [kind, { ...counts, ...numbers }] as const;
  });
  console.table(Object.fromEntries(rounded));
}

async function save(progress: Progress): Promise<void> {
  await policy.save(join(folder, 'policy'));
  await writeFileAtomic(join(folder, 'progress.json'), JSON.stringify(progress));
}
