/** What a policy trains, as options and as data for checkpoints. */
import { checkNames, names } from '@vlgym/core/internal';
import { z } from 'zod';
import type { LoraOptions } from '../adapters/lora.js';

type Lora = LoraOptions & { readonly targets?: RegExp | undefined };
/** Every weight, or low-rank adapters on frozen weights. */
export type Training = 'full' | { readonly lora: Lora };

const LORA_OPTIONS = names<Lora>({
  r: 0,
  alpha: 0,
  dropout: 0,
  rankPattern: 0,
  alphaPattern: 0,
  rankStabilized: 0,
  targets: 0,
});

/** @throws {UnknownOptionError} */
export function checkTraining(training: Training | undefined): void {
  if (training === 'full') return;
  checkNames('train', training, ['lora']);
  checkNames('lora', training?.lora, LORA_OPTIONS);
}

export const trainingSchema = z.union([
  z.literal('full'),
  z.object({
    lora: z.object({
      r: z.number().int().positive(),
      alpha: z.number().positive(),
      dropout: z.number().min(0).max(1),
      rankPattern: z.record(z.string(), z.number().int().positive()).optional(),
      alphaPattern: z.record(z.string(), z.number().positive()).optional(),
      rankStabilized: z.boolean().optional(),
      /** Source of a regular expression. */
      targets: z.string(),
    }),
  }),
]);

export type TrainingData = z.output<typeof trainingSchema>;

/** With defaults filled in; `adapterTargets` are those of the model. */
export function trainingToData(training: Training, adapterTargets: RegExp): TrainingData {
  if (training === 'full') return training;
  const { r, alpha, dropout = 0, rankPattern, alphaPattern, rankStabilized, targets = adapterTargets } = training.lora;
  // absent and not undefined where unused: checkpoints are compared key by key
  const patterns = {
    ...(rankPattern && { rankPattern }),
    ...(alphaPattern && { alphaPattern }),
    ...(rankStabilized && { rankStabilized }),
  };
  return { lora: { r, alpha, dropout, ...patterns, targets: targets.source } };
}

export function trainingFromData(data: TrainingData): Training {
  if (data === 'full') return data;
  return { lora: { ...data.lora, targets: new RegExp(data.lora.targets) } };
}
