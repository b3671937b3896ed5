/**
 * Python's formatting of floats, strings and maps, as it appears in URLs, prices, and rewards of the shop.
 *
 * Rules: `python/cpython`, `Objects/unicodeobject.c` (`repr`, `isprintable`), `Lib/json/encoder.py`.
 */

/** `9.99`, `100.0`, `1e+16`: the shortest text that parses to the same double, in Python's format. */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (size >= 1e16 || size < 1e-4) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };
const NOT_PRINTABLE = /[\p{C}\p{Z}]/u;

/** `'black'`, `"6' x 9'"`: Python's `repr` of a string. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let written = '';
  for (const character of text) {
    if (character === quote) written += `\\${character}`;
    else if (character in SHORT_ESCAPES) written += SHORT_ESCAPES[character];
    else if (character !== ' ' && NOT_PRINTABLE.test(character)) written += escaped(character.codePointAt(0)!);
    else written += character;
  }
  return quote + written + quote;
}

function escaped(code: number): string {
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** `{'color': 'black'}` */
export function pythonDict(entries: Iterable<readonly [string, string]>): string {
  return `{${[...entries].map(([key, value]) => `${pythonRepr(key)}: ${pythonRepr(value)}`).join(', ')}}`;
}

const JSON_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\\': '\\\\',
  '"': '\\"',
};

function jsonString(text: string): string {
  const inner = text.replace(
    /[^ -~]|["\\]/g,
    (unit) => JSON_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${inner}"`;
}

/** `{"color": "black"}`: Python's `json.dumps` of a map, ASCII only. */
export function pythonJson(entries: Iterable<readonly [string, string]>): string {
  return `{${[...entries].map(([key, value]) => `${jsonString(key)}: ${jsonString(value)}`).join(', ')}}`;
}

const HTML_SAFE: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', "'": '\\u0027' };

/** The same with sorted names and without characters that are special in HTML: Jinja's `tojson`. */
export function templateJson(entries: Iterable<readonly [string, string]>): string {
  const sorted = [...entries].sort(([a], [b]) => compareText(a, b));
  return pythonJson(sorted).replace(/[<>&']/g, (character) => HTML_SAFE[character]!);
}

/** Order by code points, as Python and Lucene sort; JavaScript sorts by UTF-16 units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // Surrogates encode code points above all others.
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    return leftHigh === rightHigh ? left - right : leftHigh ? 1 : -1;
  }
  return a.length - b.length;
}
