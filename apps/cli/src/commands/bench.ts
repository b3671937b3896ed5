import { resolve } from 'node:path';
import { resolveEnvId } from '@vlgym/core';
import { z } from 'zod';
import { argumentsOf, type CommandContext, defineCommand, UsageError } from '../command-line/command.js';
import { needs } from '../command-line/needs.js';
import { importEnvironments } from '../environments.js';
import { type BenchmarkOutcome, benchmark, exitCodeOf } from '../experiment/benchmark/benchmark.js';
import type { BenchmarkContext } from '../experiment/benchmark/benchmark-options.js';
import { envOptionsOf } from '../experiment/benchmark/scoped-env-options.js';
import { readDesign } from '../experiment/claims/design.js';
import { runDesign } from '../experiment/claims/design-run.js';
import { runControl, runControls } from '../experiment/controls/index.js';
import { folderName } from '../experiment/folder-name.js';
import { cores } from '../experiment/resources.js';
import { checkScopes } from '../experiment/settings/scoped-settings.js';
import { settingsNotice } from '../experiment/settings/settings.js';
import { checkTaskNeeds } from '../experiment/settings/task-needs.js';
import { seedList, taskSchema } from '../experiment/spec.js';
import { nameAlgorithms } from '../experiment/user-algorithms.js';
import { queueRunOptions, WITHOUT_QUEUE } from '../queue-run/options.js';
import { commandLine } from '../terminal/command-line.js';
import { viewOption, whileViewing } from '../terminal/while-viewing.js';

const NAMED = { name: 'bench', positional: 'envs' } as const;

const { listen: _, ...benchQueueOptions } = queueRunOptions;

export const benchOptions = taskSchema.omit({ env: true }).extend({
  envWorkers: taskSchema.shape.envWorkers.meta(needs(WITHOUT_QUEUE)),
  envs: z.array(z.string()).min(1).default(['vlgym/EZPoints-v1']).describe('ids or short names of environments'),
  algorithms: z
    .array(z.string())
    .min(1)
    .default(['gtr-turbo-kl', 'gtr-turbo-sft', 'vl-dac', 'rl4vlm', 'rl4vlm-stabilized'])
    .describe('names of `vlgym algorithms`, variants such as vl-dac:NAME, or files of yours'),
  envOptions: taskSchema.shape.envOptions.describe(
    'options of the environments: KEY=VALUE for all, ENV:KEY=VALUE for one; default: what each declares for training',
  ),
  seeds: seedList.default([0, 1, 2]).describe('training seeds'),
  baseline: z.string().default('rl4vlm').describe('algorithm that the others are compared with'),
  set: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('hyperparameters: loss.clipLow=0.2 for all, vl-dac:NAME.loss.clipLow=0.2 for one; may be repeated'),
  replicate: z.boolean().default(false).describe("start from the settings of every algorithm's published code"),
  controls: z
    .boolean()
    .default(false)
    .describe('rows to compare a gain with: imitation, β = 0, placebo; gray and wrong pictures'),
  controlRows: z
    .array(z.string())
    .optional()
    .describe(
      `only these rows of --controls: ${runControls()
        .map(({ name }) => name)
        .join(', ')}`,
    ),
  transfer: z
    .array(z.string())
    .optional()
    .meta({ alone: '' })
    .describe('judge every policy and its start on these environments, too; alone: on those of the benchmark'),
  ...benchQueueOptions,
  jobs: z.number().int().positive().default(cores()).describe('processes side by side'),
  design: z.string().optional().describe('a file with worlds, arms, blocks and contrasts, in place of all of these'),
  out: z.string().default('runs/bench').describe('folder of the report and, for each environment, its runs'),
});

export type BenchSettings = z.output<typeof benchOptions>;

export const bench = defineCommand({
  ...NAMED,
  summary: 'algorithms × environments × seeds → one report with paired comparison',
  description:
    'On each environment every algorithm starts from the same weights and is evaluated on the same seeds. Runs go side by side in separate processes. Finished runs are not repeated and interrupted ones continue, so an environment or a seed can be added later. The report is one HTML file.',
  options: benchOptions.extend(viewOption),
  examples: [
    { command: 'vlgym bench', does: 'all algorithms on EZPoints, three seeds' },
    { command: 'vlgym bench vlgym/EZPoints-v1 vlgym/Points24-v1', does: 'two card games in one report' },
    {
      command: 'vlgym bench MiniWorld-Hallway-v0 MiniWorld-OneRoom-v0 --algorithms vl-dac,rl4vlm',
      does: 'two algorithms walk through rooms',
    },
    {
      command: 'vlgym bench --algorithms vl-dac,vl-dac:wide --baseline vl-dac --set vl-dac:wide.loss.clipHigh=0.3',
      does: 'an ablation: one algorithm, and a variant with its own settings',
    },
    {
      command: 'vlgym bench ALFWorld --model small --start runs/small-alfworld --algorithms vl-dac,rl4vlm',
      does: 'two algorithms from the weights of another run, in place of a warm start',
    },
    {
      command: 'vlgym bench --redis redis://127.0.0.1:6379 --max-staleness 1',
      does: 'the same with episodes by `vlgym worker --all-runs` processes',
    },
    {
      command: 'vlgym bench my/Env-v0 --import my-env --algorithms ./mine.ts,rl4vlm --seeds 0-4',
      does: 'an environment of an installed package, an algorithm in a file, five seeds',
    },
    {
      command: 'vlgym bench EZPoints NumberLine --algorithms vl-dac --transfer Points24',
      does: 'what carries over: policies of two environments on three, against their start',
    },
    {
      command: 'vlgym bench --design docs/claims/vl-dac/design.json --out runs/claims',
      does: 'contrasts that were written down before; `vlgym claims runs/claims` says what holds',
    },
  ],
  run: async ({ view, design, ...given }, context) =>
    whileViewing(view, resolve(given.out), context, async () =>
      design === undefined
        ? exitCodeOf(await runBenchmark({ ...given, design }, context))
        : benchDesign({ ...given, design }, context),
    ),
});

const WITH_DESIGN: readonly string[] = ['design', 'out', 'jobs', 'view'];

/** Runs what is missing of a design. */
async function benchDesign(given: BenchSettings & { readonly design: string }, context: CommandContext) {
  const other = Object.keys(context.given).find((key) => !WITH_DESIGN.includes(key));
  if (other !== undefined) {
    throw new UsageError(`--design decides what runs: ${other} cannot be given as well.`, {
      expected: 'only --out, --jobs and --view next to --design',
      hint: `write ${other} into the design`,
    });
  }
  return runDesign({
    ...(await readDesign(given.design)),
    out: resolve(given.out),
    jobs: given.jobs,
    command: commandLine(argumentsOf({ ...NAMED, options: benchOptions }, given, ['jobs'])),
    context,
  });
}

/** Runs `vlgym bench` with these options. @throws {GymError} Options conflict or are invalid. */
export async function runBenchmark(given: BenchSettings, context: BenchmarkContext): Promise<BenchmarkOutcome> {
  const { envs, seeds, set, replicate, controls, controlRows, transfer, jobs, out, design: ____, ...rest } = given;
  const { redis, run, sampler, engine, adapters, blobs, maxStaleness, ...choices } = rest;
  await importEnvironments(choices.import);
  const { names: algorithms, imports } = await nameAlgorithms(choices.algorithms, choices.import);
  const {
    names: [baseline = ''],
  } = await nameAlgorithms([choices.baseline], []);
  checkScopes(algorithms, set);
  const rows = [...algorithms, ...runControls().map(({ name }) => name)];
  if (context.given?.baseline !== undefined && !rows.includes(baseline)) {
    throw new UsageError(`--baseline ${baseline} does not run: nothing would be compared with it.`, {
      value: baseline,
      expected: `one of ${algorithms.join(', ')}`,
      hint: `name it in the algorithms too: ${[...algorithms, baseline].join(',')}`,
    });
  }
  const { algorithms: _, baseline: __, envOptions: allOptions, ...task } = choices;
  const trained = [...new Set(envs.map(resolveEnvId))];
  checkTaskNeeds({ ...NAMED, options: benchOptions }, choices, trained, context.given ?? {});
  const judges = transfer && othersThan(trained, transfer);
  const optionsOf = envOptionsOf([...trained, ...(judges ?? [])], allOptions);
  const tasks = trained.map((env) => ({
    ...task,
    env,
    envOptions: optionsOf(env),
    import: imports,
    folder: resolve(out, folderName(env)),
  }));
  for (const { env } of tasks) {
    const notice = settingsNotice(env);
    if (notice) context.stderr.write(`${notice}\n`);
  }
  return benchmark({
    tasks,
    algorithms,
    seeds,
    baseline,
    set,
    given: context.given ?? {},
    replicate,
    controls: controlRows ? controlRows.map(runControl) : controls ? runControls() : [],
    ...(judges && { transfer: judges.map((env) => ({ env, envOptions: optionsOf(env) })) }),
    jobs,
    out: resolve(out),
    queue: { redis, run, sampler, engine, adapters, blobs, maxStaleness },
    title: [
      named(
        tasks.map(({ env }) => env),
        'environment',
      ),
      named(algorithms, 'algorithm'),
    ].join(', '),
    lead: 'On each environment every algorithm has the same start weights, prompts and evaluation seeds.',
    command: commandLine(argumentsOf({ ...NAMED, options: benchOptions }, given, ['jobs'])),
    context,
  });
}

/** The judges beside the environments of the benchmark. @throws {UsageError} There is nothing to carry over to. */
function othersThan(trained: readonly string[], given: readonly string[]): string[] {
  const judges = given.filter((name) => name !== '').map(resolveEnvId);
  const others = [...new Set(judges)].filter((env) => !trained.includes(env));
  if (trained.length + others.length > 1) return others;
  throw new UsageError('--transfer needs a second environment.', {
    hint: `for example vlgym bench ${trained[0]} --transfer vlgym/NumberLine-v1`,
  });
}

/** Its name where there is one, else how many there are. */
const named = (all: readonly string[], what: string) => (all.length === 1 ? all[0] : `${all.length} ${what}s`);
