/**
 * Byte-level BPE writes each byte as one printable character: printable Latin-1 bytes stand for themselves, the other
 * 68 follow from U+0100 on. The table is that of GPT-2 (`openai/gpt-2`, `src/encoder.py`) and of every `ByteLevel`
 * tokenizer.
 */

/** [256] the character of each byte. */
export function byteCharacters(): string[] {
  const printable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printable(byte) ? byte : next++));
}

const BYTES = new Map(byteCharacters().map((character, byte) => [character, byte]));

/** The bytes that a vocabulary entry stands for; undefined when it is not written in byte characters. */
export function tokenBytes(token: string): Uint8Array | undefined {
  const bytes = new Uint8Array(token.length);
  for (let i = 0; i < token.length; i += 1) {
    const byte = BYTES.get(token[i]!);
    if (byte === undefined) return undefined;
    bytes[i] = byte;
  }
  return bytes;
}
