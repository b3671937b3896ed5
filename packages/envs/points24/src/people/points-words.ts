/** EZPoints and Points24 in words, for people: the state, the reason why an entry is illegal, how a hand ended. */
import { evaluateFormula } from '../formula/evaluate.js';
import { type FormulaEntry, formatValue } from '../formula/values.js';
import type { Hand } from '../games/points-game.js';
import { type Illegality, remainingNumbers, type Table } from '../games/points-rules.js';
import { listed, spokenCards } from './card-words.js';

/** `The cards are 4 of hearts and king of spades; they count 4 and 10. …` */
export function tableWords({ cards, numbers, formula, target }: Table): string {
  const left = remainingNumbers(numbers, formula);
  const text = written(formula);
  return [
    handWords({ cards, numbers }),
    `The target is ${target}.`,
    text === '' ? 'The formula is empty.' : `The formula so far is ${text}.`,
    text === '' ? '' : left.length === 0 ? 'Every card is used.' : `Still to be used: ${listed(left)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const handWords = ({ cards, numbers }: Hand) => `The cards are ${spokenCards(cards)}; they count ${listed(numbers)}.`;

export function refusalWords(reason: Illegality, { numbers, formula }: Table, entry: FormulaEntry): string {
  const left = remainingNumbers(numbers, formula);
  switch (reason) {
    case 'number-unavailable':
      return left.length === 0
        ? `Every card is used already, so ${entry} cannot be written.`
        : `No card that is left counts ${entry}; you still have ${listed(left)}.`;
    case 'digits-joined':
      return `Two numbers cannot stand side by side: write a sign between ${formula.at(-1)} and ${entry}.`;
    case 'operator-doubled':
      return `${entry} cannot be written twice in a row.`;
  }
}

/** How a formula that ended with `=` was judged. */
export function endWords({ numbers, formula, target }: Table): string {
  const text = written(formula);
  if (text === '') return 'The formula was empty.';
  const result = evaluateFormula(formula);
  if (result.type === 'error') return `${text} is not a complete formula.`;
  const value = formatValue(result);
  const left = remainingNumbers(numbers, formula);
  if (left.length > 0) return `${text} is ${value}, but not every card is used: ${listed(left)} is left.`;
  return value === String(target) || value === `${target}.0`
    ? `${text} is ${target}, and every card is used.`
    : `${text} is ${value}, not ${target}.`;
}

const written = (formula: readonly FormulaEntry[]): string => formula.join(' ').replace(/ {2,}/g, ' ').trim();
