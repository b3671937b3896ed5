import { resolve } from 'node:path';
import { resolveEnvId } from '@vlgym/core';
import { z } from 'zod';
import { defineCommand, UsageError } from '../command.js';
import { importEnvironments } from '../environments.js';
import { benchmark } from '../experiment/benchmark.js';
import { runControl, runControls } from '../experiment/controls/index.js';
import { cores } from '../experiment/resources.js';
import { settingsNotice } from '../experiment/settings.js';
import { taskSchema } from '../experiment/spec.js';

export const bench = defineCommand({
  name: 'bench',
  summary: 'algorithms × environments × seeds → one report with paired comparison',
  description:
    'On each environment every algorithm starts from the same weights and is evaluated on the same seeds. Runs go side by side in separate processes. Finished runs are not repeated and interrupted ones continue, so an environment or a seed can be added later. The report is one HTML file.',
  positional: 'envs',
  options: taskSchema.omit({ env: true }).extend({
    envs: z.array(z.string()).min(1).default(['vlgym/EZPoints-v1']).describe('ids or short names of environments'),
    algorithms: z
      .array(z.string())
      .min(1)
      .default(['gtr-turbo-kl', 'gtr-turbo-sft', 'vl-dac', 'rl4vlm', 'rl4vlm-stabilized'])
      .describe('which presets'),
    seeds: z.array(z.number().int().nonnegative()).min(1).default([0, 1, 2]).describe('training seeds'),
    baseline: z.string().default('rl4vlm').describe('algorithm that the others are compared with'),
    set: z.record(z.string(), z.unknown()).default({}).describe('options that override those of every preset'),
    replicate: z.boolean().default(false).describe("start from the settings of every algorithm's published code"),
    controls: z
      .boolean()
      .default(false)
      .describe('rows to compare a gain with: imitation, β = 0, placebo; gray and wrong pictures'),
    controlRows: z
      .array(z.string())
      .optional()
      .describe(`only these rows of --controls: ${runControls.map(({ name }) => name).join(', ')}`),
    jobs: z.number().int().positive().default(cores()).describe('processes side by side'),
    out: z.string().default('runs/bench').describe('folder of the report and, for each environment, its runs'),
  }),
  examples: [
    { command: 'vlgym bench', does: 'all algorithms on EZPoints, three seeds' },
    { command: 'vlgym bench vlgym/EZPoints-v1 vlgym/Points24-v1', does: 'two card games in one report' },
    {
      command: 'vlgym bench MiniWorld-Hallway-v0 MiniWorld-OneRoom-v0 --algorithms vl-dac,rl4vlm',
      does: 'two algorithms walk through rooms',
    },
    { command: 'vlgym bench my/Env-v0 --import my-env', does: 'an environment of an installed package' },
  ],
  async run(
    { envs, algorithms, seeds, baseline, set, replicate, controls, controlRows, jobs, out, ...choices },
    context,
  ) {
    const imported = await importEnvironments(choices.import);
    const ids = [...new Set(envs)];
    if (choices.envOptions && ids.length > 1) {
      throw new UsageError(`--env-options goes with one environment, and there are ${ids.length}.`, {
        hint: 'bench them one by one, each with an --out of its own',
      });
    }
    const tasks = [...new Set(ids.map(resolveEnvId))].map((env) => ({
      ...choices,
      env,
      import: imported,
      folder: resolve(out, folderName(env)),
    }));
    for (const { env } of tasks) {
      const notice = settingsNotice(env);
      if (notice) context.stderr.write(`${notice}\n`);
    }
    return benchmark({
      tasks,
      algorithms: [...new Set(algorithms)],
      seeds: [...new Set(seeds)],
      baseline,
      set,
      replicate,
      controls: controlRows ? controlRows.map(runControl) : controls ? runControls : [],
      jobs,
      out: resolve(out),
      title: [
        named(
          tasks.map(({ env }) => env),
          'environment',
        ),
        named(algorithms, 'algorithm'),
      ].join(', '),
      lead: 'On each environment every algorithm has the same start weights, prompts and evaluation seeds.',
      command: `vlgym ${['bench', ...process.argv.slice(3)].join(' ')}`,
      context,
    });
  },
});

/** Its name where there is one, else how many there are. */
const named = (all: readonly string[], what: string) => (all.length === 1 ? all[0] : `${all.length} ${what}s`);

/** `vlgym/EZPoints-v1` → `vlgym-EZPoints-v1`: ids of two namespaces never share a folder. */
const folderName = (id: string) => id.replaceAll('/', '-').replaceAll(':', '-');
