/** Python's `str()` of a list, as prompts that format one contain it. */
import { floatRepr } from './python-float.js';

/**
 * @param value  Numbers are floats: `1` prints as `1.0`, because JavaScript cannot tell `1` from `1.0` and the lists of the
 *               benchmarks are shares of a picture's size.
 */
export function pythonRepr(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (ArrayBuffer.isView(value)) return pythonRepr(Array.from(value as unknown as ArrayLike<number>));
  if (typeof value === 'string') return stringRepr(value);
  if (typeof value === 'number') return floatRepr(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null || value === undefined ? 'None' : String(value);
}

/** `str(value)`: a text as it is, everything else as `repr` shows it. */
export const pythonText = (value: unknown): string => (typeof value === 'string' ? value : pythonRepr(value));

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\'\p{C}\p{Z}]/gu, (character) => {
    if (character === ' ') return character;
    if (character === "'") return quote === "'" ? "\\'" : character;
    const code = character.codePointAt(0)!;
    return ESCAPES[character] ?? hexadecimal(code);
  });
  return `${quote}${body}${quote}`;
}

function hexadecimal(code: number): string {
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
