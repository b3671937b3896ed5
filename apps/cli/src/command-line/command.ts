/**
 * A command as data: a zod schema is the single source of its flags, defaults, validation and help page.
 *
 * `--config FILE` (YAML or JSON) fills in options, flags override it, zod has the last word. Lists are written
 * `--seeds 0,1,2` or `--seeds 0-2`, objects as `--set loss.clipLow=0.2` or as JSON, camelCase keys as kebab-case flags.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { show } from '@vlgym/core';
import { isRecord, mergeDeep } from '@vlgym/core/internal';
import type { z } from 'zod';
import { bold, dim, wrapText } from '../terminal/style.js';
import { kebab } from './cli-hints.js';
import { readConfig } from './config-file.js';
import { type Flag, flagsOf } from './flags.js';
import { type Given, givenBy, mergeGiven } from './given.js';
import { checkNeeds } from './needs.js';
import { checkTokens, unknownOption } from './option-tokens.js';
import { expandDots, expandRanges, givenTwice, mergeOnce, toNumber, toNumbers, toObject } from './option-values.js';
import { UsageError } from './usage-error.js';

export { UsageError } from './usage-error.js';

export interface Example {
  readonly command: string;
  readonly does: string;
}

export interface CommandContext {
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Which options were typed, and where. */
  readonly given: Given;
  /** The options are those that another process has checked, completed and written down. */
  readonly isHandedOn?: boolean;
  /** Loads every command, for those that speak about all of them. */
  commands(): Promise<readonly Command[]>;
}

export interface Command<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** Half a line for the overview. */
  readonly summary: string;
  /** An introductory paragraph for learners. */
  readonly description: string;
  /** Option that the first bare argument fills; all of them where it is an array. */
  readonly positional?: string;
  readonly options: Schema;
  readonly examples: readonly Example[];
  /** Additional help text for `--help` with arguments, e.g. the hyperparameters of an algorithm. */
  more?(typed: Typed): Promise<readonly string[]> | readonly string[];
  /** Stopping on request is its normal end, so its own exit code is kept. */
  readonly endsWhenTold?: boolean;
  /** Returns the exit code; nothing means 0. */
  run(options: z.output<Schema>, context: CommandContext): Promise<number | undefined>;
}

/** Fixes the options' type from the schema. */
export const defineCommand = <Schema extends z.ZodType>(command: Command<Schema>): Command<Schema> => command;

/** Names of the options as code and config files have them. */
export const keysOf = ({ options }: Command): string[] => flagsOf(options).map(({ key }) => key);

/** Its flags as they are typed. */
export const flagNamesOf = ({ options, positional }: Command): string[] =>
  flagsOf(options)
    .filter(({ key }) => key !== positional)
    .map(({ flag }) => `--${flag}`);

function convert(flag: Flag, texts: readonly string[]): unknown {
  const last = texts.at(-1)!;
  if (flag.kind === 'number') return toNumber(last);
  if (flag.kind === 'object') {
    return texts
      .map((text) => toObject(flag.flag, text))
      .reduce((merged, each) => mergeOnce(`--${flag.flag}`, merged, each));
  }
  if (flag.kind !== 'array') return last;
  return texts.flatMap((text) => (flag.itemIsNumber ? toNumbers(text) : text.split(',').map((item) => item.trim())));
}

/** A value of a config file in the form that the schema checks. */
function fromConfig(flag: Flag, value: unknown): unknown {
  if (flag.kind === 'array' && flag.itemIsNumber) return expandRanges(value);
  if (flag.kind === 'array' && typeof value === 'string') return value.split(',').map((item) => item.trim());
  return flag.kind === 'object' && isRecord(value) ? expandDots(value, flag.key) : value;
}

/** Flags that may stand alone get the value that this means, or the next flag would be taken for it. */
function withAlone(args: readonly string[], flags: readonly Flag[]): string[] {
  return args.map((word, index) => {
    const alone = flags.find(({ flag }) => word === `--${flag}`)?.alone;
    const next = args[index + 1];
    return alone === undefined || (next !== undefined && !next.startsWith('-')) ? word : `${word}=${String(alone)}`;
  });
}

/** Parsed arguments, not validated and without defaults. */
export interface Typed {
  readonly options: Readonly<Record<string, unknown>>;
  readonly given: Given;
  readonly asksForHelp: boolean;
  /** The options are those that another process has checked, completed and written down. */
  readonly isHandedOn?: boolean;
}

/** Arguments (after the command's name) to validated options; `'help'` when help was asked for. */
export function parseOptions<Schema extends z.ZodType>(
  command: Command<Schema>,
  args: readonly string[],
): z.output<Schema> | 'help' {
  const typed = parseArguments(command, args);
  return typed.asksForHelp ? 'help' : checkedOptions(command, typed);
}

/** @throws {UsageError} A value does not fit, or one is missing, or an option would change nothing. */
export function checkedOptions<Schema extends z.ZodType>(
  command: Command<Schema>,
  { options, given, isHandedOn }: Typed,
): z.output<Schema> {
  const valid = validateOptions(command, options);
  if (!isHandedOn) checkNeeds(command, valid as Record<string, unknown>, given);
  return valid;
}

/** @throws {UsageError} An option is unknown, lacks its value, or its file cannot be read. */
export function parseArguments(command: Command, args: readonly string[]): Typed {
  const flags = flagsOf(command.options);
  const { values, positionals, tokens } = parseArgs({
    args: withAlone(args, flags),
    options: Object.fromEntries([
      ['help', { type: 'boolean' as const, short: 'h' }],
      ['config', { type: 'string' as const }],
      ...flags.map(({ flag, kind }) => [
        flag,
        kind === 'boolean' ? { type: 'boolean' as const } : { type: 'string' as const, multiple: true },
      ]),
    ]),
    strict: false,
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  });
  checkTokens(tokens, flags, command.name);

  const options: Record<string, unknown> = {};
  let given: Given = {};
  let isHandedOn = false;
  if (typeof values.config === 'string') {
    const { given: known, ...content } = readConfig(values.config);
    for (const [key, value] of Object.entries(content)) {
      const flag = flags.find((each) => each.key === key || each.flag === key);
      if (!flag) {
        const known = flags.map(({ key: name }) => name);
        throw unknownOption(key, known, command.name);
      }
      if (flag.key in options) throw givenTwice(flag.key, options[flag.key], value);
      options[flag.key] = fromConfig(flag, value);
    }
    // a process that another one starts learns where its options were typed
    isHandedOn = isRecord(known);
    given = mergeGiven(givenBy('file', options), isRecord(known) ? (known as Given) : {});
  }
  for (const flag of flags) {
    const value = values[flag.flag];
    if (value === undefined) continue;
    const typed = Array.isArray(value) ? convert(flag, value.map(String)) : value;
    const before = options[flag.key];
    // a flag overrides the keys that it names; those that only the file names stay
    options[flag.key] = isRecord(typed) && isRecord(before) ? mergeDeep(before, typed) : typed;
    given = mergeGiven(given, givenBy('flag', { [flag.key]: typed }));
  }
  const [first, ...rest] = positionals;
  if (first !== undefined && command.positional !== undefined && values[kebab(command.positional)] !== undefined) {
    throw givenTwice(command.positional.toUpperCase(), first, options[command.positional]);
  }
  if (first !== undefined && flags.some(({ key, kind }) => key === command.positional && kind === 'array')) {
    options[command.positional!] = positionals;
  } else if (first !== undefined) {
    if (command.positional === undefined || rest.length > 0) {
      throw new UsageError(`Unexpected argument ${show(rest[0] ?? first)}.`, { hint: `vlgym ${command.name} --help` });
    }
    options[command.positional] = first;
  }
  if (first !== undefined) given = { ...given, [command.positional!]: 'flag' };
  return { options, given, asksForHelp: values.help === true, isHandedOn };
}

/** @throws {UsageError} A value does not fit, or one is missing. */
export function validateOptions<Schema extends z.ZodType>(
  command: { readonly name: string; readonly positional?: string; readonly options: Schema },
  options: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const flags = flagsOf(command.options);
  const result = command.options.safeParse(options);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const [key] = issue.path;
    const name = key === command.positional ? String(key).toUpperCase() : `--${kebab(String(key))}`;
    const value = options[String(key)];
    return value === undefined ? `${name} is missing.` : `${name}: ${issue.message}, got ${show(value)}`;
  });
  const first = flags.find(({ key }) => key === result.error.issues[0]?.path[0]);
  throw new UsageError([...new Set(lines)].join('\n'), {
    ...(first?.description ? { expected: first.description } : {}),
    hint: `vlgym ${command.name} --help`,
  });
}

/**
 * The words that give a command these options, except those left at their defaults: what was typed, with a config file
 * written out.
 *
 * @param always  Options that are named even at their defaults, because those depend on the machine.
 */
export function argumentsOf(
  command: Pick<Command, 'name' | 'positional' | 'options'>,
  options: Readonly<Record<string, unknown>>,
  always: readonly string[] = [],
): string[] {
  const words: string[] = [];
  for (const { key, flag, kind, fallback } of flagsOf(command.options)) {
    const value = options[key];
    if (value === undefined || (isDeepStrictEqual(value, fallback) && !always.includes(key))) continue;
    if (isRecord(value) && Object.keys(value).length === 0) continue;
    const list = Array.isArray(value) ? value.map(String) : undefined;
    if (list?.length === 0) continue;
    if (key === command.positional) words.unshift(...(list ?? [String(value)]));
    else if (kind === 'boolean') words.push(value === true ? `--${flag}` : `--no-${flag}`);
    else words.push(`--${flag}`, list?.join(',') ?? (isRecord(value) ? JSON.stringify(value) : String(value)));
  }
  return [...command.name.split(' '), ...words];
}

const NOTHING: Typed = { options: {}, given: {}, asksForHelp: true };

/** The help page of one command. */
export async function helpPage(command: Command, width = 100, typed: Typed = NOTHING): Promise<string> {
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
    `  ${'--config FILE'.padEnd(column)}options from a YAML or JSON file; flags override it`,
    '',
    ...((await command.more?.(typed)) ?? []),
    bold('Examples'),
    ...command.examples.map(({ command: line, does }) => `  ${line}\n      ${dim(does)}`),
    '',
  ].join('\n');
}
