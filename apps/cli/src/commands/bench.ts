import { resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../command.js';
import { algorithmNames } from '../experiment/algorithms.js';
import { benchmark } from '../experiment/benchmark.js';
import { cores } from '../experiment/resources.js';
import { taskSchema } from '../experiment/spec.js';

export const bench = defineCommand({
  name: 'bench',
  summary: 'algorithms × seeds on one task → one report with paired comparison',
  description:
    'Every algorithm starts from the same weights and is judged on the same seeds. Runs go side by side in processes of their own; what is finished is not done again, what was cut is continued. The report is one HTML file.',
  positional: 'env',
  options: taskSchema.extend({
    algorithms: z.array(z.string()).default(algorithmNames).describe('which presets'),
    seeds: z.array(z.number().int().nonnegative()).default([0, 1, 2]).describe('training seeds'),
    baseline: z.string().default('rl4vlm').describe('algorithm that the others are compared with'),
    set: z.record(z.string(), z.unknown()).default({}).describe('choices over those of every preset'),
    jobs: z.number().int().positive().default(cores()).describe('processes side by side'),
    out: z.string().default('runs/bench').describe('folder of runs and report'),
  }),
  examples: [
    { command: 'vlgym bench', does: 'all algorithms on EZPoints, three seeds' },
    {
      command: 'vlgym bench vlgym/Points24-v1 --updates 60 --seeds 0,1,2,3,4 --out runs/p24',
      does: 'the harder game, five seeds',
    },
    { command: 'vlgym bench --algorithms gtr-turbo-kl,vl-dac', does: 'two algorithms only' },
  ],
  async run(options, context) {
    return benchmark({
      ...options,
      out: resolve(options.out),
      title: `${options.env}: ${options.algorithms.length} algorithms`,
      lead: 'The same weights to start from, the same hands, prompts and evaluation seeds for every algorithm.',
      command: `vlgym ${['bench', ...process.argv.slice(3)].join(' ')}`,
      context,
    });
  },
});
