/** Text for people in a terminal: lines broken between words, choices as a table, the choice that was probably meant. */
import { closest } from '@vlgym/core';
import { completions } from './line-reader.js';

/** Columns of a terminal that does not tell its width. */
export const TERMINAL_WIDTH = 80;

const ESCAPE = '\u001b';

/** Breaks long lines between words, and keeps what they begin with. Lines with colors are pictures, and stay. */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (line.length <= width || line.includes(ESCAPE) ? line : wrappedLine(line, width)))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  const indent = /^\s*/.exec(line)![0];
  const lines = [indent];
  for (const word of line.trim().split(/\s+/)) {
    const last = lines.at(-1)!;
    if (last === indent) lines[lines.length - 1] = indent + word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(indent + word);
  }
  return lines.join('\n');
}

/** Choices in columns, down and then across; a choice longer than half a line is on a line alone. */
export function choiceTable(choices: readonly string[], width: number): string {
  const short = choices.filter(({ length }) => 2 * length + 6 <= width);
  const long = choices.filter(({ length }) => 2 * length + 6 > width);
  const cell = Math.max(1, ...short.map(({ length }) => length)) + 2;
  const columns = Math.max(1, Math.floor((width - 2) / cell));
  const rows = Math.ceil(short.length / columns);
  const lines = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => (short[column * rows + row] ?? '').padEnd(cell))
      .join('')
      .trimEnd(),
  );
  return [...lines, ...long.map((choice) => wrapped(choice, width - 2).replaceAll('\n', '\n  '))]
    .map((line) => `  ${line}`)
    .join('\n');
}

/** The choice that a line is probably meant to be: the only one with its words, or one with few other letters. */
export function nearMiss(line: string, choices: readonly string[]): string | undefined {
  const typed = line.trim().toLowerCase();
  if (typed === '' || choices.some((choice) => choice.toLowerCase() === typed)) return undefined;
  const [only, ...others] = completions(typed, choices);
  if (only !== undefined && others.length === 0) return only;
  return closest(typed, choices);
}
