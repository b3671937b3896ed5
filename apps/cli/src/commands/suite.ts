import { basename, extname, join } from 'node:path';
import { FALLBACK_WORDS, type SuiteEnvironment, suite } from '@vlgym/agents';
import { z } from 'zod';
import { isGatewayModel } from '../agents.js';
import { defineCommand } from '../command-line/command.js';
import { modelOptionsOf } from '../model-options.js';
import { checkGroups } from '../suite/check-groups.js';
import { type Asked, estimates, estimateTable } from '../suite/estimate-table.js';
import { writeResult } from '../suite/result-file.js';
import { openAgents, openEnvironments, readSuite, type SuiteFile } from '../suite/suite-file.js';
import { typedCommand } from '../terminal/command-line.js';
import { Progress } from '../terminal/progress.js';
import { counted, dim } from '../terminal/style.js';
import { comparisonsTable, failureLines, suiteTable } from '../terminal/suite-table.js';
import { viewHint } from '../terminal/view-hint.js';
import { viewOption, whileViewing } from '../terminal/while-viewing.js';
import { VERSION } from '../version.js';

export const suiteCommand = defineCommand({
  name: 'suite',
  summary: 'agents × environments × seeds → one report with paired tests',
  description:
    'Plays every agent of a YAML or JSON file on the same seeds of every environment, with its own limits and budgets, and writes result.json and report.html: success with intervals, pass@k and pass^k of several attempts, paired tests corrected for their number, costs, and why episodes failed. Every episode is recorded; the same command continues where it stopped.',
  positional: 'file',
  options: z.object({
    file: z.string().describe('the suite: environments, agents, seeds, attempts, parallel'),
    folder: z.string().optional().describe('where everything goes; default runs/NAME-OF-FILE'),
    json: z.boolean().default(false).describe('print result.json instead of tables'),
    estimate: z.boolean().default(false).describe('only say what it will ask of language models, and play nothing'),
    failFast: z.boolean().default(false).describe('stop at the first error of an agent'),
    ...viewOption,
  }),
  examples: [
    { command: 'vlgym suite suite.yaml', does: 'plays the suite, or the rest of it' },
    { command: 'vlgym suite suite.yaml --estimate', does: 'requests, tokens and cost before anything is asked' },
  ],
  more: () => ['', 'A suite file:', '', ...EXAMPLE.split('\n').map((line) => `  ${line}`)],
  async run({ file, folder, json, failFast, view, ...given }, { stdout, stderr, signal }) {
    const plan = readSuite(file);
    const out = folder ?? join('runs', basename(file, extname(file)));
    const environments = await openEnvironments(plan);
    if (given.estimate) {
      const found = await estimates(askedBy(plan, environments));
      stdout.write(`${json ? JSON.stringify(found, null, 2) : estimateTable(found)}\n`);
      return 0;
    }
    return whileViewing(view, out, { signal, stderr }, () => playSuite());

    async function playSuite(): Promise<number> {
      const opened = await openAgents(plan, environments[0]!.name!);
      const seeds = typeof plan.seeds === 'number' ? plan.seeds : plan.seeds.length;
      const total = seeds * plan.attempts * environments.length * opened.length;
      const progress = new Progress({ label: plan.title, total, unit: 'episodes' });
      try {
        const { attempts, parallel, fallback, breakdown = 'taskType' } = plan;
        const result = await suite({
          ...{ seeds: plan.seeds, attempts, parallel, fallback, breakdown },
          environments,
          agents: opened.map(({ agent }) => agent),
          folder: out,
          failFast,
          signal,
          onEpisode: (_, { done, environment, agent }) => progress.update(done, `${agent} on ${environment}`),
        });
        progress.end();
        const { cells, comparisons } = result;
        const report = await writeResult(out, result, {
          ...result,
          title: plan.title,
          lead: leadOf(plan, cells.length),
          command: typedCommand(),
          facts: [
            ['vlgym', VERSION],
            ['unreadable answer', FALLBACK_WORDS[plan.fallback]],
            ['seeds', seedsText(result.seeds)],
            ['attempts', String(plan.attempts)],
            ['every episode', `vlgym view ${out}`],
          ],
        });
        if (json) stdout.write(`${JSON.stringify(result, null, 2)}\n`);
        else {
          stdout.write(`${suiteTable(cells)}\n`);
          if (comparisons.length > 0) stdout.write(`\n${comparisonsTable(comparisons)}\n`);
          stdout.write(`\n${dim(report)}\n${viewHint(out)}\n`);
        }
        for (const line of failureLines(cells)) stderr.write(`${line}\n`);
        if (!result.interrupted)
          checkGroups(
            plan,
            environments.map(({ name }) => name!),
            cells,
          );
        if (result.interrupted) stderr.write(`stopped; continue with: ${typedCommand()}\n`);
        return cells.every(({ scores }) => scores !== undefined) ? 0 : 1;
      } finally {
        progress.end();
        for (const { close } of opened) await close();
      }
    }
  },
});

const EXAMPLE = `environments:
  - vlgym/NumberLine-v1
  - { id: vlgym/WebShop-v1, options: { dialogue: tools-v1 }, maxSteps: 15 }
agents:
  - random
  - oracle
  - ./my-agent.ts
  - model: anthropic/claude-sonnet-4.5     # the AI SDK's gateway
    limits: { requestsPerMinute: 50 }
    budget: { cost: 5 }
    prices: { inputPerMillion: 3, outputPerMillion: 15 }
  - { model: Qwen/Qwen2.5-VL-7B-Instruct, baseUrl: "http://127.0.0.1:8000/v1" }
seeds: 0-49
attempts: 3`;

function leadOf({ environments, agents, attempts }: SuiteFile, cells: number): string {
  const each = attempts > 1 ? `, ${attempts} attempts at each seed` : '';
  const missing = environments.length * agents.length - cells;
  return `${counted(agents.length, 'agent')} on ${counted(environments.length, 'environment')}, on the same seeds${each}.${missing > 0 ? ` Stopped early: ${counted(missing, 'cell')} not played.` : ''}`;
}

const seedsText = (seeds: readonly number[]) =>
  seeds.length > 1 && seeds.every((seed, index) => seed === seeds[0]! + index)
    ? `${seeds[0]} to ${seeds.at(-1)}`
    : seeds.join(', ').slice(0, 200);

/** Models that the file names; what an agent of a file asks is not known. */
function askedBy(plan: SuiteFile, environments: readonly SuiteEnvironment[]): Asked[] {
  const seeds = typeof plan.seeds === 'number' ? plan.seeds : plan.seeds.length;
  const models = plan.agents.flatMap((entry) => {
    if (typeof entry === 'string') return isGatewayModel(entry) ? [{ agent: entry }] : [];
    const { model, name: title = model } = entry;
    return title === undefined || model === undefined ? [] : [{ agent: title, ...modelOptionsOf(entry) }];
  });
  return environments.flatMap(({ env, name = '', maxSteps, resetOptions }) =>
    models.map((model) => ({
      ...model,
      env,
      environment: name,
      episodes: seeds * plan.attempts,
      parallel: plan.parallel,
      ...(maxSteps && { maxSteps }),
      ...(resetOptions && { resetOptions }),
    })),
  );
}
