/** Values as Python writes them into a text, which is what Jinja does with the value of an expression. */

/** A value of `@huggingface/jinja`. */
export interface TemplateValue {
  readonly type: string;
  readonly value: unknown;
}

/** As `str` of Python writes it; an undefined value gives an empty text. */
export function pythonText({ type, value }: TemplateValue): string {
  if (typeof value === 'string') return value;
  return type === 'UndefinedValue' ? '' : pythonRepr({ type, value });
}

function pythonRepr({ type, value }: TemplateValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return type === 'FloatValue' ? floatText(value) : String(value);
  if (Array.isArray(value)) {
    const entries = (value as TemplateValue[]).map(pythonRepr);
    if (type !== 'TupleValue') return `[${entries.join(', ')}]`;
    return entries.length === 1 ? `(${entries[0]},)` : `(${entries.join(', ')})`;
  }
  if (value instanceof Map) {
    const entries = [...(value as Map<string, TemplateValue>)];
    return `{${entries.map(([key, entry]) => `${quoted(key)}: ${pythonRepr(entry)}`).join(', ')}}`;
  }
  return 'None';
}

/** The fewest digits that give the number back, with an exponent from 1e16 on and below 1e-4. */
function floatText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4))
    return value.toExponential().replace(/e([+-])(\d)$/, (_, sign: string, digit: string) => `e${sign}0${digit}`);
  return Number.isInteger(value) ? `${Object.is(value, -0) ? '-0' : value}.0` : String(value);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const written = text.replace(/[\\\p{Cc}]/gu, (character) => {
    const code = character.codePointAt(0)!.toString(16).padStart(2, '0');
    return ESCAPES[character] ?? `\\x${code}`;
  });
  return quote + (quote === "'" ? written.replaceAll("'", "\\'") : written) + quote;
}
