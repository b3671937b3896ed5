import { join, resolve } from 'node:path';
import { lockFolder } from '@vlgym/core';
import { type CommandContext, defineCommand } from '../command.js';
import { withEnvironment } from '../environments.js';
import { checkRun } from '../experiment/check-run.js';
import type { RunMessage } from '../experiment/messages.js';
import { runTraining } from '../experiment/run.js';
import { runName } from '../experiment/run-name.js';
import { checkSameRun } from '../experiment/same-run.js';
import { completeTask, settingsNotice } from '../experiment/settings.js';
import { type RunSpec, runSchema } from '../experiment/spec.js';
import { ensureWarmStart } from '../experiment/warm-start.js';
import type { RunResult } from '../report/data.js';
import { Progress } from '../terminal/progress.js';
import { resumeCommand } from '../terminal/resume-command.js';
import { runSummary } from '../terminal/run-summary.js';
import { percent, yellow } from '../terminal/style.js';
import { warmStartProgress } from '../terminal/warm-start-progress.js';

export const train = defineCommand({
  name: 'train',
  summary: 'train one policy with one algorithm',
  description:
    'Starts from a warm start (made once beside the run, unless --start names one), trains, evaluates on fixed seeds. Metrics go to metrics.jsonl and TensorBoard event files, checkpoints beside them. Ctrl-C stops; --resume continues bit for bit, after a kill too.',
  positional: 'algorithm',
  options: runSchema,
  examples: [
    { command: 'vlgym train vl-dac', does: 'VL-DAC on EZPoints, from pixels' },
    {
      command: 'vlgym train gtr-turbo-kl --env vlgym/Points24-v1 --updates 60 --folder runs/p24',
      does: 'another game, longer',
    },
    {
      command: 'vlgym train gtr-turbo-kl --folder runs/p24 --env vlgym/Points24-v1 --updates 60 --resume',
      does: 'go on after Ctrl-C or a crash',
    },
    { command: 'vlgym train vl-dac --env my/Env-v0 --import ./my-env.js', does: 'an environment of your own' },
    {
      command: `vlgym train rl4vlm --set '{"loss":{"thoughtCoefficient":0.3}}'`,
      does: 'change a choice of the preset',
    },
  ],
  async run(given, { signal, stdout, stderr }) {
    const options = await withEnvironment(given);
    const notice = settingsNotice(options.env);
    if (notice) stderr.write(`${notice}\n`);
    await checkRun(options);
    const folder = resolve(options.folder ?? join('runs', runName(options)));
    try {
      // the warm start and the files beside the training belong to the run too
      const lock = await lockFolder(folder, 'run');
      const result = await trainFrom(options, folder, { signal, stderr }).finally(() => lock.release());
      if (!result) return undefined; // interrupted
      stdout.write(`${runSummary(result, completeTask(options))}\n${folder}\n`);
      return 0;
    } finally {
      if (signal.aborted) stderr.write(`\nstopped; go on with: ${resumeCommand()}\n`);
    }
  },
});

async function trainFrom(
  options: RunSpec,
  folder: string,
  { signal, stderr }: Pick<CommandContext, 'signal' | 'stderr'>,
): Promise<RunResult | undefined> {
  const start = options.start ? resolve(options.start) : join(folder, 'start');
  if (options.resume) await checkSameRun({ ...options, folder, start });
  if (!options.start) {
    const progress = warmStartProgress();
    await ensureWarmStart(completeTask(options), start, { signal, onProgress: progress.update });
    progress.end();
  }
  const listen = process.send ? toParent : onTerminal(completeTask(options).updates, stderr);
  return runTraining({ ...options, folder, start }, listen, signal);
}

function toParent(message: RunMessage): void {
  process.send?.(message);
}

function onTerminal(updates: number, stderr: NodeJS.WriteStream) {
  const progress = new Progress({ label: 'training', total: updates, unit: 'updates' });
  return (message: RunMessage) => {
    if (message.type === 'update') {
      const { update, evaluation } = message;
      progress.update(update, evaluation && `success ${percent(evaluation.successes / evaluation.episodes, 0)}`);
      if (update === updates) progress.end();
    }
    if (message.type === 'alarm') stderr.write(`${yellow('alarm')} ${message.text}\n`);
  };
}
