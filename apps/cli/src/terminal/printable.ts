/**
 * Text of a file for a terminal, on one line: without control and bidi characters, because the terminal would execute them.
 *
 * @param limit  Characters at most; a longer text ends in `…`.
 */
export function printable(text: string, limit = 200): string {
  const plain = text.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length > limit ? `${plain.slice(0, limit - 1)}…` : plain;
}
