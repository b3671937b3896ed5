/**
 * Porter's stemmer of 1980, with its author's two later changes that Lucene also has (`logi` → `log`, `bli` → `ble`).
 *
 * Rules: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980. Words of one or two letters are unchanged.
 */

const STEP_2: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};

const STEP_3: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};

const STEP_4 = 'al ance ence er ic able ible ant ement ment ent sion tion ou ism ate iti ous ive ize'.split(' ');

export function porterStem(word: string): string {
  if (word.length <= 2) return word;
  let stem = step1(word);
  stem = replaced(stem, STEP_2);
  stem = replaced(stem, STEP_3);
  return step5(step4(stem));
}

/** Plurals, -ed, -ing, and y → i. */
function step1(word: string): string {
  let w = word;
  if (w.endsWith('sses') || w.endsWith('ies')) w = w.slice(0, -2);
  else if (w.endsWith('s') && !w.endsWith('ss')) w = w.slice(0, -1);

  if (w.endsWith('eed')) {
    if (measure(w.slice(0, -3)) > 0) w = w.slice(0, -1);
  } else {
    const cut = w.endsWith('ed') ? 2 : w.endsWith('ing') ? 3 : 0;
    const stem = w.slice(0, w.length - cut);
    if (cut > 0 && hasVowel(stem)) w = mended(stem);
  }
  return w.endsWith('y') && hasVowel(w.slice(0, -1)) ? `${w.slice(0, -1)}i` : w;
}

function mended(stem: string): string {
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

/** Replaces the longest matching ending of the table if a vowel-consonant pair precedes it. */
function replaced(word: string, endings: Readonly<Record<string, string>>): string {
  for (let length = Math.min(7, word.length); length >= 3; length -= 1) {
    const ending = word.slice(-length);
    const by = Object.hasOwn(endings, ending) ? endings[ending] : undefined;
    if (by === undefined) continue;
    const stem = word.slice(0, -length);
    return measure(stem) > 0 ? stem + by : word;
  }
  return word;
}

function step4(word: string): string {
  let found = '';
  for (const ending of STEP_4) if (ending.length > found.length && word.endsWith(ending)) found = ending;
  if (found === '') return word;
  const cut = found === 'sion' || found === 'tion' ? 3 : found.length; // removes "ion" and keeps the s or t before it
  const stem = word.slice(0, -cut);
  return measure(stem) > 1 ? stem : word;
}

function step5(word: string): string {
  let w = word;
  if (w.endsWith('e')) {
    const stem = w.slice(0, -1);
    const m = measure(stem);
    if (m > 1 || (m === 1 && !endsShort(stem))) w = stem;
  }
  return w.endsWith('ll') && measure(w) > 1 ? w.slice(0, -1) : w;
}

/** y is a consonant at the start and after a vowel. */
function isConsonant(word: string, index: number): boolean {
  switch (word[index]) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
      return false;
    case 'y':
      return index === 0 || !isConsonant(word, index - 1);
    default:
      return true;
  }
}

/** Number of vowel-consonant sequences. */
function measure(stem: string): number {
  let count = 0;
  let vowelBefore = false;
  for (let index = 0; index < stem.length; index += 1) {
    const consonant = isConsonant(stem, index);
    if (consonant && vowelBefore) count += 1;
    vowelBefore = !consonant;
  }
  return count;
}

function hasVowel(stem: string): boolean {
  for (let index = 0; index < stem.length; index += 1) if (!isConsonant(stem, index)) return true;
  return false;
}

function endsDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last);
}

/** consonant - vowel - consonant other than w, x, y */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last > 1 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !/[wxy]$/.test(word)
  );
}
