/** The completions of a shell for a typed line: bash, zsh and fish themselves, with their own completion. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The shell is installed, and says its version. */
export const hasShell = (name: string): boolean => spawnSync(name, ['--version']).status === 0;

/**
 * @param script  Path of the completion script.
 * @returns For each line its candidates.
 */
export async function complete(
  shell: 'bash' | 'zsh' | 'fish',
  script: string,
  lines: readonly string[],
): Promise<string[][]> {
  const [flags, program] = { bash: [[], BASH], zsh: [['-f'], ZSH], fish: [['--no-config'], FISH] }[shell] as [
    string[],
    string,
  ];
  const rest = shell === 'fish' ? [script, ...lines] : ['-', script, ...lines];
  const { stdout } = await run(shell, [...flags, '-c', program, ...rest], { timeout: 120_000 });
  const found: string[][] = [];
  for (const [, kind, word] of stdout.matchAll(/<(line|word) ([^>\n]*)>/g)) {
    if (kind === 'line') found.push([]);
    else found.at(-1)!.push(word!);
  }
  return found;
}

const BASH = `source "$1"; shift
for line in "$@"; do
  COMP_WORDS=($line); [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _vlgym
  echo "<line $line>"; printf '<word %s>\\n' "\${COMPREPLY[@]}"
done`;

/** `complete -C` gives what Tab offers. */
const FISH = `source $argv[1]
for line in $argv[2..]
  echo "<line $line>"
  for found in (complete -C "$line"); echo "<word "(string split -f1 \\t -- $found)">"; end
end`;

/**
 * An interactive zsh on a pseudo-terminal. Ctrl-T is a completion of the line editor that tells what it would insert,
 * because zsh has no command for that.
 */
const ZSH = `zmodload zsh/zpty
script=$1; shift
zpty shell 'zsh -f -i'
zpty -w shell "PROMPT= RPROMPT=; unsetopt zle; autoload -Uz compinit; compinit -D -u; source \${(q)script}"
zpty -w shell 'tell() { compadd() { local -a found; builtin compadd -A found "$@"; (( $#found )) && print -rl -- "<word "\${^found}">" }; _main_complete; unfunction compadd; print -r -- "<""end>" }
zle -C tell complete-word tell; bindkey "^T" tell; zle-line-init() print -r -- "<""ready>"; zle -N zle-line-init; setopt zle'
zpty -r shell text '*<ready>*'
for line in "$@"; do
  zpty -w -n shell "$line"$'\\C-t'
  zpty -r shell text '*<end>*'
  print -r -- "<line $line>"; print -r -- "$text"
  zpty -w -n shell $'\\C-u'
done
zpty -d shell`;
