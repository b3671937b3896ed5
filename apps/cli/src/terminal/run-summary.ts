/** The result of one run in two lines: on tasks that it never met, and on tasks of its warm start. */
import { type SuccessRate, successRate } from '@vlgym/agents';
import { successName } from '../experiment/evaluate-policy.js';
import type { CompleteTask } from '../experiment/settings.js';
import type { RunResult } from '../report/data.js';
import { percent } from './style.js';

export function runSummary({ title, evaluations, after, seen, content }: RunResult, task: CompleteTask): string {
  const [first, last] = [evaluations[0]!, evaluations.at(-1)!];
  const from = evaluations.length > 1 ? `${percent(first.successes / first.episodes)} → ` : '';
  const rate = percent(last.successes / last.episodes);
  const where = content.notSeparated
    ? `seen and unseen not separated: ${content.notSeparated}`
    : 'never met in training';
  const lines = [`${title}: ${successName(task)} ${from}${rate} on ${countOf(successRate(after))}, ${where}`];
  if (seen) lines.push(`  ${percent(successRate(seen).rate)} on ${countOf(successRate(seen))} of the warm start`);
  return lines.join('\n');
}

const countOf = ({ tasks, tasksBy }: SuccessRate) => `${tasks} ${tasksBy === 'taskKey' ? 'distinct tasks' : 'seeds'}`;
