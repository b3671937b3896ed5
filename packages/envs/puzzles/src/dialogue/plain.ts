/**
 * Prompts of games with one action per answer, as one JSON object.
 *
 * `plain-v1` explains the game; `compact-v1` is for small models and asks where the player is, which the picture shows. The
 * wording is our own; any change of words needs a new version.
 */
import {
  type ChatMessage,
  type Dialogue,
  InvalidActionError,
  parseResponse,
  type RgbImage,
  thoughtEntries,
} from '@vlgym/core';

export const PLAIN_STYLES = ['plain-v1', 'compact-v1'] as const;
export type PlainStyle = (typeof PLAIN_STYLES)[number];

/** The part of a game's info that these prompts read. */
export interface PlainInfo extends Record<string, unknown> {
  /** Row and column of the player, from 1. */
  readonly player: readonly [row: number, column: number];
}

export interface PlainGame<O> {
  readonly name: string;
  /** The rules, in one or two sentences, with the letters of the board. */
  readonly rules: string;
  readonly task: string;
  readonly actions: readonly string[];
  /** The board in letters, for an observation that is not a picture. */
  readonly board: (observation: O) => string;
}

export function plainDialogue<O, I extends PlainInfo>(
  { name, rules, task, actions, board }: PlainGame<O>,
  style: PlainStyle,
): Dialogue<O, number, I> {
  const isCompact = style === 'compact-v1';
  const keys = isCompact ? ['player'] : ['thoughts'];
  const words = isCompact
    ? `${task} Actions: ${actions.join(', ')}. JSON keys: player, action.`
    : [
        rules,
        task,
        `Choose what to do next: ${actions.map((action) => `"${action}"`).join(', ')}.`,
        'Answer with one valid JSON object in this form and nothing else:',
        '{"thoughts": "{where you are, what to do first}", "action": "{one of the choices}"}',
      ].join('\n');
  return {
    version: `${name}/${style}`,
    prompt: ({ observation }) => userTurn(observation, () => board(observation), words),
    parse: (text) => parseResponse(text, { actions, requiredKeys: keys }),
    choices: () => actions.map((_, action) => action),
    check,
    demonstrate({ info: { player } }, action) {
      if (actions[action] === undefined) throw new InvalidActionError(action, `0 to ${actions.length - 1}`);
      const thought = isCompact
        ? `"player": [${player.join(', ')}]`
        : `"thoughts": "I am in row ${player[0]}, column ${player[1]}, and ${actions[action]} brings me nearer."`;
      return `{${thought}, "action": "${actions[action]}"}`;
    },
  };
}

function userTurn(observation: unknown, board: () => string, words: string): ChatMessage[] {
  const image = pictureOf(observation);
  if (image === undefined) return [{ role: 'user', content: `The board:\n${board()}\n${words}` }];
  return [
    {
      role: 'user',
      content: [
        { type: 'image', image },
        { type: 'text', text: `\n${words}` },
      ],
    },
  ];
}

export function pictureOf(observation: unknown): RgbImage | undefined {
  return typeof observation === 'object' && observation !== null && 'data' in observation
    ? (observation as RgbImage)
    : undefined;
}

/** Whether a response is right about where the player is. */
function check(said: string, { player }: PlainInfo): boolean | undefined {
  const { player: listed, thoughts } = thoughtEntries(said);
  const [, row, column] = /\brow (\d{1,3}), column (\d{1,3})\b/i.exec(String(thoughts ?? '')) ?? [];
  const named = listed ?? (row === undefined ? undefined : [Number(row), Number(column)]);
  if (named === undefined) return undefined;
  return Array.isArray(named) && named.length === 2 && named[0] === player[0] && named[1] === player[1];
}
