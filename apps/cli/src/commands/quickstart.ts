import { resolve } from 'node:path';
import { z } from 'zod';
import { argumentsOf, defineCommand } from '../command-line/command.js';
import { benchmark, exitCodeOf } from '../experiment/benchmark/benchmark.js';
import { runControl } from '../experiment/controls/index.js';
import { cores } from '../experiment/resources.js';
import { seedList, taskSchema } from '../experiment/spec.js';
import { commandLine } from '../terminal/command-line.js';

const options = taskSchema
  .pick({ warmStartExamples: true, updates: true, stepsPerUpdate: true, numEnvs: true, evaluationEpisodes: true })
  .extend({
    seeds: seedList.default([0]).describe('training seeds'),
    jobs: z.number().int().positive().default(cores()).describe('processes side by side'),
    out: z.string().default('runs/quickstart').describe('folder of runs and report'),
  });

export const quickstart = defineCommand({
  name: 'quickstart',
  summary: 'train three algorithms to walk from pixels and show a report',
  description:
    'A vision-language model of under a million parameters learns to walk to a red box in a room, from first-person pictures (MiniWorld-OneRoomS6Fast-v0). A warm start teaches it to say where the box is, with actions drawn at random; no label says what to do. From this common start GTR-Turbo (KL), VL-DAC and the RL4VLM baseline learn from play, and a control learns from more of the same labels. All are evaluated on the test split: cells of the room that no training uses, not mirrored or rotated either, though training cells lie next to them, so that this is interpolation. The split has three tasks: its intervals are wide. Takes about 9 minutes of processor time, once everything is set up.',
  options,
  examples: [
    { command: 'vlgym quickstart', does: 'the whole story' },
    { command: 'vlgym quickstart --updates 4 --out runs/short', does: 'a first look' },
  ],
  async run(typed, context) {
    const { out, seeds, jobs, ...choices } = typed;
    const folder = resolve(out);
    const task = {
      ...choices,
      env: 'MiniWorld-OneRoomS6Fast-v0',
      import: [] as string[],
      model: 'tiny',
      evaluationFirstSeed: 1_000_000,
      folder,
    } as const;
    const outcome = await benchmark({
      tasks: [task],
      seeds,
      jobs,
      algorithms: ['gtr-turbo-kl', 'vl-dac', 'rl4vlm'],
      baseline: 'rl4vlm',
      set: {},
      given: { env: 'quickstart', algorithm: 'quickstart', ...context.given },
      replicate: false,
      controls: [runControl('imitation')],
      out: folder,
      title: 'Learning to walk from pixels',
      lead: 'A small vision-language model sees a room in first person, says where the red box is, and chooses a step. It starts from labels with random actions; three algorithms learn from play where to go.',
      command: commandLine(argumentsOf({ name: 'quickstart', options }, typed, ['jobs'])),
      context,
    });
    return exitCodeOf(outcome);
  },
});
