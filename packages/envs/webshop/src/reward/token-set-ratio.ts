/**
 * Similarity of two phrases, 0 to 100, independent of the order of words: `token_set_ratio` of fuzzy matching.
 *
 * Written from section 7.3 of `docs/specs/webshop.md`; `test/golden/webshop-fuzz.json` pins 810 scores of each
 * back-end. WebShop's pinned requirements install `difflib`; python-Levenshtein and rapidfuzz compute `indel`, which is
 * faster.
 */
import { roundHalfEven } from '@vlgym/core/internal';
import { compareText } from '../python/text.js';
import { indelRatio } from './indel-ratio.js';
import { difflibRatio } from './sequence-matcher.js';

export type FuzzyBackend = 'difflib' | 'indel';

const LATIN_1 = /[\u0080-\u00ff]/g;
const NO_WORD = /[^\p{L}\p{N}_]/gu;
const LETTERS_ONLY = /^[a-z0-9_]+$/;

/** @returns An integer; 0 if one side has no words, 100 if one side contains all words of the other. */
export function tokenSetRatio(a: string, b: string, backend: FuzzyBackend = 'difflib'): number {
  const left = words(a);
  const right = words(b);
  if (left.size === 0 || right.size === 0) return 0;
  const common: string[] = [];
  const onlyLeft: string[] = [];
  const onlyRight: string[] = [];
  for (const word of left) (right.has(word) ? common : onlyLeft).push(word);
  for (const word of right) if (!left.has(word)) onlyRight.push(word);
  if (common.length > 0 && (onlyLeft.length === 0 || onlyRight.length === 0)) return 100;

  const shared = joined(common);
  const first = withShared(shared, joined(onlyLeft));
  const second = withShared(shared, joined(onlyRight));
  const score = (x: string, y: string) => percent(x, y, backend);
  return Math.max(score(shared, first), score(shared, second), score(first, second));
}

function words(text: string): Set<string> {
  if (LETTERS_ONLY.test(text)) return new Set([text]);
  const clean = text.replace(LATIN_1, '').replace(NO_WORD, ' ').toLowerCase();
  return new Set(clean.split(' ').filter((word) => word !== ''));
}

const joined = (list: string[]) => list.sort(compareText).join(' ');
const withShared = (shared: string, rest: string) =>
  shared === '' ? rest : rest === '' ? shared : `${shared} ${rest}`;

function percent(a: string, b: string, backend: FuzzyBackend): number {
  if (a === b) return 100;
  if (a === '' || b === '') return 0;
  return roundHalfEven(100 * (backend === 'difflib' ? difflibRatio(a, b) : indelRatio(a, b)));
}
