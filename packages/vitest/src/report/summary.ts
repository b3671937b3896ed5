/** The summary of a job in GitHub Actions, in Markdown. What agents and models wrote is escaped. */
import { type NamedCheck, resultOf, type StaleCassette } from '../check.js';
import { savedText, staleText } from './terminal.js';
import { failedText, shortPath } from './words.js';

const MARKS = { pass: '✅', alarm: '❌', undecided: '❓' } as const;

export function summaryMarkdown(checks: readonly NamedCheck[], cassettes: readonly StaleCassette[] = []): string {
  const rows = checks.map(({ test, check }) => {
    const { text, agent, environment, episodes, planned } = check;
    return `| ${[MARKS[resultOf(check)], cell(test), cell(agent), cell(environment), `${episodes} of ${planned}`, cell(text)].join(' | ')} |`;
  });
  const failed = checks.filter(({ check }) => resultOf(check) !== 'pass' && !check.isNot && check.failures.length > 0);
  const stale = staleText(cassettes);
  const details = failed.flatMap(({ test, check }) => [
    `<details><summary>${html(test)}: failed episodes of ${html(check.agent)}</summary>`,
    '',
    `<pre>${html(check.failures.flatMap(failedText).join('\n'))}</pre>`,
    ...(check.folder === undefined
      ? []
      : [
          `<p>Upload <code>.vlgym</code> as an artifact, then <code>npx vlgym watch ${html(shortPath(check.folder))}</code>.</p>`,
        ]),
    '</details>',
    '',
  ]);
  return [
    '### Agents',
    '',
    '|  | test | agent | environment | episodes | result |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    savedText(checks),
    '',
    ...details,
    ...(stale.length > 0 ? [`<pre>${html(stale.join('\n'))}</pre>`, ''] : []),
  ].join('\n');
}

const html = (text: string) =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!);

/** One cell of a table: no line breaks, no pipes, no links and no emphasis of strangers. */
const cell = (text: string) =>
  html(text)
    .replace(/\s+/g, ' ')
    .replace(/[|\\`*_[\]]/g, '\\$&');
