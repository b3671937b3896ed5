/**
 * Python's `str.lower()` as in Python 3.8, which the original uses, with the characters of Unicode 12.1.
 *
 * A runtime's `toLowerCase` depends on its ICU: U+A7CB changes in Node 24, but not in Node 20.
 */
import { unpackRuns } from '../unicode/runs.js';
import { UNASSIGNED_RUNS } from '../unicode/tables.generated.js';

const UNKNOWN = unpackRuns(UNASSIGNED_RUNS);
/** Every runtime knows all characters before this range. */
const LATE = /[^\0-\u0377]/;

export function pythonLower(text: string): string {
  if (!LATE.test(text)) return text.toLowerCase();
  let lower = '';
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!;
    const end = at + (code > 0xffff ? 2 : 1);
    if (UNKNOWN[code] === 1) {
      lower += text.slice(from, at).toLowerCase() + text.slice(at, end);
      from = end;
    }
    at = end;
  }
  return lower + text.slice(from).toLowerCase();
}
