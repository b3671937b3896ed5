/** Plain JSON data: comparing it, and bytes and infinities in it. */

/** Equality of JSON data; objects compare by their keys in any order. */
export function isPlainEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isPlainEqual(Reflect.get(a, key), Reflect.get(b, key)))
  );
}

/** The words `Infinity` and `-Infinity` stand for what JSON has no numbers for; anything else passes unchanged. */
export function readNumber(json: unknown): unknown {
  return json === 'Infinity' || json === '-Infinity' ? Number(json) : json;
}

const CHUNK = 0x8000; // arguments of one call stay far below the engines' limits

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}

/** @throws when `text` is no base64. */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** True for what `{…}` makes, and for any other object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
