/**
 * A command as data: a zod schema is the single source of its flags, defaults, validation and help page.
 *
 * `--config file.json` fills in options, flags override it, zod has the last word. Arrays are written `--seeds 0,1,2`,
 * objects as JSON, camelCase keys as kebab-case flags.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { closest, GymError, show } from '@vlgym/core';
import { z } from 'zod';
import { bold, dim, wrapText } from './terminal/style.js';

export interface Example {
  readonly command: string;
  readonly does: string;
}

export interface CommandContext {
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export interface Command<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** Half a line for the overview. */
  readonly summary: string;
  /** A paragraph that teaches. */
  readonly description: string;
  /** Option that the first bare argument fills; all of them where it is an array. */
  readonly positional?: string;
  readonly options: Schema;
  readonly examples: readonly Example[];
  /** Ending when told to is its normal end: its own exit code stands then. */
  readonly endsWhenTold?: boolean;
  /** Returns the exit code; nothing means 0. */
  run(options: z.output<Schema>, context: CommandContext): Promise<number | undefined>;
}

/** Fixes the options' type from the schema. */
export const defineCommand = <Schema extends z.ZodType>(command: Command<Schema>): Command<Schema> => command;

/** A flag that does not exist, a value that does not fit, an unreadable config file. */
export class UsageError extends GymError {
  constructor(message: string, { expected, hint, cause }: { expected?: string; hint?: string; cause?: unknown } = {}) {
    super(message, {
      code: 'USAGE',
      ...(expected ? { expected } : {}),
      ...(hint ? { hint } : {}),
      ...(cause ? { cause } : {}),
    });
  }
}

interface Flag {
  readonly key: string;
  readonly flag: string;
  readonly kind: 'boolean' | 'number' | 'array' | 'object' | 'string';
  readonly itemIsNumber: boolean;
  readonly description: string;
  readonly placeholder: string;
  readonly fallback: unknown;
}

interface Property {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly items?: { readonly type?: string };
}

const kebab = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function flagsOf(schema: z.ZodType): Flag[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Property>;
  };
  return Object.entries(properties).map(([key, property]) => {
    const type = property.type === 'integer' ? 'number' : (property.type ?? 'string');
    const kind = (['boolean', 'number', 'array', 'object'] as const).find((name) => name === type) ?? 'string';
    const itemType = property.items?.type;
    return {
      key,
      flag: kebab(key),
      kind,
      itemIsNumber: itemType === 'number' || itemType === 'integer',
      description: property.description ?? '',
      placeholder: property.enum
        ? property.enum.join('|')
        : { boolean: '', number: 'N', array: 'A,B,…', object: 'JSON', string: 'TEXT' }[kind],
      fallback: property.default,
    };
  });
}

function convert(flag: Flag, text: string): unknown {
  if (flag.kind === 'number') return toNumber(text);
  if (flag.kind === 'array') {
    const items = text.split(',').map((item) => item.trim());
    return flag.itemIsNumber ? items.map(toNumber) : items;
  }
  if (flag.kind === 'object') {
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw new UsageError(`--${flag.flag} is not JSON: ${show(text)}`, { expected: 'a JSON object', cause });
    }
  }
  return text;
}

/** A text that is not a number stays as it was typed, so that the message can show it. */
function toNumber(text: string): number | string {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}

function readConfig(path: string): Record<string, unknown> {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`The config file ${path} cannot be read: ${why}`, { expected: 'a JSON file', cause });
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new UsageError(`The config file ${path} holds ${show(data)}.`, {
      expected: 'one JSON object with option names as keys',
    });
  }
  return data as Record<string, unknown>;
}

function unknownOption(name: string, known: readonly string[], command: string): UsageError {
  const near = closest(name, known);
  return new UsageError(`Unknown option "${name}".`, {
    hint: near ? `did you mean "${near}"?` : `vlgym ${command} --help lists the options`,
  });
}

/** Arguments (after the command's name) to validated options; `'help'` when help was asked for. */
export function parseOptions<Schema extends z.ZodType>(
  command: Command<Schema>,
  args: readonly string[],
): z.output<Schema> | 'help' {
  const flags = flagsOf(command.options);
  const names = flags.map(({ flag }) => flag);
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries([
      ['help', { type: 'boolean' as const, short: 'h' }],
      ['config', { type: 'string' as const }],
      ...flags.map(({ flag, kind }) => [
        flag,
        { type: kind === 'boolean' ? ('boolean' as const) : ('string' as const) },
      ]),
    ]),
    strict: false,
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const name = token.name.replace(/^no-/, '');
    if (name !== 'help' && name !== 'config' && !names.includes(name) && !names.includes(token.name)) {
      throw unknownOption(
        token.rawName,
        names.map((flag) => `--${flag}`),
        command.name,
      );
    }
    const kind = token.name === 'config' ? 'string' : flags.find(({ flag }) => flag === token.name)?.kind;
    if (kind !== undefined && kind !== 'boolean' && token.value === undefined) {
      throw new UsageError(`${token.rawName} needs a value.`, { hint: `vlgym ${command.name} --help` });
    }
  }
  if (values.help) return 'help';

  const options: Record<string, unknown> = {};
  if (typeof values.config === 'string') {
    for (const [key, value] of Object.entries(readConfig(values.config))) {
      if (!flags.some((flag) => flag.key === key))
        throw unknownOption(
          key,
          flags.map(({ key: known }) => known),
          command.name,
        );
      options[key] = value;
    }
  }
  for (const flag of flags) {
    const value = values[flag.flag];
    if (value !== undefined) options[flag.key] = typeof value === 'string' ? convert(flag, value) : value;
  }
  const [first, ...rest] = positionals;
  if (first !== undefined && flags.some(({ key, kind }) => key === command.positional && kind === 'array')) {
    options[command.positional!] = positionals;
  } else if (first !== undefined) {
    if (command.positional === undefined || rest.length > 0) {
      throw new UsageError(`Unexpected argument ${show(rest[0] ?? first)}.`, { hint: `vlgym ${command.name} --help` });
    }
    options[command.positional] = first;
  }
  return validate(command, flags, options);
}

function validate<Schema extends z.ZodType>(
  command: Command<Schema>,
  flags: readonly Flag[],
  options: unknown,
): z.output<Schema> {
  const result = command.options.safeParse(options);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const [key] = issue.path;
    const name = key === command.positional ? String(key).toUpperCase() : `--${kebab(String(key))}`;
    const given = (options as Record<string, unknown>)[String(key)];
    return given === undefined ? `${name} is missing.` : `${name}: ${issue.message}, got ${show(given)}`;
  });
  const first = flags.find(({ key }) => key === result.error.issues[0]?.path[0]);
  throw new UsageError([...new Set(lines)].join('\n'), {
    ...(first?.description ? { expected: first.description } : {}),
    hint: `vlgym ${command.name} --help`,
  });
}

/** The help page of one command. */
export function helpPage(command: Command, width = 100): string {
  const flags = flagsOf(command.options).filter(({ key }) => key !== command.positional);
  const positional = command.positional ? ` [${command.positional.toUpperCase()}]` : '';
  const left = flags.map(({ flag, placeholder }) => `--${flag}${placeholder ? ` ${placeholder}` : ''}`);
  const column = Math.min(34, Math.max(...left.map((text) => text.length), 14) + 2);
  const rows = flags.map(({ description, fallback }, index) => {
    const label = left[index]!;
    const suffix =
      fallback === undefined || fallback === false
        ? ''
        : dim(` (default ${Array.isArray(fallback) ? fallback.join(',') : show(fallback).replaceAll('"', '')})`);
    const text = wrapText(description, width - column - 2).split('\n');
    const head = label.length < column ? label.padEnd(column) : `${label}\n${' '.repeat(column + 2)}`;
    return `  ${head}${text.join(`\n${' '.repeat(column + 2)}`)}${suffix}`;
  });
  return [
    `${bold(`vlgym ${command.name}`)}${positional} ${dim('[options]')}`,
    '',
    wrapText(command.description, width),
    '',
    ...(rows.length > 0 ? [bold('Options'), ...rows] : []),
    `  ${'--config FILE'.padEnd(column)}options from a JSON file; flags override it`,
    '',
    bold('Examples'),
    ...command.examples.map(({ command: line, does }) => `  ${line}\n      ${dim(does)}`),
    '',
  ].join('\n');
}
