/**
 * From what a model answered to the command that is executed, and whether it was a legal one.
 *
 * `rl4vlm-compat` reads as RL4VLM/RL4VLM does (`VLM_PPO_ALF`; `docs/specs/alfworld.md`, section 17). The other readings are
 * ours, and look at nothing but the action entry of the answer.
 */
import { matchAction, type ParsedResponse, parseResponse, type ResponseFormat, rl4vlmCommand } from '@vlgym/core';
import { pythonStrip } from '../engine/strip.js';

/**
 * Which command an action entry means:
 *
 * - `whole`: the one that it is, but for case, blanks, quotes around it and a full stop.
 * - `contained`: the only one that stands in it in whole words, as in `I go to desk 1`; also in `don't look`.
 * - `longest`: of those that stand in it in whole words, the longest.
 * - `rl4vlm-compat`: the first of the list that occurs after `"action":`, or in the last 30 characters of an answer
 *   without it, so that `go to drawer 12` is `go to drawer 1`, as published. Between tags: the first in the entry.
 */
export const MATCHINGS = ['whole', 'contained', 'longest', 'rl4vlm-compat'] as const;
export type Matching = (typeof MATCHINGS)[number];

/** Longest action, in characters. Nothing happens at one that is no command, however long, as in the original. */
export const MAX_ACTION = 20_000;

/** The most of an answer without a command that is executed, in characters; nothing happens at it. */
const MAX_SAID = 200;

/** The most of a refused entry that a hint repeats, in characters. */
const MOST_REPEATED = 60;

export interface ReadOptions {
  /** What can be executed now. */
  readonly commands: readonly string[];
  readonly matching: Matching;
  readonly format: ResponseFormat;
  readonly requiredKeys: readonly string[];
}

/**
 * Reads a command out of an answer.
 *
 * @returns `action` is an admissible command where `legal`; else a text at which nothing happens in the game, so that
 *          the environment records an illegal step, too.
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
  // another reading found a command in the entry
  const refused = parsed.reason === undefined && {
    reason: 'unknown-action' as const,
    repairHint: `${JSON.stringify(parsed.actionText.slice(0, MOST_REPEATED))} is not one of the commands. Give one of them alone, word for word.`,
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
    // the quick test first: an answer may be long
    if (said.includes(normalized(command)) && matchAction(said, [command]).kind === 'found') longest = command;
  }
  return longest;
}

function publishedIn(
  text: string,
  written: string,
  { commands, format }: Pick<ReadOptions, 'commands' | 'format'>,
): string | undefined {
  // the published rule knows JSON only
  if (format !== 'json' && written === '') return undefined;
  const index = rl4vlmCommand(format === 'json' ? text : `"action":${written}`, commands);
  return index === undefined ? undefined : commands[index];
}

/** Lower case, blanks collapsed and trimmed. */
function normalized(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Also without a pair of quotes and a full stop, inside of them or behind. */
function bare(text: string): string {
  return normalized(text)
    .replace(/^["'`“‘]|\.?["'`”’]?\.?$/g, '')
    .trim();
}

/** What was said, as an action at which nothing happens; where it happens to be a command, in quotes. */
function withoutEffect(text: string, commands: readonly string[]): string {
  const said = executable(text);
  return commands.includes(pythonStrip(said)) ? executable(`"${said}"`) : said;
}

/** Within the action space: no half surrogate pairs, and short. */
function executable(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, '�').trim();
  return [...whole.slice(0, 2 * MAX_SAID)]
    .slice(0, MAX_SAID)
    .join('')
    .replace(/\p{Surrogate}/gu, '�');
}
