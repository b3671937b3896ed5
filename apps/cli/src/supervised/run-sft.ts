/**
 * Supervised training on files: every epoch shows each example once, in a new order. A run that was stopped or
 * killed continues from its last checkpoint with the same examples in the same steps.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Generator } from '@vlgym/core';
import { appendJsonLine, lockFolder } from '@vlgym/core/internal';
import { SeedSequence } from '@vlgym/core/random';
import { setNumThreads } from '@vlgym/gpu';
import { loadPolicy, type VlmPolicy } from '@vlgym/models';
import type { LabeledSequence } from '@vlgym/rl/update';
import { trainSupervised } from '@vlgym/rl/warm-start';
import { UsageError } from '../command-line/usage-error.js';
import { isModelFolder, modelTraining, newPolicy } from '../experiment/policy.js';
import { planPass } from '../experiment/training-memory.js';
import { jsonIn } from '../folders/text-file.js';
import { weightsIn } from '../folders/weights.js';
import { openDevice } from '../open-device.js';
import { resumeSft, saveSft } from './checkpoints.js';
import { type LabeledData, labeledData } from './labeled-data.js';
import type { SftOptions } from './options.js';

export interface SftProgress {
  readonly step: number;
  readonly steps: number;
  readonly loss: number;
}

export interface SftResult {
  readonly examples: number;
  readonly measured: number;
  readonly skipped: number;
  readonly steps: number;
  /** Mean negative log-probability per label on the measured part, nats; absent if that is empty. */
  readonly evalLoss?: number;
  /** Folder of the weights, for `vlgym train --start` (its parent) and `loadPolicy`. */
  readonly weights: string;
  /** Folder of the adapter as peft reads it; absent if all weights are trained. */
  readonly adapter?: string;
}

interface Hooks {
  readonly onProgress?: (progress: SftProgress) => void;
  /** Called with the memory that it is about to take. */
  readonly onNote?: (text: string) => void;
  readonly onProblem?: (message: string) => void;
  /** Called before the first step. @param isRecorded  Some examples are of recorded episodes. */
  readonly onRead?: (isRecorded: boolean) => void;
  readonly signal?: AbortSignal;
}

/** @throws {FolderInUseError | CheckpointMismatchError | CheckpointDamagedError | DatasetRowError}, the signal's reason when aborted. */
export async function runSft(given: SftOptions, hooks: Hooks = {}): Promise<SftResult> {
  const options = { ...given, model: await modelOf(given) };
  if (options.threads !== undefined) setNumThreads(options.threads);
  const folder = resolve(options.out);
  await mkdir(folder, { recursive: true });
  const lock = await lockFolder(folder, 'run');
  try {
    // said and checked before the model is read
    const { batchTokens, note } = await planPass(options, options.batchTokens);
    if (note) hooks.onNote?.(note);
    const policy = await startPolicy(options);
    try {
      if (policy.hasAdapters) policy.checkAdapter();
      return await learn({ ...options, batchTokens }, folder, policy, hooks);
    } finally {
      policy.close();
    }
  } finally {
    await lock.release();
  }
}

type Choices = SftOptions & { readonly model: string };

async function startPolicy({ start, model, loraRank, dtype, device, seed }: Choices): Promise<VlmPolicy> {
  if (start === undefined) return newPolicy({ model, loraRank, dtype, device, keepReference: false }, seed);
  const base = isModelFolder(model) ? { model } : {};
  return loadPolicy((await weightsIn(start)).folder, { ...base, device: openDevice(device), keepReference: false });
}

/**
 * The preset or folder that is trained: sizes of passes and the learning rate follow from it.
 *
 * @throws {UsageError} `--model` names another one than that of the weights to start from.
 */
async function modelOf({ start, model }: SftOptions): Promise<string> {
  if (start === undefined) return model ?? 'tiny';
  const { name, base } = await startOf(start);
  // the folder of a base may have moved: its weights are compared when they are loaded
  const fits = model === undefined || (base ? isModelFolder(model) : model === name);
  if (fits) return model ?? base?.folder ?? name;
  throw new UsageError(
    `--model ${model} is not used by --start ${start}: its weights are of ${base?.folder ?? name}.`,
    {
      value: model,
      expected: base ? 'the folder of its base model, where it has moved' : name,
      hint: 'leave --model out',
    },
  );
}

/** Weights to start from may be of a preset that another program declares. */
function declaredRate({ start, model }: Choices): number | undefined {
  try {
    return modelTraining(model).supervisedLearningRate;
  } catch (error) {
    if (start === undefined) throw error;
    return undefined;
  }
}

async function startOf(start: string) {
  const { folder } = await weightsIn(start);
  return (await jsonIn(join(folder, 'policy.json'))) as { readonly name: string; readonly base?: { folder: string } };
}

async function learn(
  options: Choices,
  folder: string,
  policy: VlmPolicy,
  { onProgress, onNote, onProblem = () => {}, onRead, signal }: Hooks,
): Promise<SftResult> {
  const data = await labeledData(options, policy, onProblem);
  onRead?.(data.isRecorded);
  const { epochs, batch, seed, evalShare, evaluateEvery, saveEvery } = options;
  if (evalShare > 0 && data.measured.length === 0) {
    onNote?.(`nothing is held out: a share of ${evalShare} of so few rows or episodes is none`);
  }
  const stepsPerEpoch = Math.ceil(data.train.length / batch);
  const steps = epochs * stepsPerEpoch;
  const identity = identityOf(options, data);
  const from = await resumeSft(folder, policy, { identity, resume: options.resume });
  const metrics = (row: object) => appendJsonLine(join(folder, 'metrics.jsonl'), row);
  let evalLoss: number | undefined;
  const measure = async (step: number) => {
    if (data.measured.length === 0) return;
    evalLoss = await meanLoss(policy, data.measured);
    await metrics({ step, evalLoss });
  };
  if (from === steps) await measure(steps);
  let done = from;
  await trainSupervised({
    policy,
    steps,
    from,
    batchOf: (step) => batchOf(data.train, { step, stepsPerEpoch, batch, seed }),
    learningRate: options.learningRate ?? declaredRate(options) ?? 2e-5,
    warmupRatio: options.warmup,
    maxGradNorm: options.maxGradNorm,
    batchTokens: options.batchTokens,
    signal,
    onStep: async ({ step, loss, learningRate, gradNorm, labels }) => {
      done = step;
      await metrics({ step, epoch: step / stepsPerEpoch, loss, learningRate, gradNorm, labels });
      onProgress?.({ step, steps, loss });
      if (step === steps || step % evaluateEvery === 0) await measure(step);
      if (step === steps || step % saveEvery === 0) await saveSft(folder, policy, { step, identity });
      return undefined;
    },
  }).catch(async (error) => {
    // stopped between two steps, or inside one whose gradients are dropped
    if (signal?.aborted && done > from) await saveSft(folder, policy, { step: done, identity });
    throw error;
  });
  const weights = join(folder, 'policy');
  await policy.save(weights);
  const adapter = policy.hasAdapters ? join(folder, 'adapter') : undefined;
  if (adapter) await policy.saveAdapter(adapter);
  const { train, measured, skipped } = data;
  return {
    examples: train.length,
    measured: measured.length,
    skipped,
    steps,
    ...(evalLoss !== undefined && { evalLoss }),
    weights,
    ...(adapter && { adapter }),
  };
}

/** Choices that a resumed run must share. */
function identityOf(options: SftOptions, { digest }: LabeledData): Readonly<Record<string, unknown>> {
  const { model, loraRank, dtype, start, epochs, batch, learningRate, warmup, maxGradNorm, seed, evalShare } = options;
  return {
    data: digest,
    model,
    loraRank,
    dtype,
    start,
    epochs,
    batch,
    learningRate,
    warmup,
    maxGradNorm,
    seed,
    evalShare,
  };
}

interface Place {
  readonly step: number;
  readonly stepsPerEpoch: number;
  readonly batch: number;
  readonly seed: number;
}

/** The order of an epoch follows from the seed and its number alone. */
function batchOf(
  examples: readonly LabeledSequence[],
  { step, stepsPerEpoch, batch, seed }: Place,
): readonly LabeledSequence[] {
  const epoch = Math.floor(step / stepsPerEpoch);
  const order = new Generator(new SeedSequence([seed, epoch])).permutation(examples.length);
  const first = (step % stepsPerEpoch) * batch;
  return order.slice(first, first + batch).map((place) => examples[place]!);
}

async function meanLoss(policy: VlmPolicy, examples: readonly LabeledSequence[]): Promise<number> {
  const { logProbs } = await policy.score(examples);
  let sum = 0;
  let count = 0;
  for (const row of logProbs) {
    for (const value of row) sum -= value;
    count += row.length;
  }
  return sum / count;
}
