/**
 * Errors in the words of the command line: packages speak to who calls them from code (`resume: true`), people at a
 * terminal have flags (`--resume`). Only names change; codes, values and causes stay.
 */
import type { GymError } from '@vlgym/core';

/** Suggested commands by error code, where the error's own hint does not fit the command line. */
const HINTS: Readonly<Record<string, string>> = {
  FOLDER_IN_USE: 'add --resume to continue it, or choose another --folder',
  FOLDER_USED: 'add --resume to keep its episodes and play the rest, or choose another --record',
  NO_DIALOGUE: 'use --agent random or oracle, or add a dialogue to the environment',
  NO_ORACLE: 'choose another --agent, or an environment with an expert (vlgym envs NAME tells)',
  NOTHING_TO_TEACH: 'raise --warm-start-examples',
  NOT_REPLAYABLE: 'record the episode again with --record',
};

/** Hints that mention code, and what a person types instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/`import '([^']+)'` registers it \(on the command line: (--import [^\s)]+)\)/, 'add $2'],
  [/; install and import the package that registers it/, '; add --import PACKAGE or --import FILE'],
  [
    /(?<=hint: )import the package that registers it$/m,
    'vlgym envs lists them; --import PACKAGE or --import FILE adds yours',
  ],
  [
    /import the package that calls `registerModelFamily`[^\n]*/,
    'add --import PACKAGE or --import FILE that registers it',
  ],
  [/`replay\(trajectory, \{ envOptions: \{ ([^:`]+): … \} \}\)`/, '--env-options $1=…'],
  [/`replay\(trajectory, \{ envOptions \}\)`/, '--env-options KEY=VALUE'],
  [/`readTrajectories\([^`]*`/, 'vlgym replay FILE'],
  [/`resume: true`/, '--resume'],
  [/see the table of options in the README of @vlgym\/rl/, 'vlgym algorithms NAME lists the options'],
  [/`loadPolicy\(folder\)`[^\n]*/, 'vlgym eval --agent policy --weights FOLDER'],
];

/** `warmStart` → `warm-start`, as a flag is typed. */
export const kebab = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @param keys  Options of the command as the code calls them, e.g. `stepsPerUpdate`. */
export function forCommandLine({ code, message, hint }: GymError, keys: readonly string[] = []): string {
  const known = HINTS[code];
  const replaced = known && hint ? message.replace(hint, known) : message;
  const phrased = PHRASES.reduce((text, [pattern, typed]) => text.replace(pattern, typed), replaced);
  const flags = keys.filter((key) => /[A-Z]/.test(key) || phrased.includes(`\`${key}\``));
  return flags.reduce((text, key) => {
    const inCode = text.replaceAll(`\`${key}\``, `--${kebab(key)}`);
    return /[A-Z]/.test(key)
      ? inCode.replace(new RegExp(`(?<![\\w.-])${key}(?![\\w:])`, 'g'), `--${kebab(key)}`)
      : inCode;
  }, phrased);
}
