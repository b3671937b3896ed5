/** Two more readers of lmms-eval, both descended from MMMU's: VisualWebBench's and MMT-Bench's. */
import { length, strip } from '../text/python-text.js';

const PUNCTUATION = [',', '.', '!', '?', ';', ':', "'", '"'];

/**
 * VisualWebBench: one character counts in either case, so `b` is B and `b.` is none.
 *
 * @returns a letter; `z` where there is none, `a` for an empty answer, and a lone character in upper case.
 */
export function visualWebBenchChoice(answer: string, letters: readonly string[]): string {
  if (answer === '') return 'a';
  if (length(answer) === 1) return answer.toUpperCase();
  if (/^[A-Z]\./.test(answer)) return answer[0]!;
  const text = ` ${PUNCTUATION.reduce((rest, character) => rest.replaceAll(character, ''), answer)} `;
  const bracketed = (letter: string) => `(${letter})`;
  const spaced = (letter: string) => ` ${letter} `;
  for (const form of [bracketed, spaced]) {
    const found = letters.filter((letter) => text.includes(form(letter)));
    if (found.length > 0) return last(found, (letter) => text.lastIndexOf(form(letter)));
  }
  return 'z';
}

/**
 * MMT-Bench. Several letters: the last of those between blanks, even where they were found in brackets.
 *
 * @returns a letter; `undefined` if the original draws one at random.
 */
export function mmtChoice(answer: string, letters: readonly string[]): string | undefined {
  const ends = PUNCTUATION.filter((character) => character !== '"');
  const text = ` ${ends.reduce((rest, character) => strip(rest, character), strip(answer))} `;
  const forms = [
    (letter: string) => `(${letter})`,
    (letter: string) => ` ${letter} `,
    (letter: string) => `${letter}.`,
  ];
  for (const form of forms) {
    const found = letters.filter((letter) => text.includes(form(letter)));
    if (found.length > 0) return last(found, (letter) => text.lastIndexOf(` ${letter} `));
  }
  return undefined;
}

/** The letter with the largest place; the first of equal ones. */
const last = (letters: readonly string[], placeOf: (letter: string) => number): string =>
  letters.reduce((winner, letter) => (placeOf(letter) > placeOf(winner) ? letter : winner));
