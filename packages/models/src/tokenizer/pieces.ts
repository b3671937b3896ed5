/**
 * Vocabularies of pieces of text, as SentencePiece makes them: blanks are written as U+2581, and what is in no piece as bytes
 * `<0x00>` to `<0xFF>`. Llama 2, Mistral and Gemma have such ones.
 *
 * Rules are those of the decoders `Replace`, `ByteFallback`, `Fuse` and `Strip` of Hugging Face's `tokenizers`;
 * `pieces.test.ts` compares with it.
 */

/** Stands for a blank. */
export const BLANK = '\u2581';

const BYTE = /^<0x([0-9A-F]{2})>$/;
/** Shown for a byte that is part of no character. */
const UNREADABLE = '\ufffd';

/** The byte that a vocabulary entry stands for; undefined for a piece of text. */
export function pieceByte(token: string): number | undefined {
  const hex = BYTE.exec(token)?.[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
}

export const pieceText = (token: string): string => token.replaceAll(BLANK, ' ');

/** The first byte that the vocabulary lacks, as `<0x0A>`. */
export function missingByte(vocabulary: Readonly<Record<string, unknown>>): string | undefined {
  const names = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  return names.find((name) => !Object.hasOwn(vocabulary, name));
}

/** A token in a text: a byte, a piece, or undefined for one that is not text. */
export type Piece = number | string | undefined;

/**
 * The text of each token. Neighboring bytes are characters together, which belong to the token that completes them; if they are
 * not UTF-8, each shows as U+FFFD. Tokens that are not text do not interrupt them.
 *
 * @param stripsStart  Leave out a blank at the beginning.
 */
export function pieceTexts(pieces: readonly Piece[], stripsStart: boolean): string[] {
  const texts = pieces.map((piece) => (typeof piece === 'string' ? piece : ''));
  let run: number[] = [];
  const finish = () => {
    for (const [place, text] of charactersOf(run.map((index) => pieces[index] as number)).entries()) {
      texts[run[place]!] = text;
    }
    run = [];
  };
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'number') run.push(index);
    else if (piece !== undefined) finish();
  }
  finish();
  const first = stripsStart ? texts.findIndex((text) => text !== '') : -1;
  if (first >= 0 && texts[first]!.startsWith(' ')) texts[first] = texts[first]!.slice(1);
  return texts;
}

function charactersOf(bytes: readonly number[]): string[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const texts = bytes.map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));
    decoder.decode();
    return texts;
  } catch {
    return bytes.map(() => UNREADABLE);
  }
}
