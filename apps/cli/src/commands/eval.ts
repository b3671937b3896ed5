import {
  cellOf,
  EVALUATION_FALLBACK,
  evaluate,
  FALLBACK_WORDS,
  FALLBACKS,
  publishedBaselines,
  type RememberingModel,
} from '@vlgym/agents';
import { resultOf } from '@vlgym/agents/results';
import { make } from '@vlgym/core';
import { z } from 'zod';
import { agentOptions, checkAgentOptions, defaultAgent, isGatewayModel, openAgent } from '../agents.js';
import { type CommandContext, defineCommand, UsageError } from '../command-line/command.js';
import { needs } from '../command-line/needs.js';
import { importOption, withEnvironment } from '../environments.js';
import { samplingWords } from '../experiment/evaluation/judgment.js';
import { settingsOf } from '../experiment/settings/settings.js';
import { modelOptions, modelOptionsOf } from '../model-options.js';
import { estimates, estimateTable } from '../suite/estimate-table.js';
import { writeResult } from '../suite/result-file.js';
import { resumeCommand, typedCommand } from '../terminal/command-line.js';
import { breakdownTable, excludedText, failureText, scoreTable } from '../terminal/evaluation.js';
import { Progress } from '../terminal/progress.js';
import { viewHint } from '../terminal/view-hint.js';
import { viewOption, whileViewing } from '../terminal/while-viewing.js';
import { VERSION } from '../version.js';

const options = z.object({
  env: z.string().default('vlgym/Points24-v1').describe('id or short name of the environment'),
  ...importOption,
  envOptions: z.record(z.string(), z.unknown()).optional().describe('options of the environment'),
  agent: z
    .string()
    .optional()
    .describe(
      'random, blind, oracle, policy, openai, PROVIDER/MODEL, or a file of yours: ./mine.ts; default random, or policy where --weights or --model is given',
    ),
  ...agentOptions,
  ...modelOptions,
  episodes: z.number().int().positive().default(100).describe('number of episodes'),
  seed: z.number().int().nonnegative().default(0).describe('first seed; later ones count up'),
  parallel: z.number().int().positive().default(8).describe('episodes side by side'),
  fallback: z
    .enum(FALLBACKS)
    .optional()
    .describe(
      'what an unreadable answer is: a turn that does nothing (default), a random action, or the end of the episode',
    ),
  breakdown: z.string().default('taskType').describe('key of `info` that groups episodes in a table'),
  record: z.string().optional().describe('folder for every episode, result.json and report.html'),
  resume: z
    .boolean()
    .default(false)
    .meta(needs({ record: true }, 'the episodes are in --record FOLDER'))
    .describe('keep the episodes in --record and play only the rest'),
  estimate: z
    .boolean()
    .default(false)
    .describe('only say what it will ask of a language model, its cost and time, and play nothing'),
  failFast: z.boolean().default(false).describe('stop at the first error of the agent, with its stack'),
  json: z.boolean().default(false).describe('print the result as JSON instead of tables'),
  view: viewOption.view.meta(needs({ record: true }, 'the page shows the episodes in --record FOLDER')),
});

export const evalCommand = defineCommand({
  name: 'eval',
  summary: 'measure an agent: success rate with interval, return, legality',
  description:
    'Plays an agent on fixed seeds. The result does not depend on how many episodes run side by side. With --record every episode is kept, `vlgym replay` verifies it, and --resume continues after Ctrl-C or a crash.',
  positional: 'env',
  options,
  examples: [
    { command: 'vlgym eval vlgym/Points24-v1 --agent oracle', does: 'how far an expert gets' },
    {
      command: 'vlgym eval vlgym/EZPoints-v1 --agent policy --weights runs/quickstart/start/policy',
      does: 'a trained policy',
    },
    {
      command: 'vlgym eval --agent openai --model qwen2.5-vl-7b --base-url http://127.0.0.1:8000/v1',
      does: 'any OpenAI-compatible server',
    },
    {
      command: 'vlgym eval --agent maker/model --prices inputPerMillion=3 --prices outputPerMillion=15 --estimate',
      does: 'what it will cost, before anything is asked',
    },
    { command: 'vlgym eval vlgym/EZPoints-v1 --model Qwen2.5-VL-3B-Instruct', does: 'a published folder as it is' },
    { command: 'vlgym eval vlgym/EZPoints-v1 --agent ./mine.ts', does: 'your own agent' },
  ],
  async run(typed, context) {
    const { view, record } = typed;
    return whileViewing(view, record ?? '', context, () => evaluateAgent(typed, context));
  },
});

const computedText = ({ asked, computed }: RememberingModel) =>
  `${computed} of ${asked} answers computed: greedy answers to equal prompts are remembered`;

async function evaluateAgent(
  typed: z.output<typeof options>,
  { stdout, stderr, signal, given: origins }: CommandContext,
): Promise<number> {
  const agentName = typed.agent ?? defaultAgent(typed);
  checkAgentOptions(evalCommand, agentName, typed, origins);
  const given = { ...(await withEnvironment(typed)), agent: agentName };
  const { env, episodes, seed, parallel, record } = given;
  const suited = given.agent === 'policy' ? settingsOf(env).options : undefined;
  const envOptions = given.envOptions ?? suited ?? {};
  await (await make(env, { options: envOptions })).close(); // reports a wrong id before a model is loaded
  if (given.estimate) {
    const model = given.agent === 'openai' ? given.model : isGatewayModel(given.agent) ? given.agent : undefined;
    const asked = { environment: env, env: { id: env, options: envOptions }, episodes, parallel };
    const found = await estimates(model === undefined ? [] : [{ agent: model, ...asked, ...modelOptionsOf(given) }]);
    stdout.write(`${given.json ? JSON.stringify(found, null, 2) : estimateTable(found)}\n`);
    return 0;
  }
  const { agent, judged, memory, close } = await openAgent({ ...given, modelOptions: modelOptionsOf(given) });
  const progress = new Progress({ label: agent.name, total: episodes, unit: 'episodes' });
  try {
    let solved = 0;
    const result = await evaluate({
      env: () => make(env, { options: envOptions }),
      agent,
      seeds: Array.from({ length: episodes }, (_, index) => seed + index),
      parallel,
      signal,
      failFast: given.failFast,
      fallback: given.fallback ?? judged?.fallback ?? EVALUATION_FALLBACK,
      breakdown: given.breakdown,
      ...(record ? { record, resume: given.resume } : {}),
      onEpisode: (row, { done }) => {
        if (row.success) solved += 1;
        progress.update(done, `${solved} solved`);
      },
    });
    progress.end();
    const baselines = publishedBaselines({ id: env, options: envOptions });
    const cell = cellOf(env, result);
    const single = { ...resultOf(result, env), baselines: baselines.length > 0 ? { [env]: baselines } : {} };
    if (given.json) stdout.write(`${JSON.stringify(single, null, 2)}\n`);
    else {
      stdout.write(`${scoreTable(result)}\n`);
      if (memory?.asked) stdout.write(`${computedText(memory)}\n`);
      const { breakdown = {} } = result;
      if (Object.keys(breakdown).length > 0) stdout.write(`\n${breakdownTable(given.breakdown, breakdown)}\n`);
      if (result.excluded > 0) stdout.write(`\n${excludedText(cell)}\n`);
    }
    if (result.firstFailure) stderr.write(`\n${failureText(result.firstFailure)}\n`);
    if (record) {
      const report = await writeResult(record, single, {
        ...single,
        title: `${agent.name} on ${env}`,
        lead: `${result.counted} of ${result.planned} episodes counted.`,
        command: typedCommand(),
        facts: [
          ['vlgym', VERSION],
          ['prompts', result.dialogue ?? 'none'],
          ['unreadable answer', FALLBACK_WORDS[result.fallback]],
          ...(judged ? [['sampling', samplingWords(judged)] as const] : []),
          ...(memory?.asked ? [['answers', computedText(memory)] as const] : []),
          ['seeds', `${seed} to ${seed + episodes - 1}`],
          ['options', JSON.stringify(envOptions)],
          ['every episode', `vlgym view ${record}`],
        ],
      });
      if (!given.json) stdout.write(`\n${report}\n${viewHint(record)}\n`);
    }
    if (origins.breakdown !== undefined && result.counted > 0 && Object.keys(result.breakdown ?? {}).length === 0) {
      throw new UsageError(`--breakdown ${given.breakdown} groups nothing: no episode has it in \`info\`.`, {
        value: given.breakdown,
        expected: 'a key of `info` of the environment',
        hint: 'the scores above are of all episodes; leave --breakdown out',
      });
    }
    if (result.stopped === 'interrupted') {
      const next = record
        ? `continue with: ${resumeCommand()}`
        : 'without --record FOLDER nothing is kept to continue from';
      stderr.write(`stopped after ${result.counted} of ${episodes} episodes; ${next}\n`);
    }
    return result.counted === 0 ? 1 : 0;
  } finally {
    progress.end();
    await close();
  }
}
