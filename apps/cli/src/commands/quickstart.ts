import { resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../command.js';
import { benchmark } from '../experiment/benchmark.js';
import { cores } from '../experiment/resources.js';
import { taskSchema } from '../experiment/spec.js';

export const quickstart = defineCommand({
  name: 'quickstart',
  summary: 'train three algorithms on a card game from pixels and show a report',
  description:
    'A vision-language model of under a million parameters learns EZPoints: two cards in a picture, a formula of value 12 to be written token by token. First a teacher who often errs shows it how to look and to speak; from that common start GTR-Turbo (KL), VL-DAC and the RL4VLM baseline learn from play. Takes about four minutes on two idle cores, once everything is set up.',
  options: taskSchema
    .pick({ warmStartExamples: true, updates: true, stepsPerUpdate: true, numEnvs: true, evaluationEpisodes: true })
    .extend({
      seeds: z.array(z.number().int().nonnegative()).default([0]).describe('training seeds'),
      jobs: z.number().int().positive().default(cores()).describe('processes side by side'),
      out: z.string().default('runs/quickstart').describe('folder of runs and report'),
    }),
  examples: [
    { command: 'vlgym quickstart', does: 'the whole story' },
    { command: 'vlgym quickstart --updates 4 --out runs/short', does: 'a first look' },
  ],
  async run({ out, seeds, jobs, ...choices }, context) {
    const folder = resolve(out);
    const task = {
      ...choices,
      env: 'vlgym/EZPoints-v1',
      model: 'tiny',
      evaluationFirstSeed: 1_000_000,
      folder,
    } as const;
    return benchmark({
      tasks: [task],
      seeds,
      jobs,
      algorithms: ['gtr-turbo-kl', 'vl-dac', 'rl4vlm'],
      baseline: 'rl4vlm',
      set: {},
      replicate: false,
      controls: false,
      out: folder,
      title: 'Learning a card game from pixels',
      lead: 'A small vision-language model looks at two cards, thinks in a sentence, and writes a formula of value 12 token by token. Three algorithms continue from the same warm start.',
      command: 'npm run quickstart',
      context,
    });
  },
});
