import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolveEnvId } from '@vlgym/core';
import { writeFileAtomic } from '@vlgym/core/internal';
import { z } from 'zod';
import { argumentsOf, defineCommand } from '../command-line/command.js';
import { needs } from '../command-line/needs.js';
import { importEnvironments } from '../environments.js';
import { cores } from '../experiment/resources.js';
import { completeTask } from '../experiment/settings/settings.js';
import { checkTaskNeeds } from '../experiment/settings/task-needs.js';
import { runSchema, seedList, taskSchema } from '../experiment/spec.js';
import { resultsOf, sensitivityOf } from '../experiment/sweep/results.js';
import { firstRung, rungsOf } from '../experiment/sweep/rungs.js';
import { dimensionsOf, drawnFrom, gridOf, SEARCHES } from '../experiment/sweep/space.js';
import { METRICS, sweep } from '../experiment/sweep/sweep.js';
import { nameAlgorithms } from '../experiment/user-algorithms.js';
import { sweepPage } from '../report/sweep-page.js';
import { commandLine } from '../terminal/command-line.js';
import { bold, counted, dim } from '../terminal/style.js';
import { sweepTables } from '../terminal/sweep-tables.js';

const NAMED = { name: 'sweep', positional: 'algorithm' } as const;
const { algorithm, set, replicate } = runSchema.shape;

const drawn = needs({ search: ['random', 'halving'] });
const halved = needs({ search: ['halving'] });

const sweepOptions = taskSchema.extend({
  algorithm,
  over: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('what varies: loss.clipLow=0.1,0.2 or a range 0.9..1, log:1e-5..1e-3, int:1..8; may be repeated'),
  search: z.enum(SEARCHES).default('grid').describe('every combination, random draws, or successive halving'),
  samples: z
    .number()
    .int()
    .min(2)
    .max(10_000)
    .optional()
    .meta(drawn)
    .describe('points that random and halving draw; default 16'),
  sampleSeed: z.number().int().nonnegative().default(0).meta(drawn).describe('seed of those draws'),
  eta: z.number().int().min(2).max(100).default(3).meta(halved).describe('halving: one point in ETA continues'),
  firstUpdates: z
    .number()
    .int()
    .positive()
    .optional()
    .meta(halved)
    .describe('halving: updates before the first choice'),
  metric: z.enum(METRICS).default('success').describe('what a point is judged by after training, mean over seeds'),
  seeds: seedList.default([0]).describe('training seeds of every point'),
  giveUpFailed: z.boolean().default(false).describe('a point whose run has failed is out; default: try it again'),
  set,
  replicate,
  jobs: z.number().int().positive().default(cores()).describe('processes side by side'),
  out: z.string().default('runs/sweep').describe('folder of the sweep'),
});

export const sweepCommand = defineCommand({
  ...NAMED,
  summary: 'one algorithm over many hyperparameters: grid, random, successive halving',
  description:
    'Trains an algorithm with every point of a grid, with random draws, or with successive halving, which stops all but the best early. All points have the same warm start, seeds and evaluations. Prints the points in order and how much each hyperparameter matters, and writes sweep.json and sweep.html. The same command continues a sweep that was stopped. The best of many points looks better than it is: confirm it on fresh seeds with `vlgym bench`.',
  options: sweepOptions,
  examples: [
    {
      command: 'vlgym sweep vl-dac --over loss.clipLow=0.1,0.2,0.3 --over optimizer.epochs=2,4 --seeds 0-2',
      does: 'a grid of six points, three seeds each',
    },
    {
      command: 'vlgym sweep rl4vlm --over optimizer.learningRate.initial=log:1e-5..1e-3 --search random --samples 20',
      does: 'twenty learning rates',
    },
    {
      command: 'vlgym sweep vl-dac --over loss.clipLow=0.05..0.4 --search halving --samples 27',
      does: '27 points, of which a third goes on at each rung',
    },
  ],
  async run(typed, context) {
    const { over, search, sampleSeed, eta, metric, seeds, jobs, set, replicate, samples, firstUpdates } = typed;
    await importEnvironments(typed.import);
    const { names, imports } = await nameAlgorithms([typed.algorithm], typed.import);
    const env = resolveEnvId(typed.env);
    checkTaskNeeds(sweepCommand, typed, [env], context.given);
    const dimensions = dimensionsOf(over);
    const points = search === 'grid' ? gridOf(dimensions) : drawnFrom(dimensions, samples ?? 16, sampleSeed);
    const { task } = taskOf({ ...typed, env, import: imports });
    const { updates } = completeTask(task);
    const first = search === 'halving' ? (firstUpdates ?? firstRung(updates, eta, points.length)) : updates;
    const rungs = rungsOf(updates, eta, first);
    const out = resolve(typed.out);
    const command = commandLine(argumentsOf({ ...NAMED, options: sweepOptions }, typed, ['jobs', 'giveUpFailed']));
    const size = `${counted(points.length, 'point')}, ${counted(seeds.length, 'seed')}`;
    context.stdout.write(`${bold('sweep')} ${names[0]} on ${env}: ${size}, ${rungs.join(' → ')} updates\n`);
    const plan = {
      ...task,
      algorithm: names[0],
      over,
      search,
      samples,
      sampleSeed,
      eta,
      rungs,
      metric,
      seeds,
      set,
      replicate,
    };
    const found = await sweep({
      ...{ task, algorithm: names[0]!, set, given: context.given, replicate, points, seeds, metric, rungs, eta },
      giveUpFailed: typed.giveUpFailed,
      ...{ plan, out, jobs, command, context },
    });
    if (!found) return 1;
    const [results, sensitivity] = [resultsOf(found), sensitivityOf(found)];
    const path = join(out, 'sweep.html');
    const lead = `${names[0]} on ${env}: ${size}, ${metric} on ${task.evaluationEpisodes} episodes after ${rungs.join(', ')} updates. The best of many looks better than it is: confirm it on fresh seeds.`;
    await writeFileAtomic(
      path,
      sweepPage({ title: `Sweep of ${names[0]}`, lead, command, metric, results, sensitivity }),
    );
    context.stdout.write(`\n${sweepTables(results, sensitivity, metric)}\n\n`);
    context.stdout.write(`${bold('report')} ${relative(process.cwd(), path)}\n${dim(pathToFileURL(path).href)}\n`);
    return results.some(({ score }) => score === undefined) ? 1 : 0;
  },
});

/** The part of the options that makes a task. */
function taskOf(typed: z.output<typeof sweepOptions>) {
  const names = Object.keys(taskSchema.shape);
  const task = Object.fromEntries(Object.entries(typed).filter(([name]) => names.includes(name)));
  return { task: task as z.output<typeof taskSchema> };
}
