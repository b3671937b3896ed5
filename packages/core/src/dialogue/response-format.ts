/**
 * The three response formats. Each reader finds the start of the action entry and its value, and checks whether the whole
 * response has the requested format: reading is lenient, `valid` is strict.
 */

import { isRecord } from '../type-tests.js';
import { type KeyEntry, lastKeys, lastTextualKey, readScalar, skipBlanks } from './scan-json.js';

/** `json`: one object; `tags`: `<think>…</think><action>…</action>`; `tool-call`: `{ name, arguments }`. */
export type ResponseFormat = 'json' | 'tags' | 'tool-call';

export interface FormatOptions {
  readonly actionKey: string;
  readonly thoughtKeys: readonly string[];
  readonly requiredKeys: readonly string[];
}

/** The result of reading a response in one format. */
export interface ReadResponse {
  /** Offset at which the action entry begins: its key's quote, or `<` of its tag. */
  readonly marker: number;
  /** The action as written; empty if the entry has none. */
  readonly value: string;
  /** Its value, if it is a JSON number. */
  readonly number?: number | undefined;
  /** The thought, if it has its own entry. */
  readonly thought?: string | undefined;
  readonly valid: boolean;
}

type Reader = (text: string, options: FormatOptions) => ReadResponse | undefined;

export const readers: Readonly<Record<ResponseFormat, Reader>> = {
  json: readJson,
  tags: readTags,
  'tool-call': readToolCall,
};

/** One JSON object whose last key is the action. */
function readJson(text: string, options: FormatOptions): ReadResponse | undefined {
  const { actionKey, requiredKeys } = options;
  const entry = lastKeys(text, [actionKey]).get(actionKey.toLowerCase()) ?? lastTextualKey(text, actionKey);
  if (!entry) return undefined;
  const value = readScalar(text, entry.valueStart);
  const object = parseObject(text);
  const valid =
    object !== undefined &&
    hasKeys(object, requiredKeys) &&
    text.startsWith(JSON.stringify(actionKey), entry.start) &&
    isScalar(object[actionKey]) &&
    closesObject(text, value.end);
  const thought = object && thoughtIn(object, options);
  return { marker: entry.start, value: value.text, number: value.number, thought, valid };
}

/** Tagged blocks separated by whitespace, the action last. */
function readTags(text: string, { actionKey, thoughtKeys, requiredKeys }: FormatOptions): ReadResponse | undefined {
  const lower = lowerAscii(text);
  const tag = lowerAscii(actionKey);
  const marker = lower.lastIndexOf(`<${tag}>`);
  if (marker < 0) return undefined;
  const from = marker + tag.length + 2;
  const close = lower.indexOf(`</${tag}>`, from);
  const blocks = readBlocks(text);
  return {
    marker,
    value: text.slice(from, close < 0 ? text.length : close).trim(),
    thought: thoughtKeys.map((key) => blocks?.get(key)).find((block) => block !== undefined),
    valid: [...(blocks?.keys() ?? [])].at(-1) === actionKey && requiredKeys.every((key) => blocks?.has(key)),
  };
}

/** The whole text as `<name>…</name>` blocks; `undefined` if it contains anything else or a name repeats. */
function readBlocks(text: string): Map<string, string> | undefined {
  const blocks = new Map<string, string>();
  const open = /<([a-zA-Z_][\w-]*)>/y;
  for (let position = skipBlanks(text, 0); position < text.length; ) {
    open.lastIndex = position;
    const name = open.exec(text)?.[1];
    if (name === undefined || blocks.has(name)) return undefined;
    const end = text.indexOf(`</${name}>`, open.lastIndex);
    if (end < 0) return undefined;
    blocks.set(name, text.slice(open.lastIndex, end).trim());
    position = skipBlanks(text, end + name.length + 3);
  }
  return blocks;
}

/**
 * A call as JSON, bare or inside `<tool_call>` tags after other text: `{ name, arguments }` or an AI SDK part
 * `{ toolName, input }`. The argument called `actionKey` is the action; without it, the tool's name is.
 */
function readToolCall(text: string, options: FormatOptions): ReadResponse | undefined {
  const { actionKey, requiredKeys } = options;
  const call = parseObject(callText(text));
  const given = call?.arguments ?? call?.input;
  const input = typeof given === 'string' ? parseObject(given) : isRecord(given) ? given : undefined;
  const name = call?.name ?? call?.toolName;
  const keys = lastKeys(text, [actionKey, 'name', 'toolName']);
  // the scan does not see keys inside arguments written as one JSON string; the textual search does
  const inArguments = input !== undefined && isScalar(input[actionKey]);
  const textual = inArguments ? lastTextualKey(text, actionKey) : undefined;
  const entry: KeyEntry | undefined =
    keys.get(actionKey.toLowerCase()) ?? textual ?? keys.get('name') ?? keys.get('toolname');
  if (!entry) return undefined;
  return {
    marker: entry.start,
    value: inArguments ? String(input[actionKey]) : readScalar(text, entry.valueStart).text,
    thought: input && thoughtIn(input, options),
    valid: typeof name === 'string' && input !== undefined && hasKeys(input, requiredKeys),
  };
}

function callText(text: string): string {
  const trimmed = text.trimEnd();
  const open = trimmed.lastIndexOf('<tool_call>');
  const wrapped = open >= 0 && trimmed.endsWith('</tool_call>');
  return wrapped ? trimmed.slice(open + '<tool_call>'.length, -'</tool_call>'.length) : trimmed;
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function hasKeys(object: JsonObject, keys: readonly string[]): boolean {
  return keys.every((key) => Object.hasOwn(object, key));
}

/** Only `}` and whitespace follow. */
function closesObject(text: string, position: number): boolean {
  const brace = skipBlanks(text, position);
  return text.charAt(brace) === '}' && skipBlanks(text, brace + 1) === text.length;
}

function thoughtIn(object: JsonObject, { thoughtKeys }: FormatOptions): string | undefined {
  return thoughtKeys.map((key) => object[key]).find((value) => typeof value === 'string') as string | undefined;
}

/** ASCII lower case; keeps the length, so that offsets stay valid. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
