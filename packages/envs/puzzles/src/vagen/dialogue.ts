/** A conversation as VAGEN holds it: a system message, and a turn of up to several actions for each answer. */
import { type ChatMessage, type ChatPart, type Dialogue, type PromptContext, parseResponse } from '@vlgym/core';
import { pictureOf } from '../dialogue/plain.js';
import type { Offset } from '../sokoban/board.js';
import { VAGEN_WORDS, type VagenWord } from './game.js';
import { parseVagen, type VagenFormat } from './parse.js';
import { areTrue, sentenceOf } from './sentences.js';
import { AFTER, INITIAL, type VagenWords } from './words.js';

export const VAGEN_STYLES = ['vagen-free-think-v1', 'vagen-wm-v1', 'vagen-free-wm-v1', 'compact-v1'] as const;
export type VagenStyle = (typeof VAGEN_STYLES)[number];

export interface VagenInfo extends Record<string, unknown> {
  readonly board: string;
  /** Row and column of the player, from 1. */
  readonly player: readonly [row: number, column: number];
  /** Things relative to the player: rows down, columns right. */
  readonly offsets: Readonly<Record<string, readonly Offset[]>>;
  readonly success: boolean;
  /** The player moved between start and end of the turn. */
  readonly effective: boolean;
  readonly taskKey?: string;
}

export type VagenObservation = string | ReturnType<typeof pictureOf>;
type Context = PromptContext<VagenObservation, readonly number[], VagenInfo>;
type VagenDialogue = Dialogue<VagenObservation, readonly number[], VagenInfo>;

const FORMATS: Readonly<Record<string, VagenFormat>> = {
  'vagen-free-think-v1': 'free_think',
  'vagen-wm-v1': 'wm',
  'vagen-free-wm-v1': 'free_wm',
};

/** The instruction, word for word. @param examples  With three examples, as VAGEN's default. */
export function vagenInstruction(words: VagenWords, format: VagenFormat, maxActions: number, examples = true): string {
  const found = words.formats[format] ?? words.formats.free_think!;
  const form = `${found.form}${examples ? found.examples : ''}`.replaceAll('{max}', String(maxActions));
  return `${words.system}\n${form}`;
}

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** Words that are actions, up to the first that is none. */
function executable(words: readonly string[]): VagenWord[] {
  const end = words.findIndex((word) => !VAGEN_WORDS.includes(word as VagenWord));
  return words.slice(0, end < 0 ? words.length : end) as VagenWord[];
}

export function vagenDialogue(name: string, words: VagenWords, style: VagenStyle, maxActions: number): VagenDialogue {
  if (style === 'compact-v1') return compactDialogue(name);
  const format = FORMATS[style]!;
  return {
    version: `${name}/${style}`,
    prompt: (context) => [
      { role: 'system', content: vagenInstruction(words, format, maxActions) },
      ...conversation(context, format, maxActions),
    ],
    parse(text) {
      const { actions, formatCorrect, think, answerAt } = parseVagen(text, format, maxActions);
      const taken = executable(actions).map((word) => VAGEN_WORDS.indexOf(word));
      const reason = !formatCorrect
        ? text.trim() === ''
          ? 'empty'
          : 'no-action-marker'
        : actions.length === 0
          ? 'no-action'
          : taken.length === 0
            ? 'unknown-action'
            : undefined;
      return {
        thought: think,
        ...(taken.length > 0 && { action: taken }),
        actionText: actions.join(','),
        legal: reason === undefined,
        // an unknown word ends the turn, and VAGEN calls it invalid although the words before it were executed
        formatValid: formatCorrect && taken.length === actions.length && taken.length > 0,
        spans: { ...(answerAt > 0 && { thought: [0, answerAt] as const }), action: [answerAt, text.length] },
        ...(reason && {
          reason,
          repairHint: `Answer in the form that was asked for, with 1 to ${maxActions} of: ${VAGEN_WORDS.join(', ')}.`,
        }),
      };
    },
    choices: () => VAGEN_WORDS.map((_, word) => [word]),
    check: (said, { offsets }) => areTrue(said, offsets),
    demonstrate({ info }, action) {
      const answer = action.map((word) => capital(VAGEN_WORDS[word] ?? '')).join(',');
      const seen = `<observation>${sentenceOf(info.offsets, 'is')}</observation>`;
      const will = `<prediction>${sentenceOf(info.offsets, 'will be')}</prediction>`;
      const thought = 'I take the first steps of a shortest way';
      if (format === 'free_think') return `<think>${thought}</think><answer>${answer}</answer>`;
      if (format === 'wm') return `${seen}<think>${thought}</think><answer>${answer}</answer>${will}`;
      return `${seen}\n${thought}.\n<answer>${answer}</answer>\n${will}`;
    },
  };
}

/** The turns, each with the observation before it and the answer. */
function conversation({ observation, history }: Context, format: VagenFormat, maxActions: number): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let before: readonly string[] | undefined;
  for (const turn of history) {
    messages.push(shown(turn.observation, before), { role: 'assistant', content: turn.text });
    before = executable(parseVagen(turn.text, format, maxActions).actions);
  }
  messages.push(shown(observation, before));
  return messages;
}

function shown(observation: VagenObservation, before: readonly string[] | undefined): ChatMessage {
  const [head, tail] = before === undefined ? INITIAL : AFTER;
  const start = head.replace('{actions}', `[${(before ?? []).map((word) => `'${word}'`).join(', ')}]`);
  const image = pictureOf(observation);
  if (image === undefined) return { role: 'user', content: `${start}${String(observation)}${tail}` };
  const parts: ChatPart[] = [
    { type: 'text', text: start },
    { type: 'image', image },
    { type: 'text', text: tail },
  ];
  return { role: 'user', content: parts };
}

/** One action per answer, for small models: where the player is, and the action. */
function compactDialogue(name: string): VagenDialogue {
  const words = [...VAGEN_WORDS];
  return {
    version: `${name}/compact-v1`,
    prompt({ observation }) {
      const text = `${words.join(', ')}? JSON keys: player, action.`;
      const image = pictureOf(observation);
      if (image === undefined) return [{ role: 'user', content: `${String(observation)}\n${text}` }];
      return [
        {
          role: 'user',
          content: [
            { type: 'image', image },
            { type: 'text', text: `\n${text}` },
          ],
        },
      ];
    },
    parse(text) {
      const { action, ...rest } = parseResponse(text, { actions: words, requiredKeys: ['player'] });
      return { ...rest, ...(action !== undefined && { action: [action] }) };
    },
    choices: () => words.map((_, word) => [word]),
    check(said, { player: [row, column] }) {
      const [, first, second] = /"player": ?\[(\d{1,3}), ?(\d{1,3})\]/.exec(said) ?? [];
      return first === undefined ? undefined : Number(first) === row && Number(second) === column;
    },
    demonstrate: ({ info }, action) =>
      `{"player": [${info.player.join(', ')}], "action": ${JSON.stringify(words[action[0] ?? 0])}}`,
  };
}
