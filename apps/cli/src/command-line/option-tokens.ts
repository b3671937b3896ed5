/** The words of a command line, before their values are read: each names an option, and says one thing about it. */
import { closest } from '@vlgym/core';
import type { Flag } from './flags.js';
import { givenTwice } from './option-values.js';
import { UsageError } from './usage-error.js';

/** As `parseArgs` of Node makes them. */
type Token =
  | { readonly kind: 'option'; readonly name: string; readonly rawName: string; readonly value: string | undefined }
  | { readonly kind: 'positional' | 'option-terminator' };

/** Options of every command. */
const ALWAYS = [
  { flag: 'help', kind: 'boolean' },
  { flag: 'config', kind: 'string' },
] as const;

/**
 * @param command  Its name, for hints.
 * @throws {UsageError} An option is unknown, lacks its value, has one where it is a switch, or is said twice although it holds
 *   one value.
 */
export function checkTokens(tokens: readonly Token[], flags: readonly Flag[], command: string): void {
  const said = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const found = named(name, [...ALWAYS, ...flags]);
    if (!found) {
      const known = flags.map(({ flag }) => `--${flag}`);
      throw unknownOption(rawName, known, command);
    }
    const { flag, kind } = found;
    if (kind !== 'boolean' && value === undefined) {
      throw new UsageError(`${rawName} needs a value.`, { hint: `vlgym ${command} --help` });
    }
    if (kind === 'boolean' && value !== undefined) {
      throw new UsageError(`${rawName} takes no value.`, {
        value,
        expected: `--${flag}, or --no-${flag}`,
        hint: 'a switch is on or off by its name',
      });
    }
    if (kind === 'array' || kind === 'object') continue;
    const [before, now] = [said.get(flag), value ?? rawName];
    if (before !== undefined) throw givenTwice(`--${flag}`, before, now);
    said.set(flag, now);
  }
}

type Named = Pick<Flag, 'flag' | 'kind'>;

/** `no-` before its name switches an option off. */
const named = (name: string, flags: readonly Named[]): Named | undefined =>
  flags.find(({ flag }) => flag === name) ??
  flags.find(({ flag, kind }) => kind === 'boolean' && name === `no-${flag}`);

/** The error of a name that no option has. */
export function unknownOption(name: string, known: readonly string[], command: string): UsageError {
  const near = closest(name, known);
  return new UsageError(`Unknown option "${name}".`, {
    hint: near ? `did you mean "${near}"?` : `vlgym ${command} --help lists the options`,
  });
}
