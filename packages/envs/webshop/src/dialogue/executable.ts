/** What a model wrote inside the brackets of an action, so that the action is one of the action space. */

/** In UTF-16 units: within the longest action, 20,000 characters, also where lower case makes two of one. */
const MAX_ARGUMENT = 9_900;

/**
 * Halves of surrogate pairs become U+FFFD, as a tokenizer writes bytes that are not UTF-8; the original fails at them in a
 * search and clicks nothing. What is too long is cut off.
 */
export function executable(argument: string): string {
  return argument.slice(0, MAX_ARGUMENT).replace(/\p{Surrogate}/gu, '\ufffd');
}
