/** Texts that end a response. */
import { InvalidOptionError } from '@vlgym/core';

/** A UTF-16 unit is at most this many bytes in UTF-8, and a token with text at least one byte. */
const TOKENS_PER_UNIT = 3;

/**
 * True once a response contains one of the texts; to be asked after every token.
 *
 * @throws {InvalidOptionError} A text is empty.
 */
export function stopsAt(
  texts: readonly string[],
  decode: (ids: Int32Array) => string,
): (ids: readonly number[]) => boolean {
  if (texts.some((text) => text === '')) throw new InvalidOptionError('stop', texts, 'texts that are not empty');
  // a text that the last token completes begins within this many tokens before it
  const reach = TOKENS_PER_UNIT * Math.max(0, ...texts.map(({ length }) => length)) + 1;
  return (ids) => {
    const end = decode(Int32Array.from(ids.slice(-reach)));
    return texts.some((text) => end.includes(text));
  };
}
