/**
 * Python's white space (`python/cpython`, `Objects/unicodeobject.c`). JavaScript's `trim` keeps U+001C to U+001F and U+0085, and
 * strips the mark U+FEFF.
 */
const SPACES =
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** Python's `str.strip()`, or `str.strip(characters)`; a loop, because `/ +$/` is quadratic in inner blanks. */
export function pythonStrip(text: string, characters = SPACES): string {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text.charAt(start))) start += 1;
  while (end > start && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
