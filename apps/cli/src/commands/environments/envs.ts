import { findRegistration, registeredIds, resolveEnvId, setWarningSink } from '@vlgym/core';
import { guideOf } from '@vlgym/core/registry';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { importEnvironments, importOption, titleOfEnv } from '../../environments.js';
import { dim, percent, table } from '../../terminal/style.js';

export const envs = defineCommand({
  name: 'envs',
  summary: 'list environments; with a name, what one declares',
  description:
    'Every environment that the other commands can play: its id, title and short names. With an id or a short name it shows all that the environment declares: goal, rules and score for people, where it opens, its splits, its settings for training, measured scores.',
  positional: 'env',
  options: z.object({
    env: z.string().optional().describe('id or short name of one environment'),
    ...importOption,
    json: z.boolean().default(false).describe('print JSON for scripts'),
  }),
  examples: [
    { command: 'vlgym envs', does: 'all of them' },
    { command: 'vlgym envs webshop', does: 'what one declares' },
    { command: 'vlgym envs --import ./my-env.js', does: 'with your own environment' },
  ],
  async run(options, { stdout }) {
    await importEnvironments(options.import);
    const id = options.env === undefined ? undefined : resolveEnvId(options.env);
    // a list of every version chooses none that is out of date
    const before = id === undefined ? setWarningSink(() => {}) : undefined;
    try {
      if (options.json)
        stdout.write(`${JSON.stringify(id === undefined ? registeredIds().map(row) : row(id), null, 2)}\n`);
      else stdout.write(`${id === undefined ? listOfAll() : declarationOf(id)}\n`);
    } finally {
      if (id === undefined) setWarningSink(before);
    }
    return 0;
  },
});

/** Declared properties of an environment, read without loading its code. */
function row(id: string) {
  const registration = findRegistration(id);
  const { entryPoint: _, openStage: __, ...declared } = registration;
  const guide = guideOf(registration);
  return { ...declared, title: titleOfEnv(id), ...(guide && { guide }) };
}

const listOfAll = (): string =>
  table([
    ['id', 'title', 'short names'],
    ...registeredIds().map((id) => [id, titleOfEnv(id), (findRegistration(id).shortNames ?? []).join(', ')]),
  ]);

function declarationOf(id: string): string {
  const registration = findRegistration(id);
  const { module, shortNames = [], surface = 'terminal', splits, training, baselines = [] } = registration;
  const guide = guideOf(registration);
  const rows: [string, string][] = [
    ['title', titleOfEnv(id)],
    ...Object.entries(guide ?? {}),
    ['registered by', module ?? 'an unnamed module'],
    ['short names', shortNames.join(', ') || 'none'],
    ['opens', surface === 'page' ? 'as a page' : 'in the terminal'],
    ['split', splits ? `${JSON.stringify(splits.train)} and ${JSON.stringify(splits.test)}` : 'none'],
    ['training', training ? JSON.stringify(training) : 'neutral settings'],
    ...baselines.map(({ agent, successRate, episodes, source }): [string, string] => [
      'known score',
      `${agent}: ${percent(successRate)}${episodes === undefined ? '' : ` of ${episodes} episodes`} (${source})`,
    ]),
  ];
  return [id, ...rows.map(([name, value]) => `  ${dim(name.padEnd(14))}${value}`)].join('\n');
}
