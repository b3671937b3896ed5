/**
 * The content of a call as JSON: equal calls have equal keys. Bytes are replaced by their hash, and what differs
 * from run to run (signals, headers with keys) is left out.
 *
 * A PNG is replaced by the hash of its pixels: versions of zlib, and so processors and runtimes, compress the same pixels into
 * different bytes.
 */
import { createHash } from 'node:crypto';
import { decodePng, hashImage } from '@vlgym/core/images';
import { canonicalJson } from '@vlgym/core/internal';
import type { JsonValue } from '@vlgym/core/trajectory';
import { pictureOf } from '../model/sent-pictures.js';

const LEFT_OUT = ['abortSignal', 'headers', 'includeRawChunks'];

/** The key of the options of `doGenerate`. */
export const modelCallKey = (modelId: string, call: object): string =>
  keyOf({
    model: modelId,
    call: Object.fromEntries(Object.entries(call).filter(([name]) => !LEFT_OUT.includes(name))),
  });

export const keyOf = (content: unknown): string => sha256(canonical(content) ?? 'null');

/** Canonical JSON (`canonicalJson`) with bytes by hash; nothing is left of functions and `undefined`. */
function canonical(value: unknown): string | undefined {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return PNG_BASE64.test(value) ? canonicalJson(pngText(value)) : JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
    case 'boolean':
      return String(value);
    case 'bigint':
      return `"${value}"`;
    case 'object':
      return canonicalObject(value);
    default:
      return undefined;
  }
}

function canonicalObject(value: object): string {
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry) ?? 'null').join(',')}]`;
  if (value instanceof URL || value instanceof RegExp) return JSON.stringify(String(value));
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (value instanceof Uint8Array) return canonicalJson(pixels(value) ?? { $bytes: sha256(value) });
  if (value instanceof ArrayBuffer) return canonicalJson({ $bytes: sha256(new Uint8Array(value)) });
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const text = canonical((value as Readonly<Record<string, unknown>>)[name]);
    if (text !== undefined) members += `${members && ','}${JSON.stringify(name)}:${text}`;
  }
  return `{${members}}`;
}

/** A PNG in base64, as it is or as a data URL: both begin with the signature. */
const PNG_BASE64 = /^(?:data:image\/png;base64,)?iVBORw0KGgo/;

const pngText = (text: string): JsonValue =>
  pixels(Buffer.from(text.slice(text.indexOf('iVBORw0KGgo')), 'base64')) ?? text;

/** Nothing for other bytes, and for kinds of PNG that are not read here. */
function pixels(bytes: Uint8Array): JsonValue | undefined {
  if (bytes[0] !== 0x89 || bytes[1] !== 0x50) return undefined;
  try {
    return { $image: hashImage(pictureOf(bytes) ?? decodePng(bytes)) };
  } catch {
    return undefined;
  }
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

const MAX_ABOUT = 160;

/** The last text of a prompt, in a few words: how people recognize an entry. */
export function aboutPrompt(call: object): string {
  const { prompt = [] } = call as {
    readonly prompt?: readonly { readonly role?: string; readonly content?: unknown }[];
  };
  for (const { role, content } of prompt.toReversed()) {
    const found = typeof content === 'string' ? content : lastText(content);
    if (found !== undefined) return shortened(`${role}: ${found}`);
  }
  return `${prompt.length} messages`;
}

function lastText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const part = content.toReversed().find(({ type }) => ['text', 'tool-result', 'tool-call'].includes(type));
  if (part === undefined) return undefined;
  return part.type === 'text'
    ? String(part.text)
    : `${part.toolName} ${JSON.stringify(part.output ?? part.input) ?? ''}`;
}

/** The beginning and the end of a text in one line. */
export function shortened(text: string): string {
  const line = text.slice(0, 20_000).split(/\s+/).join(' ').trim();
  return line.length <= MAX_ABOUT ? line : `${line.slice(0, MAX_ABOUT / 2)} … ${line.slice(3 - MAX_ABOUT / 2)}`;
}

/** JSON with bytes: `{ $base64 }`. Answers may contain files. */
export const packed = (value: unknown): string =>
  JSON.stringify(value, (_, entry: unknown) =>
    entry instanceof Uint8Array ? { $base64: Buffer.from(entry).toString('base64') } : entry,
  ) ?? 'null';

/** A copy with its bytes. */
export function unpacked(value: JsonValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unpacked);
  const { $base64 } = value as { readonly $base64?: unknown };
  if (typeof $base64 === 'string') return new Uint8Array(Buffer.from($base64, 'base64'));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, unpacked(entry)]));
}
