/** The result of one run in a few lines: on unseen tasks, the handling of its answers, and on tasks of its warm start. */
import { FALLBACK_WORDS } from '@vlgym/agents';
import { type SuccessRate, successRate } from '@vlgym/agents/statistics';
import { successName } from '../experiment/evaluation/evaluate-policy.js';
import type { CompleteTask } from '../experiment/settings/settings.js';
import type { RunResult } from '../report/data.js';
import { percent } from './style.js';

export function runSummary(run: RunResult, task: CompleteTask): string {
  const { title, evaluations, after, seen, content } = run;
  const [first, last] = [evaluations[0]!, evaluations.at(-1)!];
  const from = evaluations.length > 1 ? `${percent(first.successes / first.episodes)} → ` : '';
  const rate = percent(last.successes / last.episodes);
  const where = content.notSeparated
    ? `seen and unseen not separated: ${content.notSeparated}`
    : 'never seen in training';
  const lines = [`${title}: ${successName(task)} ${from}${rate} on ${countOf(successRate(after))}, ${where}`];
  lines.push(`  ${answersText(run)}`);
  if (seen) lines.push(`  ${percent(successRate(seen).rate)} on ${countOf(successRate(seen))} of the warm start`);
  return lines.join('\n');
}

const countOf = ({ tasks, tasksBy }: SuccessRate) => `${tasks} ${tasksBy === 'taskKey' ? 'distinct tasks' : 'seeds'}`;

/** `78.0 % of answers legal, strict success 40.5 %, correct thoughts 92.0 % → 38.0 %; an unreadable answer is …` */
function answersText({ evaluations, judged }: RunResult): string {
  const [first, last] = [evaluations[0]!, evaluations.at(-1)!];
  const { legalRate, strictSuccesses, episodes, thoughtRate } = last;
  const from = evaluations.length > 1 && first.thoughtRate !== undefined ? `${percent(first.thoughtRate)} → ` : '';
  const facts = [
    ...(legalRate === undefined ? [] : [`${percent(legalRate)} of answers legal`]),
    ...(strictSuccesses === undefined ? [] : [`strict success ${percent(strictSuccesses / episodes)}`]),
    ...(thoughtRate === undefined ? [] : [`correct thoughts ${from}${percent(thoughtRate)}`]),
  ].join(', ');
  return judged ? `${facts}; an unreadable answer is ${FALLBACK_WORDS[judged.fallback]}` : facts;
}
