/** One training run from start weights to `result.json`, in this process. */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryUse, setNumThreads } from '@vlgym/gpu';
import type { ProcessGroup } from '@vlgym/gpu/distributed';
import { type Alarm, Alarms, departuresOf, train, type UpdateRecord } from '@vlgym/rl';
import { queueSource } from '../queue-run/open-queue-source.js';
import { queueChoices } from '../queue-run/options.js';
import type { RunResult } from '../report/data.js';
import { runControl } from './controls/index.js';
import { environment, evaluationSeeds, outcomesOf } from './evaluation/evaluate-policy.js';
import { evaluationPoint, seriesOf } from './evaluation/evaluation-points.js';
import { judgmentOf } from './evaluation/judgment.js';
import { RunEvaluations } from './evaluation/run-evaluations.js';
import { Ledger } from './ledger.js';
import type { Listener } from './messages.js';
import { phasedTraining } from './phases.js';
import { newPolicy } from './policy.js';
import { recordChoices, recordNote } from './record/record-options.js';
import { type TrainingRecord, trainingRecord } from './record/training-record.js';
import { writeRunFile } from './run-file.js';
import { runTitle } from './run-name.js';
import { optionsOf } from './run-options.js';
import { readUpdates, updatesDone } from './run-progress.js';
import { completed, readRunResult, writeRunResult } from './run-result.js';
import { completeTask } from './settings/settings.js';
import type { RunPlan } from './spec.js';
import { SeenTasks, tasksOf } from './task-separation/seen-tasks.js';
import { splitsOf } from './task-separation/splits.js';
import { contentOf } from './task-separation/task-separation.js';
import { runImitation } from './warm-start/imitation-run.js';
import { weightsOf } from './warm-start/warm-start.js';

/**
 * @param group  The processes of this run; this is the first of them.
 * @returns the result, or nothing when the signal stopped the run; then `resume` continues it.
 */
export async function runTraining(
  plan: RunPlan,
  listen: Listener,
  signal: AbortSignal,
  group?: ProcessGroup,
): Promise<RunResult | undefined> {
  const task = completeTask(plan);
  const { folder, seed } = plan;
  if (plan.threads !== undefined) setNumThreads(plan.threads);
  await mkdir(folder, { recursive: true });
  await writeRunFile(plan);
  const control = plan.control === undefined ? undefined : runControl(plan.control);
  if (control?.kind === 'imitation') return runImitation(control, plan, listen, signal);

  const resolved = optionsOf(plan);
  const { algorithm } = resolved;
  const splits = splitsOf(task);
  const ledger = await Ledger.open(folder);
  const training = phasedTraining(task, (makeEnv) => ledger.seen.watching(makeEnv));
  const policy = await newPolicy(task, seed, group, plan.shardOptimizer);
  let record: TrainingRecord | undefined;
  try {
    await policy.load(weightsOf(plan.start), { weightsOnly: true });
    if (plan.saveAdapter) policy.checkAdapter();
    const settings = judgmentOf(plan);
    const evaluations = new RunEvaluations(task, policy, { ...plan, settings });
    const choices = queueChoices(plan);
    let done = 0;
    if (plan.record !== undefined) {
      const before = plan.resume ? await updatesDone(folder) : 0;
      record = await trainingRecord({ folder, policy, done: before, ...recordChoices(plan, algorithm.config) });
    }
    const recording = record;
    const report = await train({
      policy,
      algorithm,
      makeEnv: training.makeEnv,
      phases: training.phases,
      // what other processes play is not seen by watching
      onTask: ({ key, seed }) => ledger.seen.add(key, seed),
      ...(choices && {
        openSource: queueSource({
          ...{ choices, task, algorithm, seed, folder, policy },
          say: (text) => listen({ type: 'note', text }),
          onEpisode: ({ taskKey, seed }) => ledger.seen.add(taskKey, seed),
          isComplete: () => done >= task.updates,
        }),
      }),
      updates: task.updates,
      stepsPerUpdate: task.stepsPerUpdate,
      numEnvs: task.numEnvs,
      seed,
      evaluation: {
        seeds: evaluationSeeds(task),
        every: task.evaluateEvery,
        makeEnv: environment(task, splits.test),
        temperature: settings.temperature,
        fallback: settings.fallback,
        play: (update) => ledger.apart(() => evaluations.after(update, signal)),
      },
      folder,
      resume: plan.resume,
      ...(group && { ranks: group }),
      signal,
      ...recording?.hooks,
      onMetrics: (record) => {
        const evaluation = evaluationPoint(record);
        const { update, environmentSteps: steps } = record;
        done = update;
        recording?.finished(update);
        ledger.note(update);
        const { peak: peakBytes } = memoryUse();
        listen({ type: 'update', update, updates: task.updates, steps, peakBytes, ...(evaluation && { evaluation }) });
        const note = training.noteAfter(update);
        if (note !== undefined) listen({ type: 'note', text: note });
      },
      onAlarm: (alarm) => listen({ type: 'alarm', text: alarmText(alarm) }),
    });
    if (report.stopped) return undefined;
    if (plan.saveAdapter) await policy.saveAdapter(join(folder, 'adapter'));
    const written = await readRunResult(folder);
    if (written) return await completed(written, plan, evaluations, signal);
    const final = await evaluations.final(signal);
    const seen = await evaluations.seen(signal);
    if (signal.aborted) return undefined;
    const records = await readUpdates(folder);
    const result: RunResult = {
      algorithm: control?.name ?? plan.algorithm,
      ...(control && { isControl: true }),
      title: runTitle(plan),
      envId: task.env,
      seed,
      judged: settings,
      evaluations: records.flatMap((record) => evaluationPoint(record) ?? []),
      after: outcomesOf(final.episodes),
      ...(seen && { seen }),
      content: contentOf(splits, final.episodes, await everythingMet(plan.start, ledger.seen)),
      config: algorithm.config,
      origins: Object.fromEntries(resolved.options.map(({ name, origin }) => [name, origin])),
      departures: departuresOf(resolved),
      metrics: seriesOf(records),
      cpuSeconds: ledger.cpuSeconds,
      peakBytes: memoryUse().peak,
      trainedSteps: report.environmentSteps,
      alarms: alarmsOf(records),
      folder,
    };
    await writeRunResult(result);
    return await completed(result, plan, evaluations, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    await record?.close();
    if (record) listen({ type: 'note', text: recordNote(record.tally) });
    policy.close();
  }
}

/** Tasks of warm start and training; `undefined` if the warm start has left no list. */
async function everythingMet(start: string, training: SeenTasks): Promise<SeenTasks | undefined> {
  if (!existsSync(tasksOf(start)) && !training.hasGaps) return undefined;
  return (await SeenTasks.read(tasksOf(start))).including(training);
}

const alarmText = ({ update, message }: Alarm) => `update ${update}: ${message}`;

/** The same alarms again from the records: they are a function of the metrics. */
function alarmsOf(records: readonly UpdateRecord[]): string[] {
  const alarms = new Alarms();
  return records.flatMap(({ update, metrics }) => alarms.check(update, metrics).map(alarmText));
}
