/** What a policy trains, as options and as data for checkpoints. */
import { z } from 'zod';
import type { LoraOptions } from '../adapters/lora.js';

/** Every weight, or low-rank adapters beside frozen weights. */
export type Training = 'full' | { readonly lora: LoraOptions & { readonly targets?: RegExp | undefined } };

export const trainingSchema = z.union([
  z.literal('full'),
  z.object({
    lora: z.object({
      r: z.number().int().positive(),
      alpha: z.number().positive(),
      dropout: z.number().min(0).max(1),
      /** Source of a regular expression. */
      targets: z.string(),
    }),
  }),
]);

export type TrainingData = z.output<typeof trainingSchema>;

/** With defaults filled in; `adapterTargets` are those of the model. */
export function trainingToData(training: Training, adapterTargets: RegExp): TrainingData {
  if (training === 'full') return training;
  const { r, alpha, dropout = 0, targets = adapterTargets } = training.lora;
  return { lora: { r, alpha, dropout, targets: targets.source } };
}

export function trainingFromData(data: TrainingData): Training {
  if (data === 'full') return data;
  return { lora: { ...data.lora, targets: new RegExp(data.lora.targets) } };
}
