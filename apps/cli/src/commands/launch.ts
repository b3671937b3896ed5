/** `vlgym launch`: files for the launcher of a cluster, and its own command. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { GymError } from '@vlgym/core';
import { writeFileAtomic } from '@vlgym/core/internal';
import { z } from 'zod';
import { defineCommand } from '../command-line/command.js';
import { compose } from '../launch/compose.js';
import { kubernetes } from '../launch/kubernetes.js';
import { checkLaunch, LAUNCHERS, type Launch, type LaunchOptions, launchOptions, quoted } from '../launch/plan.js';
import { runTool } from '../launch/run-tool.js';
import { skypilot } from '../launch/skypilot.js';
import { slurm } from '../launch/slurm.js';
import { bold, dim } from '../terminal/style.js';

const options = z.object({
  to: z.enum(LAUNCHERS).describe('who starts the processes'),
  ...launchOptions,
  out: z.string().optional().describe('folder of the files; default launch/RUN-TO'),
  dryRun: z.boolean().default(false).describe('print the files and commands, write and start nothing'),
});

const makers: Readonly<Record<z.output<typeof options>['to'], (options: LaunchOptions) => Launch>> = {
  slurm,
  k8s: kubernetes,
  skypilot,
  compose,
};

export const launch = defineCommand({
  name: 'launch',
  summary: 'start learner, broker, samplers and workers with Slurm, Kubernetes, SkyPilot or Compose',
  description:
    'Writes the files of a launcher and runs its command (sbatch, kubectl apply, sky jobs launch, docker compose up). With --dry-run it prints both and does nothing. Keys are made on the cluster or taken from its secrets and written to no file.',
  positional: 'to',
  options,
  examples: [
    { command: 'vlgym launch slurm --dry-run', does: 'what would be submitted' },
    {
      command:
        'vlgym launch k8s --learner "bench vlgym/Points24-v1" --model /shared/Qwen2.5-VL-7B --samplers 2 --workers 32',
      does: 'two vLLM servers, 32 workers',
    },
  ],
  async run({ to, out, dryRun, ...given }, { stdout, signal }) {
    checkLaunch(given, to);
    const { files, commands, before } = makers[to](given);
    const lines = commands.map((words) => words.map(quoted).join(' '));
    const needs = before.map((line) => dim(`needs ${line}`)).join('\n');
    if (dryRun) {
      for (const { name, text } of files) stdout.write(`${bold(`# ${name}`)}\n${text}\n`);
      stdout.write(`${needs}\n${lines.join('\n')}\n`);
      return 0;
    }
    const folder = resolve(out ?? join('launch', `${given.run}-${to}`));
    await mkdir(folder, { recursive: true });
    for (const { name, text } of files) await writeFileAtomic(join(folder, name), text);
    stdout.write(`${files.map(({ name }) => join(folder, name)).join('\n')}\n${needs}\n`);
    for (const [index, words] of commands.entries()) {
      stdout.write(`${lines[index]}\n`);
      const code = await runTool(words, { cwd: folder, signal });
      if (code !== 0) {
        throw new GymError(`${words[0]} ended with ${code}.`, {
          code: 'LAUNCH_FAILED',
          value: code,
          hint: `see above; the files stay in ${folder}`,
        });
      }
    }
    return 0;
  },
});
