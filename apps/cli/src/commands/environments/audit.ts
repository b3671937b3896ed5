import type { AuditReport } from '@vlgym/agents/audit';
import { make, resolveEnvId } from '@vlgym/core';
import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { importEnvironments, importOption } from '../../environments.js';
import { bold, dim, green, percent, red, table, yellow } from '../../terminal/style.js';

export const audit = defineCommand({
  name: 'audit',
  summary: 'look for reward hacks, answers in the prompt and unsolved seeds of an environment',
  description:
    'Plays agents without a skill (silent, claiming success, one action in every turn, all actions at once, the action that the prompt names most often, injected text), random play and the expert, searches for reward without success from snapshots, and looks for what a reset does not forget. A hack is a success or a reward that does not need the task; a note is worth a line in the documentation. The exit code is 1 if there is a hack.',
  positional: 'envs',
  options: z.object({
    envs: z.array(z.string()).min(1).default(['vlgym/Points24-v1']).describe('ids or short names of environments'),
    ...importOption,
    envOptions: z.record(z.string(), z.unknown()).default({}).describe('options of the environments'),
    episodes: z.number().int().positive().default(40).describe('episodes of every agent'),
    searchSteps: z.number().int().nonnegative().default(4000).describe('steps of the search for reward'),
    maxSteps: z.number().int().positive().default(200).describe('turns after which an episode is cut'),
    json: z.boolean().default(false).describe('print JSON for scripts'),
  }),
  examples: [
    { command: 'vlgym audit vlgym/Points24-v1', does: 'one environment' },
    { command: 'vlgym audit my/Env-v0 --import ./my-env.js --episodes 100', does: 'your own, with more episodes' },
    { command: 'vlgym audit alfworld webshop --json', does: 'two of them, for a script' },
  ],
  async run({ envs, import: imports, envOptions, episodes, searchSteps, maxSteps, json }, { stdout, stderr, signal }) {
    await importEnvironments(imports);
    const { auditEnv } = await import('@vlgym/agents/audit');
    const reports: AuditReport[] = [];
    for (const id of envs.map(resolveEnvId)) {
      const report = await auditEnv(() => make(id, { options: envOptions }), {
        ...{ episodes, searchSteps, maxSteps, signal },
        onProgress: (part) => stderr.isTTY && stderr.write(`\r\x1b[2K${dim(`${id}: ${part}`)}`),
      });
      if (stderr.isTTY) stderr.write('\r\x1b[2K');
      reports.push(report);
      if (!json) stdout.write(`${auditText(report)}\n`);
    }
    if (json) stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
    return reports.some(({ findings }) => findings.some(({ severity }) => severity === 'hack')) ? 1 : 0;
  },
});

/** The search counts as one agent; it plays on from states of its own, so it has no rate. */
function searchRow(searched: AuditReport['searched']): string[][] {
  if (searched.length === 0) return [];
  const best = Math.max(...searched.map((each) => each.return));
  return [['searches for reward', '–', '–', best.toFixed(2)]];
}

function auditText({ environment, findings, scores, searched, skipped }: AuditReport): string {
  const rows = scores.map(({ agent, successRate, meanReturn, bestFailedReturn }) => [
    agent,
    percent(successRate),
    meanReturn.toFixed(2),
    bestFailedReturn === undefined ? '–' : bestFailedReturn.toFixed(2),
  ]);
  const head = ['agent', 'success', 'mean return', 'best without success'].map(bold);
  const verdicts = findings.map(
    ({ code, severity, message }) => `${severity === 'hack' ? red('✗ hack') : yellow('• note')} ${code}: ${message}`,
  );
  return [
    bold(environment),
    table([head, ...rows, ...searchRow(searched)]),
    ...(findings.some(({ severity }) => severity === 'hack') ? [] : [`${green('✓')} no hack was found`]),
    ...verdicts,
    ...skipped.map((text) => dim(`not looked at: ${text}`)),
    '',
  ].join('\n');
}
