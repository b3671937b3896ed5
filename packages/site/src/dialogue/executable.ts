/** Makes the argument of a model's action part of the action space. */

/** In UTF-16 units: fits the maximum action of 20,000 characters, even if lower case doubles a character. */
const MAX_ARGUMENT = 9_900;

/**
 * Lone surrogates become U+FFFD, as tokenizers write bytes that are not UTF-8; the original fails on them in a search and
 * clicks nothing. Longer arguments are truncated.
 */
export function executable(argument: string): string {
  return argument.slice(0, MAX_ARGUMENT).replace(/\p{Surrogate}/gu, '\ufffd');
}
