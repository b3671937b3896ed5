/** The command that was typed, ready to be pasted into a shell again. */

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The same command with `--resume`. */
export function resumeCommand(args: readonly string[] = process.argv.slice(2)): string {
  return ['vlgym', ...args.filter((word) => word !== '--resume').map(quoted), '--resume'].join(' ');
}
