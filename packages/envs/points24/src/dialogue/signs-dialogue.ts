/** Prompts and responses of Signs. A compact response states only what is visible, not which sign is right. */
import { type Dialogue, parseResponse, thoughtEntries } from '@vlgym/core';
import { SIGNS, type SignsInfo } from '../games/info.js';
import type { ObservationKind } from '../games/observations.js';
import type { TargetPlace } from '../games/options.js';
import { allRight, type Claim, cardValues, entryClaim, isSameList, named, thoughtOf } from './claims.js';
import { type DialogueOptions, listChoices, shower, userTurn, versionOf, writeForm, writeJson } from './style.js';

export function signsDialogue(
  handSize: number,
  { style = 'rl4vlm-v1', actionOnly = false, observation: kind = 'image' }: DialogueOptions,
  targetIn: TargetPlace = 'text',
): Dialogue<unknown, number, SignsInfo> {
  const isCompact = style === 'compact-v1';
  const keys = actionOnly ? [] : isCompact ? ['cards'] : ['cards', 'thoughts'];
  const ask = isCompact ? askShortly : askInWords;
  return {
    version: versionOf(targetIn === 'text' ? `signs/${style}` : `signs/${style}/target-in-picture`, kind),
    prompt: ({ observation, info }) => userTurn(observation, ask(info, [...keys, 'action'], handSize, targetIn, kind)),
    parse: (text) => parseResponse(text, { actions: [...SIGNS], requiredKeys: keys }),
    ...(!actionOnly && { check }),
    demonstrate({ info }, action) {
      const values: Readonly<Record<string, unknown>> = {
        cards: info.Numbers,
        thoughts: `The cards count as ${info.Numbers.join(', ')} and must make ${info.Target}, so I place ${SIGNS[action]}.`,
        action: SIGNS[action]!,
      };
      return writeJson([...keys, 'action'].map((key) => [key, values[key]] as const));
    },
  };
}

function askShortly(
  { Target, Signs }: SignsInfo,
  keys: readonly string[],
  _: number,
  targetIn: TargetPlace,
  kind: ObservationKind,
): string {
  const target = targetIn === 'text' ? Target : `the target ${kind === 'text' ? 'above' : 'in the picture'}`;
  return `Make ${target}. Formula: "${Signs.join('')}". JSON keys: ${keys.join(', ')}.`;
}

function askInWords(
  { Target, Signs }: SignsInfo,
  keys: readonly string[],
  handSize: number,
  targetIn: TargetPlace,
  kind: ObservationKind,
): string {
  const target =
    targetIn === 'text' ? Target : `the target that the ${kind === 'text' ? 'text above' : 'picture'} shows`;
  const forms: Readonly<Record<string, string>> = {
    cards: `[${['x', 'y', 'z', 'w'].slice(0, handSize).join(', ')}]`,
    thoughts: '"{read the cards, then think about which sign makes the target}"',
    action: '"{one of the choices}"',
  };
  return [
    `${shower(kind)} ${handSize} cards in a row. 'A' counts as 1; 'J', 'Q' and 'K' count as 11, 12 and 13.`,
    `Put a sign between each two neighbors so that the row equals ${target}; '*' binds first.`,
    Signs.length === 0 ? 'No sign is placed yet.' : `Signs placed so far, from the left: ${listChoices(Signs)}.`,
    `Choose the next sign: ${listChoices(SIGNS)}.`,
    `Answer with one valid JSON object in this form and nothing else:\n${writeForm(keys.map((key) => [key, forms[key]!] as const))}`,
  ].join('\n');
}

/** The cards from the left, and in a sentence the target too. */
function check(said: string, { Numbers, Target }: SignsInfo): Claim {
  const entries = thoughtEntries(said);
  const thought = thoughtOf(entries);
  const row = (given: unknown) => isSameList(cardValues(given, rankValue), Numbers);
  const counted = cardValues(named(thought, 'cards count as ', [' and ', '.']), rankValue);
  const [, target] = /must make (-?\d+)/i.exec(thought) ?? [];
  return allRight([
    entryClaim(entries, 'cards', row),
    counted === undefined ? undefined : isSameList(counted, Numbers),
    target === undefined ? undefined : Number(target) === Target,
  ]);
}

const rankValue = (rank: string): number => ({ A: 1, J: 11, Q: 12, K: 13 })[rank] ?? Number(rank);
