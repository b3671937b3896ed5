/** Open answers of MIRB in lmms-eval (its rule is MMMU's): key phrases and numbers, one of which must fit. */
import { asciiDigits, pythonFloat, roundToCents } from '../text/python-float.js';
import { length, strip } from '../text/python-text.js';

const INDICATORS = ['could be ', 'so ', 'is ', 'thus ', 'therefore ', 'final ', 'answer ', 'result '];
const TRIVIAL = [':', ',', '.', '!', '?', ';', "'"];

/** Texts in lower case, and numbers with two decimals. */
export type Candidate = string | number;

export function openCandidates(answer: string): Candidate[] {
  const phrases = keyPhrases(answer);
  const candidates = [...phrases, ...phrases.flatMap(numbersIn)].flatMap(normalized);
  return [...new Set(candidates)];
}

/** Is a gold text contained in a candidate, or a gold number equal to one? */
export function openMatches(candidates: readonly Candidate[], gold: string | readonly string[]): boolean {
  const wanted = [gold].flat().flatMap((each) => normalized(each));
  return candidates.some((candidate) =>
    typeof candidate === 'string'
      ? wanted.some((each) => typeof each === 'string' && candidate.includes(each))
      : wanted.includes(candidate) && !Number.isNaN(candidate),
  );
}

/** The shortest text after an indicator in each line; in the last line `=` is one, too. */
function keyPhrases(answer: string): string[] {
  const text = strip(strip(answer), '.').toLowerCase();
  const lines = text.split('\n');
  const found = lines.flatMap((line, index) => {
    const indicators = index === lines.length - 1 ? [...INDICATORS, '='] : INDICATORS;
    let shortest = '';
    for (const indicator of indicators) {
      if (!line.includes(indicator)) continue;
      const tail = strip(line.slice(line.lastIndexOf(indicator) + indicator.length));
      if (shortest === '' || length(tail) < length(shortest)) shortest = tail;
    }
    return shortest !== '' && !TRIVIAL.includes(shortest) ? [shortest] : [];
  });
  return found.length > 0 ? found : [text];
}

const WORD = '[\\p{L}\\p{N}_]';
const WITH_COMMAS = new RegExp(`-?(?<!${WORD})[0-9]{1,3}(?:,[0-9]{3})+(?!${WORD})`, 'gu');
const SCIENTIFIC = /-?(?<![0-9])[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+/g;
const SIMPLE = new RegExp(
  `-?(?<![0-9])(?:[0-9]+\\.[0-9]+|\\.[0-9]+|[0-9]+(?!${WORD}))(?![eE][+-]?[0-9])(?![,0-9])`,
  'gu',
);

function numbersIn(text: string): string[] {
  const plain = asciiDigits(text);
  return [WITH_COMMAS, SCIENTIFIC, SIMPLE].flatMap((form) => plain.match(form) ?? []);
}

/** A single character gets blanks around it, or it would fit everywhere. */
function normalized(text: string): Candidate[] {
  const trimmed = strip(text);
  const number = pythonFloat(trimmed.replaceAll(',', ''));
  if (number !== undefined) return [roundToCents(number)];
  const lower = trimmed.toLowerCase();
  return length(lower) === 1 ? [` ${lower}`, `${lower} `] : [lower];
}
