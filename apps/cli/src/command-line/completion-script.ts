/**
 * Completion scripts for shells. Everything that can follow a command is written into the script, so that completing
 * starts no process. Names come from schemas and registries, but are quoted anyway.
 */
import { type Command, flagNamesOf } from './command.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export interface Completable {
  readonly commands: readonly Command[];
  /** Words for the options of these names, and for the argument that fills them. */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

/** Possible continuations of a command, by its first words: `train`, `alfworld`, `alfworld download`. */
function continuations({ commands, words }: Completable): Map<string, string[]> {
  const found = new Map<string, string[]>([['', [...new Set(commands.map(({ name }) => name.split(' ')[0]!))]]]);
  for (const command of commands) {
    const [group, verb] = command.name.split(' ') as [string, string?];
    if (verb !== undefined) found.set(group, [...(found.get(group) ?? []), verb]);
    const argument = command.positional === undefined ? [] : (words[command.positional] ?? choices(command));
    found.set(command.name, [...argument, ...flagNamesOf(command), '--config', '--help']);
  }
  return found;
}

/** Allowed values of the argument, where it is one of a few. */
const choices = (command: Command): readonly string[] => (command.name === 'completion' ? SHELLS : []);

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function completionScript(shell: Shell, completable: Completable): string {
  const found = continuations(completable);
  return { bash, zsh, fish }[shell](found);
}

const cases = (found: ReadonlyMap<string, readonly string[]>) =>
  [...found].map(([name, words]) => `    ${quote(name)}) words=${quote(words.join(' '))} ;;`).join('\n');

/** The longest known prefix of two words decides. */
function bash(found: ReadonlyMap<string, readonly string[]>): string {
  return `# vlgym completion for bash
_vlgym_words() {
  local words=
  case "$1" in
${cases(found)}
  esac
  printf '%s' "$words"
}
_vlgym() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=
  if [ "$COMP_CWORD" -gt 2 ]; then words="$(_vlgym_words "\${COMP_WORDS[1]} \${COMP_WORDS[2]}")"; fi
  if [ -z "$words" ] && [ "$COMP_CWORD" -gt 1 ]; then words="$(_vlgym_words "\${COMP_WORDS[1]}")"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then words="$(_vlgym_words '')"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _vlgym vlgym
`;
}

function zsh(found: ReadonlyMap<string, readonly string[]>): string {
  return `#compdef vlgym
# vlgym completion for zsh
_vlgym_words() {
  local words=
  case "$1" in
${cases(found)}
  esac
  print -r -- "$words"
}
_vlgym() {
  local found=
  if (( CURRENT > 3 )); then found="$(_vlgym_words "\${words[2]} \${words[3]}")"; fi
  if [[ -z "$found" ]] && (( CURRENT > 2 )); then found="$(_vlgym_words "\${words[2]}")"; fi
  if (( CURRENT == 2 )); then found="$(_vlgym_words '')"; fi
  compadd -- \${=found}
  _files
}
compdef _vlgym vlgym
`;
}

function fish(found: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...found].map(([name, words]) => {
    const condition =
      name === ''
        ? '__fish_use_subcommand'
        : name
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ');
    return `complete -c vlgym -n ${quote(condition)} -a ${quote(words.join(' '))}`;
  });
  return `# vlgym completion for fish\n${lines.join('\n')}\n`;
}
