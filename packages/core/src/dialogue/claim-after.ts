/**
 * The claim of a thought: the words after a phrase, up to the next comma or period, in lower case and without their article.
 *
 * @param thought  A value that the model wrote.
 * @returns `undefined` without the phrase, and for values other than text.
 */
export function claimAfter(phrase: string, thought: unknown): string | undefined {
  if (typeof thought !== 'string') return undefined;
  const lower = thought.toLowerCase();
  const start = lower.indexOf(phrase);
  if (start < 0) return undefined;
  const rest = lower.slice(start + phrase.length, start + phrase.length + MAX_CLAIM);
  return rest
    .split(/[,.]/, 1)[0]!
    .trim()
    .replace(/^(?:an?|the) /, '');
}

/** Characters that are read after the phrase. */
const MAX_CLAIM = 80;
