/** Commands about one package under its name: `vlgym alfworld download`. A verb's own name is both words. */

import { closest } from '@vlgym/core';
import { commandList } from '../terminal/command-list.js';
import { bold, dim, wrapText } from '../terminal/style.js';
import { type Command, UsageError } from './command.js';
import type { CommandGroup, Entry } from './command-entry.js';

export const isGroup = (entry: Command | CommandGroup): entry is CommandGroup => 'verbs' in entry;

/** The command that was found with its remaining arguments, or a group without a subcommand. */
export type Found = { readonly command: Command; readonly args: readonly string[] } | { readonly group: CommandGroup };

/**
 * The command that the first word, or the first two, name. Only its own file is loaded.
 *
 * @throws {UsageError} The command is unknown; the hint names the nearest one.
 */
export async function find(entries: readonly Entry[], words: readonly string[]): Promise<Found> {
  const [name = '', ...args] = words;
  const entry = await named(entries, name).load();
  if (!isGroup(entry)) return { command: entry, args };
  const [verb, ...rest] = args;
  if (verb === undefined || ['help', '--help', '-h'].includes(verb)) return { group: entry };
  return { command: named(entry.verbs, verb, `${name} `), args: rest };
}

/** All commands, including those of groups. */
export async function allCommands(entries: readonly Entry[]): Promise<Command[]> {
  const loaded = await Promise.all(entries.map((entry) => entry.load()));
  return loaded.flatMap((entry) => (isGroup(entry) ? entry.verbs : [entry]));
}

/** @param group  Prefix of each name. */
function named<Each extends { readonly name: string }>(entries: readonly Each[], name: string, group = ''): Each {
  const entry = entries.find((each) => each.name === group + name);
  if (entry) return entry;
  const near = closest(
    name,
    entries.map((each) => each.name.slice(group.length)),
  );
  throw new UsageError(`Unknown command "${group}${name}".`, {
    hint: near ? `did you mean "${group}${near}"?` : `vlgym ${group}--help lists them`,
  });
}

/** The help page of a group. */
export function groupPage({ name, description, verbs }: CommandGroup, width = 100): string {
  return [
    `${bold(`vlgym ${name}`)} ${dim('COMMAND [options]')}`,
    '',
    wrapText(description, width),
    '',
    ...commandList(verbs),
    '',
    dim(`vlgym ${name} COMMAND --help explains a command, with examples.`),
    '',
  ].join('\n');
}
