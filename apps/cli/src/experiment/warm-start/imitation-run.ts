/** A control without play: supervised learning on labels, as many as an algorithm would have played steps. */
import type { RunResult } from '../../report/data.js';
import type { ImitationControl } from '../controls/control.js';
import { environment, outcomesOf } from '../evaluation/evaluate-policy.js';
import { pointOf } from '../evaluation/evaluation-points.js';
import { judgmentOf } from '../evaluation/judgment.js';
import { RunEvaluations } from '../evaluation/run-evaluations.js';
import type { Listener } from '../messages.js';
import { newPolicy } from '../policy.js';
import { completed, readRunResult, writeRunResult } from '../run-result.js';
import { completeTask } from '../settings/settings.js';
import type { RunPlan } from '../spec.js';
import { SeenTasks, tasksOf } from '../task-separation/seen-tasks.js';
import { splitsOf } from '../task-separation/splits.js';
import { contentOf } from '../task-separation/task-separation.js';
import { planPass } from '../training-memory.js';
import { lessons } from './lessons.js';
import { NoTeacherError, teach, weightsOf } from './warm-start.js';

/** Seeds of its labels differ from the warm start's 0. */
const FIRST_SEED = 1000;

export async function runImitation(
  control: ImitationControl,
  plan: RunPlan,
  listen: Listener,
  signal: AbortSignal,
): Promise<RunResult | undefined> {
  const task = completeTask(plan);
  const { updates, stepsPerUpdate } = task;
  const isExpert = control.teacher === 'expert';
  // it imitates also where the algorithms start without a warm start
  const lesson = lessons({ ...task, warmStartExamples: undefined });
  if (!lesson) throw new NoTeacherError(task.env);
  const examples = updates * stepsPerUpdate + (isExpert ? (lessons(task)?.examples ?? 0) : 0);
  const splits = splitsOf(task);
  const met = new SeenTasks(isExpert ? [] : (await SeenTasks.read(tasksOf(plan.start))).list());
  const { batchTokens, note } = await planPass(task, task.batchTokens);
  if (note) listen({ type: 'note', text: note });
  const policy = await newPolicy(task, plan.seed);
  try {
    if (!isExpert) await policy.load(weightsOf(plan.start), { weightsOnly: true });
    const settings = judgmentOf(plan);
    const evaluations = new RunEvaluations(task, policy, { ...plan, settings });
    const done = await readRunResult(plan.folder);
    if (done) {
      await policy.load(weightsOf(plan.folder));
      return await completed(done, plan, evaluations, signal);
    }
    const before = process.cpuUsage();
    await teach(policy, {
      ...lesson,
      makeEnv: met.watching(environment(task, splits.train)),
      examples,
      mistakes: isExpert ? 0 : lesson.mistakes,
      seed: FIRST_SEED + plan.seed,
      batchTokens,
      signal,
      onProgress: (progress) => {
        const update = Math.floor((updates * progress.examples) / examples);
        listen({ type: 'update', update: Math.min(update, updates - 1), updates, steps: progress.examples });
      },
    });
    const { user, system } = process.cpuUsage(before);
    await policy.save(weightsOf(plan.folder));
    const final = await evaluations.final(signal);
    const seen = await evaluations.seen(signal);
    if (signal.aborted) return undefined;
    const { legalRate, thoughtRate } = final;
    const point = pointOf(updates, examples, { ...final, legalRate, thoughtRate });
    listen({ type: 'update', update: updates, updates, steps: examples, evaluation: point });
    const result: RunResult = {
      algorithm: control.name,
      isControl: true,
      title: control.title,
      envId: task.env,
      seed: plan.seed,
      judged: settings,
      evaluations: [point],
      after: outcomesOf(final.episodes),
      ...(seen && { seen }),
      content: contentOf(splits, final.episodes, met),
      metrics: {},
      cpuSeconds: (user + system) / 1e6,
      trainedSteps: examples,
      alarms: [],
      folder: plan.folder,
    };
    await writeRunResult(result);
    return await completed(result, plan, evaluations, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    policy.close();
  }
}
