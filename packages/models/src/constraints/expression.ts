/** The set of allowed texts, as an expression over UTF-8 bytes. */
export type Expression =
  | { readonly kind: 'bytes'; readonly from: number; readonly to: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly options: readonly Expression[] }
  /** At least `min` times; at most `max` times, if given. */
  | { readonly kind: 'repeat'; readonly part: Expression; readonly min: number; readonly max?: number | undefined }
  /** Any bytes in which none of these texts occurs; ASCII in lower case, upper case counts too. */
  | { readonly kind: 'without'; readonly texts: readonly string[] };

export function bytes(from: number, to = from): Expression {
  return { kind: 'bytes', from, to };
}

export function sequence(...parts: Expression[]): Expression {
  return { kind: 'sequence', parts };
}

export function choice(...options: Expression[]): Expression {
  return { kind: 'choice', options };
}

export function repeat(part: Expression, min = 0, max?: number): Expression {
  return { kind: 'repeat', part, min, max };
}

export function without(texts: readonly string[]): Expression {
  return { kind: 'without', texts };
}

export function literal(text: string): Expression {
  return sequence(...Array.from(new TextEncoder().encode(text), (byte) => bytes(byte)));
}

const tail = bytes(0x80, 0xbf);

/** A character of several bytes, as UTF-8 (RFC 3629, section 4) allows it. */
export const beyondAscii: Expression = choice(
  sequence(bytes(0xc2, 0xdf), tail),
  sequence(bytes(0xe0), bytes(0xa0, 0xbf), tail),
  sequence(bytes(0xe1, 0xec), tail, tail),
  sequence(bytes(0xed), bytes(0x80, 0x9f), tail),
  sequence(bytes(0xee, 0xef), tail, tail),
  sequence(bytes(0xf0), bytes(0x90, 0xbf), tail, tail),
  sequence(bytes(0xf1, 0xf3), tail, tail, tail),
  sequence(bytes(0xf4), bytes(0x80, 0x8f), tail, tail),
);
