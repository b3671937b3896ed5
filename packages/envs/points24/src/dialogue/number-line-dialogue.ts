/** Prompts and responses of NumberLine. */
import { type Dialogue, parseResponse, thoughtEntries } from '@vlgym/core';
import type { NumberLineInfo } from '../games/info.js';
import { allRight, askedFor, type Claim, entryClaim, thoughtOf } from './claims.js';
import {
  type DialogueOptions,
  type DialogueStyle,
  shower,
  userTurn,
  versionOf,
  writeForm,
  writeJson,
} from './style.js';

const ACTIONS = ['-', '+'];
const NUMBERS = ['current number', 'target number'];

const STYLES = {
  'rl4vlm-v1': {
    keys: [...NUMBERS, 'thoughts'],
    words: (shows: string) =>
      `You play a game called number line. ${shows} a target number and a current number. ` +
      'Bring the current number nearer to the target: subtract one from it or add one to it.\n' +
      'Answer with one valid JSON object in this form and nothing else:\n',
  },
  'vl-dac-v1': {
    keys: ['thoughts'],
    words: (shows: string) =>
      `${shows} a target number and a current number. Each action changes the current number by one; ` +
      "'-' makes it smaller, '+' makes it larger. Reach the target.\nAnswer with an object like this:\n",
  },
  'compact-v1': { keys: [...NUMBERS, 'thoughts'], words: () => 'Reach the target with - or +. ' },
} as const;

const FORMS: Readonly<Record<string, string>> = {
  'current number': '"x"',
  'target number': '"y"',
  thoughts: '"{Read both numbers first, then think about which action brings the current number nearer.}"',
  action: '"{- or +}"',
};

export function numberLineDialogue({
  style = 'rl4vlm-v1',
  actionOnly = false,
  observation: kind = 'image',
}: DialogueOptions): Dialogue<unknown, number, NumberLineInfo> {
  const words = STYLES[style].words(shower(kind));
  const keys: readonly string[] = actionOnly ? [] : STYLES[style].keys;
  const allKeys = [...keys, 'action'];
  const form =
    style === 'compact-v1'
      ? `JSON keys: ${allKeys.join(', ')}.`
      : writeForm(allKeys.map((key) => [key, FORMS[key]!] as const));
  return {
    version: versionOf(`numberline/${style}`, kind),
    prompt: ({ observation }) => userTurn(observation, words + form),
    parse: (text) => parseResponse(text, { actions: ACTIONS, requiredKeys: keys }),
    ...(!actionOnly && { check: (said: string, info: NumberLineInfo) => check(said, info, style) }),
    demonstrate({ info }, action) {
      const values: Readonly<Record<string, string>> = {
        'current number': String(info.Current),
        'target number': String(info.Target),
        thoughts: style === 'compact-v1' ? comparison(info) : thoughts(info, action),
        action: ACTIONS[action]!,
      };
      return writeJson(allKeys.map((key) => [key, values[key]] as const));
    },
  };
}

function comparison({ Current, Target }: NumberLineInfo): string {
  return `${Current}${Current < Target ? '<' : Current > Target ? '>' : '='}${Target}`;
}

function thoughts({ Current, Target }: NumberLineInfo, action: number): string {
  const relation = Current < Target ? 'below' : Current > Target ? 'above' : 'already at';
  const move = action === 1 ? 'add one' : 'subtract one';
  return `The current number is ${Current} and the target is ${Target}. ${Current} is ${relation} ${Target}, so I ${move}.`;
}

/** The two numbers as the answer reads them, and how it says they compare. */
function check(said: string, { Current, Target }: NumberLineInfo, style: DialogueStyle): Claim {
  const entries = thoughtEntries(said);
  const thought = thoughtOf(entries);
  const equals = (wanted: number) => (given: unknown) => String(given).trim() === String(wanted);
  const [, first, sign, second] =
    /\b(\d{1,9}) ?(<|>|=|is below|is above|is already at) ?(\d{1,9})\b/i.exec(thought) ?? [];
  const [, current] = /\bcurrent(?: number)?(?: is|:| =)? (\d{1,9})\b/i.exec(thought) ?? [];
  const [, target] = /\btarget(?: number)?(?: is|:| =)? (\d{1,9})\b/i.exec(thought) ?? [];
  const isRight = () =>
    equals(Current)(first) && equals(Target)(second) && COMPARES[sign!.toLowerCase()]!(Current, Target);
  return allRight([
    ...(style === 'vl-dac-v1'
      ? []
      : [entryClaim(entries, 'current number', equals(Current)), entryClaim(entries, 'target number', equals(Target))]),
    current === undefined ? undefined : equals(Current)(current),
    target === undefined ? undefined : equals(Target)(target),
    askedFor(sign === undefined ? undefined : isRight(), style),
  ]);
}

const COMPARES: Readonly<Record<string, (current: number, target: number) => boolean>> = {
  '<': (current, target) => current < target,
  'is below': (current, target) => current < target,
  '>': (current, target) => current > target,
  'is above': (current, target) => current > target,
  '=': (current, target) => current === target,
  'is already at': (current, target) => current === target,
};
