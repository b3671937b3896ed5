/** Columns about the answers of agents, alike in the terminal and on pages: legal, strict, correct thoughts. */
import { EVALUATION_FALLBACK, FALLBACK_WORDS, type Fallback, MOSTLY_LEGAL, type Scores } from '@vlgym/agents';
import { percent } from '../terminal/style.js';

interface Cell {
  readonly fallback?: Fallback;
  readonly scores?: Scores;
}

export interface AnswerColumn {
  readonly title: string;
  readonly cell: (scores: Scores | undefined) => string;
}

const maybe = (share: number | undefined): string => (share === undefined ? '–' : percent(share));

/** True where unreadable or illegal answers are so frequent that success alone says little. */
export const needsStrict = ({
  legalRate = 1,
  strictRate,
}: Partial<Pick<Scores, 'legalRate' | 'strictRate'>>): boolean => legalRate < MOSTLY_LEGAL && strictRate !== undefined;

export function answerColumns(cells: readonly Cell[]): AnswerColumn[] {
  const scores = cells.flatMap((cell) => cell.scores ?? []);
  return [
    ...(scores.some(needsStrict) ? [{ title: 'strict', cell: (of?: Scores) => maybe(of?.strictRate) }] : []),
    { title: 'legal', cell: (of) => maybe(of?.legalRate) },
    ...(scores.some(({ thoughtRate }) => thoughtRate !== undefined)
      ? [{ title: 'correct thoughts', cell: (of?: Scores) => maybe(of?.thoughtRate) }]
      : []),
  ];
}

/** The head of the success column; names every rule for unreadable answers, unless all have the usual one. */
export function successTitle(cells: readonly Cell[]): string {
  const rules = [...new Set(cells.flatMap(({ fallback }) => fallback ?? []))];
  return rules.every((rule) => rule === EVALUATION_FALLBACK)
    ? 'success'
    : `success (unreadable: ${rules.map((rule) => FALLBACK_WORDS[rule]).join(' or ')})`;
}

/** Explains how unreadable answers were handled, and the columns about answers. */
export function answerWords(cells: readonly Cell[]): string {
  const rules = [...new Set(cells.flatMap(({ fallback }) => fallback ?? []))];
  const scores = cells.flatMap((cell) => cell.scores ?? []);
  return [
    ...rules.map((rule) => `An unreadable answer is ${FALLBACK_WORDS[rule]}.`),
    ...(scores.some(needsStrict) ? ['Strict: an unreadable answer fails the episode.'] : []),
    ...(scores.some(({ thoughtRate }) => thoughtRate !== undefined)
      ? ['Correct thoughts: those of readable answers, as the environment checks them.']
      : []),
  ].join(' ');
}
