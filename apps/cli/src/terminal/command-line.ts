/** Commands ready to be pasted into a shell. */

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** `vlgym` and its arguments, quoted for a POSIX shell. */
export const commandLine = (args: readonly string[]): string => ['vlgym', ...args.map(quoted)].join(' ');

/** The command as typed. */
export const typedCommand = (): string => commandLine(process.argv.slice(2));

/** The command that was typed, with `--resume`. */
export const resumeCommand = (args: readonly string[] = process.argv.slice(2)): string =>
  commandLine([...args.filter((word) => word !== '--resume'), '--resume']);
