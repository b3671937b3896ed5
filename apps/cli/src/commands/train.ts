import { join, resolve } from 'node:path';
import { lockFolder } from '@vlgym/core/internal';
import type { ProcessGroup } from '@vlgym/gpu/distributed';
import { type CommandContext, defineCommand, validateOptions } from '../command-line/command.js';
import type { Given } from '../command-line/given.js';
import { withEnvironment } from '../environments.js';
import { variantOf } from '../experiment/algorithms.js';
import { checkRun } from '../experiment/benchmark/check-run.js';
import { underControl } from '../experiment/controls/index.js';
import { judgmentOf } from '../experiment/evaluation/judgment.js';
import { followTraining } from '../experiment/follow.js';
import type { RunMessage } from '../experiment/messages.js';
import { writeEpisodePages } from '../experiment/reports/episode-strips.js';
import { writeRunReport } from '../experiment/reports/run-report.js';
import { runTraining } from '../experiment/run.js';
import { runName } from '../experiment/run-name.js';
import { optionNotices } from '../experiment/run-options.js';
import { updatesDone } from '../experiment/run-progress.js';
import { checkSameRun, checkUnused, longerNote, reopen } from '../experiment/same-run.js';
import { configText } from '../experiment/settings/print-config.js';
import { checkScopes, givenFor, settingsFor } from '../experiment/settings/scoped-settings.js';
import { completeTask, settingsNotice } from '../experiment/settings/settings.js';
import { checkTaskNeeds } from '../experiment/settings/task-needs.js';
import { type RunSpec, runSchema } from '../experiment/spec.js';
import { nameAlgorithms } from '../experiment/user-algorithms.js';
import { lessonsOf } from '../experiment/warm-start/lessons.js';
import { ensureWarmStart, type WarmStart } from '../experiment/warm-start/warm-start.js';
import { warmStartAlarm } from '../experiment/warm-start/warm-start-alarm.js';
import { weightsIn } from '../folders/weights.js';
import { ownGroup } from '../processes/own-rank.js';
import { startRanks } from '../processes/start-ranks.js';
import type { RunResult } from '../report/data.js';
import { resumeCommand, typedCommand } from '../terminal/command-line.js';
import { Progress } from '../terminal/progress.js';
import { ProgressFile } from '../terminal/progress-file.js';
import { runSummary } from '../terminal/run-summary.js';
import { bold, percent, yellow } from '../terminal/style.js';
import { shownPath, viewHint } from '../terminal/view-hint.js';
import { warmStartProgress } from '../terminal/warm-start-progress.js';
import { viewOption, whileViewing } from '../terminal/while-viewing.js';

const NAMED = { name: 'train', positional: 'algorithm' } as const;

export const train = defineCommand({
  ...NAMED,
  summary: 'train one policy with one algorithm',
  description:
    'Starts from a warm start (made once next to the run, unless --start names one), trains, evaluates on fixed seeds. Metrics go to metrics.jsonl and TensorBoard event files, checkpoints next to them. Ctrl-C stops; --resume continues bit for bit, after a kill too.',
  options: runSchema.extend(viewOption),
  examples: [
    { command: 'vlgym train vl-dac', does: 'VL-DAC on EZPoints, from pixels' },
    {
      command: 'vlgym train gtr-turbo-kl --env vlgym/Points24-v1 --updates 60 --folder runs/p24',
      does: 'another game, longer',
    },
    {
      command: 'vlgym train gtr-turbo-kl --folder runs/p24 --env vlgym/Points24-v1 --updates 60 --resume',
      does: 'continue after Ctrl-C or a crash',
    },
    {
      command: 'vlgym train ./my-algorithm.ts --env my/Env-v0 --import ./my-env.js',
      does: 'your own algorithm and environment',
    },
    { command: 'vlgym train vl-dac --procs 2', does: 'two processes share environments and model' },
    {
      command: 'vlgym train vl-dac --redis redis://127.0.0.1:6379 --run demo --max-staleness 1',
      does: 'episodes by `vlgym worker` processes, one round ahead of the learner',
    },
    { command: 'vlgym train --config run.yaml --seed 3', does: 'options from a file, flags over them' },
    {
      command: 'vlgym train rl4vlm --set loss.thoughtCoefficient=0.3 --set optimizer.epochs=2',
      does: 'other hyperparameters; vlgym train rl4vlm --help lists them',
    },
    {
      command: 'vlgym train rl4vlm --env vlgym/Points24-v1 --print-config',
      does: 'every value in force, and where it comes from',
    },
  ],
  more: async ({ options, given }) => {
    const { optionLines, pointer } = await import('../experiment/settings/hyperparameters.js');
    const { algorithm, env, model, control } = options;
    if ([algorithm, env, model, control].every((each) => each === undefined)) return pointer;
    const choices = validateOptions({ ...NAMED, options: runSchema.extend(viewOption) }, options);
    return optionLines(await withAlgorithm(await withEnvironment(choices), given));
  },
  async run({ view, ...typed }, { signal, stdout, stderr, given, isHandedOn }) {
    const known = await withEnvironment(typed);
    if (!isHandedOn) checkTaskNeeds({ ...NAMED, options: runSchema }, known, [known.env], given);
    const options = await withStart(await withAlgorithm(known, given));
    if (options.printConfig) {
      stdout.write(configText(options));
      return 0;
    }
    const notice = settingsNotice(options.env);
    if (notice) stderr.write(`${notice}\n`);
    await checkRun(options);
    for (const line of optionNotices(options)) stderr.write(`${line}\n`);
    const folder = resolve(options.folder ?? join('runs', runName(options)));
    if (process.env.WORLD_SIZE === undefined && options.procs > 1) {
      if (!options.resume) await checkUnused(folder);
      return whileViewing(view, folder, { signal, stderr }, () => startRanks(options.procs, { signal, stderr }));
    }
    const group = await ownGroup(options);
    if (group && group.rank > 0) return follow({ ...options, folder }, group, signal);
    if (!options.resume) await checkUnused(folder);
    try {
      // the warm start and the files next to the training belong to the run too
      const lock = await lockFolder(folder, 'run');
      // with several processes the page is that of the one that was typed
      return await whileViewing(view && group === undefined, folder, { signal, stderr }, async () => {
        const trained = await trainFrom(options, folder, { signal, stderr }, group).finally(() => lock.release());
        if (!trained) return undefined; // interrupted
        const { result, warmStart } = trained;
        const task = completeTask(options);
        stdout.write(`${runSummary(result, task)}\n${folder}\n`);
        if (process.send) {
          // whoever compares runs reports on all of them
          await writeEpisodePages(folder, options.env, [{ title: result.title, folder }]);
        } else {
          const report = await writeRunReport(result, { task, start: startOf(options, folder), warmStart }, folder);
          stdout.write(`${bold('report')} ${shownPath(report)}\n${viewHint(folder)}\n`);
        }
        return 0;
      });
    } finally {
      if (signal.aborted) stderr.write(`\nstopped; continue with: ${resumeCommand()}\n`);
    }
  },
});

type TypedRun = RunSpec & { readonly given: Given };

/** The folder of the weights that `--start` refers to. */
const withStart = async (run: TypedRun): Promise<TypedRun> =>
  run.start === undefined ? run : { ...run, start: (await weightsIn(run.start)).start };

/** The algorithm by its registered name, and the settings that concern it. */
async function withAlgorithm(typed: RunSpec, given: Given): Promise<TypedRun> {
  const choices = underControl({ ...typed, given });
  const { names, imports } = await nameAlgorithms([choices.algorithm], choices.import);
  const [algorithm = choices.algorithm] = names;
  if (choices.control === undefined) checkScopes([algorithm, variantOf(algorithm)[0]], choices.set, { single: true });
  return {
    ...choices,
    algorithm,
    import: imports,
    set: settingsFor(algorithm, choices.set),
    given: givenFor(algorithm, choices.given),
  };
}

async function trainFrom(
  options: TypedRun,
  folder: string,
  { signal, stderr }: Pick<CommandContext, 'signal' | 'stderr'>,
  group: ProcessGroup | undefined,
): Promise<{ readonly result: RunResult; readonly warmStart: WarmStart | undefined } | undefined> {
  const start = startOf(options, folder);
  const from = options.resume ? await checkSameRun({ ...options, folder, start }) : undefined;
  if (from !== undefined) {
    await reopen(folder);
    stderr.write(`${longerNote(from, { ...options, folder, start })}\n`);
  }
  const task = completeTask(options);
  const file = process.send ? undefined : new ProgressFile(folder, typedCommand());
  let warmStart: WarmStart | undefined;
  if (!options.start) {
    const progress = warmStartProgress(file);
    warmStart = await ensureWarmStart(task, start, {
      settings: judgmentOf(options),
      signal,
      onNote: (text) => stderr.write(`${text}\n`),
      onProgress: progress.update,
    });
    progress.end();
    const alarm = lessonsOf(options) && warmStartAlarm(warmStart);
    if (alarm) stderr.write(`${yellow('alarm')} ${alarm}\n`);
  }
  const initial = options.resume ? await updatesDone(folder) : 0;
  const listen = process.send ? toParent : onTerminal(task.updates, initial, stderr, file);
  await group?.barrier(); // the warm start is there
  const result = await runTraining({ ...options, folder, start }, listen, signal, group).finally(async () => {
    await file?.close();
    await group?.close();
  });
  return result && { result, warmStart };
}

/** A rank other than the first: it begins when the warm start is there. */
async function follow(
  plan: RunSpec & { readonly folder: string },
  group: ProcessGroup,
  signal: AbortSignal,
): Promise<number> {
  await group.barrier();
  await followTraining({ ...plan, start: startOf(plan, plan.folder) }, group, signal);
  await group.close();
  return 0;
}

const startOf = ({ start }: RunSpec, folder: string): string => (start ? resolve(start) : join(folder, 'start'));

function toParent(message: RunMessage): void {
  process.send?.(message);
}

/** @param initial  Updates that were done before this process. */
function onTerminal(updates: number, initial: number, stderr: NodeJS.WriteStream, file: ProgressFile | undefined) {
  const progress = new Progress({ label: 'training', total: updates, unit: 'updates', initial, file });
  return (message: RunMessage) => {
    if (message.type === 'update') {
      const { update, evaluation } = message;
      progress.update(update, evaluation && `success ${percent(evaluation.successes / evaluation.episodes, 0)}`);
      if (update === updates) progress.end();
    }
    if (message.type === 'note') stderr.write(`${message.text}\n`);
    if (message.type === 'alarm') stderr.write(`${yellow('alarm')} ${message.text}\n`);
  };
}
