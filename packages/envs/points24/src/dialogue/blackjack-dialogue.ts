/** Prompts and responses of Blackjack. Without pictures the prompt states the observation in words. */
import { type Dialogue, parseResponse, thoughtEntries } from '@vlgym/core';
import { isSoft, total } from '../games/blackjack-hand.js';
import type { BlackjackInfo, BlackjackObservation } from '../games/info.js';
import { allRight, askedFor, type Claim, thoughtOf } from './claims.js';
import {
  type DialogueOptions,
  type DialogueStyle,
  isImage,
  listChoices,
  shower,
  userTurn,
  versionOf,
  writeForm,
  writeJson,
} from './style.js';

const ACTIONS = ['stand', 'hit'];

const WORDS = {
  'rl4vlm-v1':
    `You are an expert blackjack player. Your choices are ${listChoices(ACTIONS)}.\n` +
    'Answer with one valid JSON object in this form and nothing else:\n',
  'vl-dac-v1':
    'This is a game of blackjack. Come closer to 21 than the dealer without going beyond. ' +
    `Choose one of ${listChoices(ACTIONS)}.\nAnswer with an object like this:\n`,
  'compact-v1': 'Blackjack: stand or hit? ',
} as const;

export function blackjackDialogue({
  style = 'rl4vlm-v1',
  actionOnly = false,
  observation: kind = 'image',
}: DialogueOptions): Dialogue<BlackjackObservation, number, BlackjackInfo> {
  const keys = actionOnly ? [] : ['thoughts'];
  const form: (readonly [string, string])[] = [
    ['thoughts', '"{Describe your total and the dealer\'s first, then decide.}"'],
    ['action', '"{stand or hit}"'],
  ];
  const wanted =
    style === 'compact-v1'
      ? `JSON keys: ${[...keys, 'action'].join(', ')}.`
      : writeForm(actionOnly ? form.slice(-1) : form);
  return {
    version: versionOf(`blackjack/${style}`, kind),
    prompt: ({ observation }) => userTurn(observation, seen(observation, style) + WORDS[style] + wanted),
    parse: (text) => parseResponse(text, { actions: ACTIONS, requiredKeys: keys }),
    ...(!actionOnly && { check: (said: string, info: BlackjackInfo) => check(said, info, style) }),
    demonstrate({ info }, action) {
      const thought = style === 'compact-v1' ? short(info) : thoughts(info, action);
      return writeJson([...keys.map((key) => [key, thought] as const), ['action', ACTIONS[action]]]);
    },
  };
}

function seen(observation: BlackjackObservation, style: DialogueStyle): string {
  if (isImage(observation) || typeof observation === 'string') {
    const kind = isImage(observation) ? 'image' : 'text';
    return style === 'compact-v1' ? '' : `${shower(kind)} your cards and one card of the dealer.\n`;
  }
  const [player, dealer, ace] = observation;
  return `Your total is ${player}${ace ? ' with an ace that counts 11' : ''}; the dealer shows ${cardWord(dealer)}.\n`;
}

const cardWord = (value: number): string => (value === 1 ? 'an ace' : String(value));

/** `16 vs 10`, `soft 17 vs A`. */
function short({ 'Dealer Card': dealer, 'Player Card': player }: BlackjackInfo): string {
  const value = dealer[0]![0];
  return `${isSoft(player) ? 'soft ' : ''}${total(player)} vs ${value === 1 ? 'A' : value}`;
}

function thoughts({ 'Dealer Card': dealer, 'Player Card': player }: BlackjackInfo, action: number): string {
  const playerTotal = `My total is ${total(player)}${isSoft(player) ? ' with an ace that counts 11' : ''}`;
  const decision =
    action === 1
      ? 'another card is worth the risk, so I hit.'
      : 'standing is worth more than another card, so I stand.';
  return `${playerTotal} and the dealer shows ${cardWord(dealer[0]![0])}. On average ${decision}`;
}

/** The player's total and the dealer's card: `soft 17 vs A`, or in a sentence. */
function check(
  said: string,
  { 'Dealer Card': [dealer], 'Player Card': player }: BlackjackInfo,
  style: DialogueStyle,
): Claim {
  const thought = thoughtOf(thoughtEntries(said));
  const [short, soft, sum = '', card = ''] = /\b(soft )?(\d{1,3}) vs (A|\d{1,3})\b/i.exec(thought) ?? [];
  const [, stated] = /\btotal(?: is|:| of)? (\d+)/i.exec(thought) ?? [];
  const [, shown] = /\bdealer (?:shows|has) (?:an? )?(ace|A|\d+)\b/i.exec(thought) ?? [];
  const isTotal = (given: string) => Number(given) === total(player);
  const isDealer = (given: string) => (/^a/i.test(given) ? 1 : Number(given)) === dealer![0];
  const isRight = () => isTotal(sum) && isDealer(card) && (soft !== undefined) === isSoft(player);
  return allRight([
    askedFor(short === undefined ? undefined : isRight(), style),
    stated === undefined ? undefined : isTotal(stated),
    shown === undefined ? undefined : isDealer(shown),
  ]);
}
