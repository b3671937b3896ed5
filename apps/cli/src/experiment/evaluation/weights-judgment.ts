/** How weights in a folder are judged: as the run that trained them was, which its `run.json` says; else as their task says. */
import { dirname, resolve } from 'node:path';
import { FALLBACKS } from '@vlgym/agents';
import { GymError } from '@vlgym/core';
import type { EvaluationSettings } from '@vlgym/rl';
import { z } from 'zod';
import { readRunFile } from '../run-file.js';
import { taskSchema } from '../spec.js';
import { type JudgmentChoices, judgmentOfTask } from './judgment.js';

const runFile = z.looseObject({
  env: z.string(),
  evaluation: z.object({
    temperature: z.number().nonnegative(),
    maxNewTokens: z.number().int().positive(),
    topK: z.number().int().nonnegative(),
    topP: z.number().gt(0).max(1),
    repetitionPenalty: z.number().positive(),
    constrain: z.enum(['none', 'actions', 'json']),
    fallback: z.enum(FALLBACKS),
  }),
});

/** Weights lie at most this deep in a run: RUN/checkpoints/000004/policy. */
const DEPTH = 3;

/** @param choices  The user's choices, which override the run's. */
export async function judgmentOfWeights(
  weights: string,
  env: string,
  { temperature, constrain, maxNewTokens }: JudgmentChoices,
): Promise<EvaluationSettings> {
  const task = judgmentOfTask(taskSchema.parse({ env }));
  const run = await runOf(weights);
  const found: EvaluationSettings =
    run === undefined
      ? { ...task, temperature: 0 }
      : // answers have a different length in another environment
        { ...run.evaluation, ...(run.env !== env && { maxNewTokens: task.maxNewTokens }) };
  return {
    ...found,
    ...(temperature !== undefined && { temperature }),
    ...(constrain !== undefined && { constrain }),
    ...(maxNewTokens !== undefined && { maxNewTokens }),
  };
}

/** The `run.json` of the run that the folder is part of. */
async function runOf(weights: string): Promise<z.output<typeof runFile> | undefined> {
  let folder = resolve(weights);
  for (let depth = 0; depth <= DEPTH; depth += 1, folder = dirname(folder)) {
    // that of another program says nothing about these weights
    const found = await readRunFile(folder).catch((error: unknown) => {
      if (GymError.isInstance(error) && error.code === 'RUN_FORMAT') return undefined;
      throw error;
    });
    if (found !== undefined) return runFile.safeParse(found).data;
  }
  return undefined;
}
