/**
 * Finds the command in a model's answer, and whether it is admissible.
 *
 * `rl4vlm-compat` follows RL4VLM/RL4VLM (`VLM_PPO_ALF`; `docs/specs/alfworld.md`, section 17). The other rules are
 * ours, and read the action entry of the answer only.
 */
import { matchAction, type ParsedResponse, parseResponse, type ResponseFormat, rl4vlmCommand } from '@vlgym/core';
import { pythonStrip } from '@vlgym/core/internal';

/**
 * How an action entry is matched with a command:
 *
 * - `whole`: equal to it, except for case, blanks, surrounding quotes, and a full stop.
 * - `contained`: the only command contained in whole words, as in `I go to desk 1`, but also in `don't look`.
 * - `longest`: the longest command contained in whole words.
 * - `rl4vlm-compat`: the first of the list that occurs after `"action":`, or in the last 30 characters of an answer
 *   without it, so that `go to drawer 12` is `go to drawer 1`, as published. Between tags: the first in the entry.
 */
export const MATCHINGS = ['whole', 'contained', 'longest', 'rl4vlm-compat'] as const;
export type Matching = (typeof MATCHINGS)[number];

/** Maximum length of an action, in characters. As in the original, other text of any length has no effect. */
export const MAX_ACTION = 20_000;

/** Maximum length of the action made from an answer without a command, in characters; it has no effect. */
const MAX_INVALID_ACTION = 200;

/** Number of characters of a refused entry that a hint repeats. */
const MAX_QUOTED = 60;

export interface ReadOptions {
  /** Admissible commands. */
  readonly commands: readonly string[];
  readonly matching: Matching;
  readonly format: ResponseFormat;
  readonly requiredKeys: readonly string[];
}

/**
 * Reads a command from an answer.
 *
 * @returns `action` is an admissible command if `legal`, and otherwise a text without effect in the game, so that the
 *          environment records an illegal step, too.
 */
export function readCommand(
  text: string,
  { commands, matching, format, requiredKeys }: ReadOptions,
): ParsedResponse<string> {
  const { action: index, ...parsed } = parseResponse(text, { format, actions: commands, requiredKeys });
  const command = {
    whole: () => equalTo(parsed.actionText, commands),
    contained: () => (index === undefined ? undefined : commands[index]),
    longest: () => longestIn(parsed.actionText, commands),
    'rl4vlm-compat': () => publishedIn(text, parsed.actionText, { commands, format }),
  }[matching]();
  if (command !== undefined) {
    const { reason: _, repairHint: __, ...read } = parsed;
    return { ...read, action: command, legal: true };
  }
  // The parser found a command by another rule.
  const refused = parsed.reason === undefined && {
    reason: 'unknown-action' as const,
    repairHint: `${JSON.stringify(parsed.actionText.slice(0, MAX_QUOTED))} is not one of the commands. Give one of them alone, word for word.`,
  };
  return { ...parsed, ...refused, action: withoutEffect(parsed.actionText || text, commands), legal: false };
}

function equalTo(written: string, commands: readonly string[]): string | undefined {
  const said = bare(written);
  return commands.find((command) => bare(command) === said);
}

function longestIn(written: string, commands: readonly string[]): string | undefined {
  const said = normalized(written);
  let longest: string | undefined;
  for (const command of commands) {
    if (longest !== undefined && command.length <= longest.length) continue;
    // The cheap test first: an answer may be long.
    if (said.includes(normalized(command)) && matchAction(said, [command]).kind === 'found') longest = command;
  }
  return longest;
}

function publishedIn(
  text: string,
  written: string,
  { commands, format }: Pick<ReadOptions, 'commands' | 'format'>,
): string | undefined {
  // The published rule reads JSON only.
  if (format !== 'json' && written === '') return undefined;
  const index = rl4vlmCommand(format === 'json' ? text : `"action":${written}`, commands);
  return index === undefined ? undefined : commands[index];
}

/** Lower case, with blanks collapsed and trimmed. */
function normalized(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Normalized, without surrounding quotes and a full stop inside or after them. */
function bare(text: string): string {
  return normalized(text)
    .replace(/^["'`“‘]|\.?["'`”’]?\.?$/g, '')
    .trim();
}

/** The answer as an action without effect; quoted if it equals a command. */
function withoutEffect(text: string, commands: readonly string[]): string {
  const said = executable(text);
  return commands.includes(pythonStrip(said)) ? executable(`"${said}"`) : said;
}

/** Makes a text part of the action space: short, without lone surrogates. */
function executable(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, '�').trim();
  return [...whole.slice(0, 2 * MAX_INVALID_ACTION)]
    .slice(0, MAX_INVALID_ACTION)
    .join('')
    .replace(/\p{Surrogate}/gu, '�');
}
