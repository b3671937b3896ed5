/** An evaluation in lines of text: scores, scores by category, and why episodes do not count. */
import { type EpisodeFailure, type Evaluation, FALLBACK_WORDS, type Scores, type SuiteCell } from '@vlgym/agents';
import { answerColumns, needsStrict, successTitle } from '../report/answer-columns.js';
import { bold, money, percent, red, table } from './style.js';

/** Rates and means with their intervals, one a line. */
export function scoreTable(result: Evaluation): string {
  const { interval95, usage } = result;
  if (result.counted === 0)
    return `${red('no episode counted')}: no score (${result.excluded} of ${result.planned} episodes failed or stopped)`;
  return table([
    [
      successTitle([result]),
      percent(result.successRate),
      `95 % interval over tasks ${percent(interval95[0])} to ${percent(interval95[1])}, ${tasksText(result)}`,
    ],
    [
      'return',
      result.meanReturn.toFixed(2),
      `95 % interval over tasks ${result.returnInterval95.map((value) => value.toFixed(2)).join(' to ')}`,
    ],
    ['length', result.meanLength.toFixed(1), 'steps'],
    ...(needsStrict(result)
      ? [['strict', percent(result.strictRate), 'where an unreadable answer fails the episode']]
      : []),
    ...(result.legalRate === undefined
      ? []
      : [
          [
            'legal',
            percent(result.legalRate),
            `of what was said; an unreadable answer is ${FALLBACK_WORDS[result.fallback]}`,
          ],
        ]),
    ...(result.formatRate === undefined ? [] : [['format', percent(result.formatRate), 'of what was said']]),
    ...(result.thoughtRate === undefined
      ? []
      : [
          [
            'thoughts',
            percent(result.thoughtRate),
            `correct, of ${result.thoughtsChecked} readable ones that the environment checked`,
          ],
        ]),
    ...(usage.requests > 0
      ? [['tokens', String(usage.outputTokens), `written, ${usage.inputTokens} read, ${usage.requests} requests`]]
      : []),
    ...(usage.cost > 0
      ? [['cost', money(usage.cost), result.successes > 0 ? `${money(usage.cost / result.successes)} per success` : '']]
      : []),
  ]);
}

/** Number of independent units behind the intervals. */
const tasksText = ({ tasks, tasksBy, counted }: Scores) =>
  tasksBy === 'taskKey'
    ? `${tasks} distinct tasks in ${counted} episodes`
    : `${counted} episodes; no content keys, every seed counts as a task`;

/** One category per line, below the key of `info` that defines the categories. */
export function breakdownTable(key: string, breakdown: Readonly<Record<string, Scores>>): string {
  const shown = Object.entries(breakdown).filter(([, { counted }]) => counted > 0);
  const answers = answerColumns(shown.map(([, scores]) => ({ scores })));
  return table([
    [key, 'success', '95 % interval', ...answers.map(({ title }) => title), 'return', 'length', 'tasks', 'episodes'],
    ...shown.map(([name, scores]) => [
      name,
      percent(scores.successRate),
      `${percent(scores.interval95[0])} to ${percent(scores.interval95[1])}`,
      ...answers.map(({ cell }) => cell(scores)),
      scores.meanReturn.toFixed(2),
      scores.meanLength.toFixed(1),
      String(scores.tasks),
      String(scores.counted),
    ]),
  ]);
}

/** The first failure: its code, and the stack of what was thrown, if anything was. */
export function failureText({ id, seed, error, cause }: EpisodeFailure): string {
  const { boundary, code, message } = error;
  const stack = cause instanceof Error && boundary === 'agent' ? cause.stack : undefined;
  return `${bold('first failure')} in ${id} (seed ${seed}): ${red(code)}\n${stack ?? message}`;
}

/** Number of episodes that do not count, and the cause of every one of them: by code, with the first message of each. */
export function excludedText({ excluded, failures }: Pick<SuiteCell, 'excluded' | 'failures'>): string {
  const causes = new Map<string, { readonly count: number; readonly message: string; readonly seed: number }>();
  for (const { code, count, counted, message, seed } of failures) {
    if (count === counted) continue;
    const found = causes.get(code) ?? { count: 0, message, seed };
    causes.set(code, { ...found, count: found.count + count - counted });
  }
  const told = [...causes.values()].reduce((sum, { count }) => sum + count, 0);
  return [
    `${excluded} episodes do not count (failed model or environment, spent budget, stop)`,
    ...[...causes].map(
      ([code, { count, message, seed }]) => `${count} × ${code} ${message.split('\n', 1)[0]} (first seed ${seed})`,
    ),
    ...(told < excluded ? [`${excluded - told} × not played to the end when the run stopped`] : []),
  ].join('\n');
}
