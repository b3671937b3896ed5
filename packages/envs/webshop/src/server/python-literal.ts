/** Reads the Python literals in the original's URLs: lists and maps of strings. */

/** `['red', "6' x 9'"]` → its strings; `undefined` for anything else. */
export function parsePythonList(text: string): string[] | undefined {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return undefined;
  return strings(text.trim().slice(1, -1), ',');
}

/** `{'color': 'black'}`, or the same as JSON → its pairs; `undefined` for anything else. */
export function parseOptions(text: string): Map<string, string> | undefined {
  const trimmed = text.trim();
  if (!/^\{.*\}$/s.test(trimmed)) return undefined;
  const parts = strings(trimmed.slice(1, -1), ',:');
  if (!parts || parts.length % 2 !== 0) return undefined;
  return new Map(Array.from({ length: parts.length / 2 }, (_, index) => [parts[2 * index]!, parts[2 * index + 1]!]));
}

const ITEM = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*/sy;

function strings(text: string, separators: string): string[] | undefined {
  const found: string[] = [];
  if (text.trim() === '') return found;
  for (let at = 0; ; at += 1) {
    ITEM.lastIndex = at;
    const match = ITEM.exec(text);
    if (!match) return undefined;
    found.push(unescaped(match[1] ?? match[2] ?? ''));
    at = ITEM.lastIndex;
    if (at === text.length) return found;
    if (!separators.includes(text[at]!)) return undefined;
  }
}

const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gis, (_, x, u, U, other) => {
    if (other !== undefined) return SHORT[other] ?? other;
    const code = Number.parseInt(x ?? u ?? U, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
