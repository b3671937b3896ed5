/** Prompts and responses of EZPoints and Points24, and an expert's responses as labels. */
import { type Dialogue, type PromptContext, parseResponse } from '@vlgym/core';
import type { FormulaEntry } from '../formula/values.js';
import type { PointsInfo } from '../games/info.js';
import type { ObservationKind } from '../games/observations.js';
import type { PointsGame } from '../games/points-game.js';
import { checkPoints } from './points-check.js';
import { planOf } from './points-plan.js';
import { type DialogueOptions, listChoices, shower, userTurn, versionOf, writeForm, writeJson } from './style.js';

type Context = PromptContext<unknown, number, PointsInfo>;

/** The prompt and the response of one style. */
interface PointsStyle {
  /** JSON keys before `action`, in order. */
  readonly keys: readonly string[];
  ask(info: PointsInfo): string;
  /** Values of `keys` in an expert's response. */
  answer(info: PointsInfo, entry: FormulaEntry): readonly unknown[];
}

/** @param entries  The entry that each action appends. */
export function pointsDialogue(
  game: PointsGame,
  entries: readonly FormulaEntry[],
  { style = 'rl4vlm-v1', actionOnly = false, observation: kind = 'image' }: DialogueOptions,
): Dialogue<unknown, number, PointsInfo> {
  const actions = entries.map(String);
  const styles = { 'rl4vlm-v1': rl4vlm, 'vl-dac-v1': vlDac, 'compact-v1': compact };
  const { keys, ask, answer } = styles[style](game, actions, actionOnly, kind);
  const requiredKeys = actionOnly ? [] : keys;
  const isAvailable = ({ info }: Context) => {
    return (action: number) => !game.rules.illegality(info.Numbers, info.Formula, entries[action]!);
  };
  return {
    version: versionOf(`${game.name}/${style}`, kind),
    prompt: ({ observation, info }) => userTurn(observation, ask(info)),
    parse: (text, context) =>
      parseResponse(text, { actions, requiredKeys, ...(context && { isAvailable: isAvailable(context) }) }),
    ...(!actionOnly && { check: (said: string, info: PointsInfo) => checkPoints(game, style, said, info) }),
    demonstrate({ info }, action) {
      const values = actionOnly ? [] : answer(info, entries[action]!);
      return writeJson([...values.map((value, i) => [keys[i]!, value] as const), ['action', actions[action]]]);
    },
  };
}

/** Letters for the cards, as in `[x, y]`. */
const LETTERS = ['x', 'y', 'z', 'w'];

function rl4vlm(game: PointsGame, actions: readonly string[], actionOnly: boolean, kind: ObservationKind): PointsStyle {
  const { target, handSize } = game;
  return {
    keys: ['cards', 'current formula', 'thoughts'],
    ask({ Formula }) {
      const formula = Formula.join('');
      const form: (readonly [string, string])[] = [
        ['cards', `[${LETTERS.slice(0, handSize).join(', ')}]`],
        ['current formula', JSON.stringify(formula)],
        [
          'thoughts',
          `"{Check first whether the formula is complete and equals ${target}. If it does, the action is '='. ` +
            'If not, think about what to append next.}"',
        ],
        ['action', '"{one of the choices}"'],
      ];
      return [
        `You are an expert card player. ${tableWords(game, kind)} The formula so far is "${formula}".`,
        `Append one item to it. Your choices are ${listChoices(actions)}.`,
        `${countingWords(game)} Use the number of each card exactly once. ` +
          `The aim is a formula that equals ${target}, ended by '='.`,
        `Answer with one valid JSON object in this form and nothing else:\n${writeForm(actionOnly ? form.slice(-1) : form)}`,
      ].join('\n');
    },
    answer: (info, entry) => [info.Cards.map(rankWord), info.Formula.join(''), thoughts(game, info, entry)],
  };
}

function vlDac(game: PointsGame, actions: readonly string[], actionOnly: boolean, kind: ObservationKind): PointsStyle {
  const { target, handSize } = game;
  const shape = ['x', 'p', 'y', 'q', 'z', 'r', 'w'].slice(0, 2 * handSize - 1).join(' ');
  const form: (readonly [string, string])[] = [
    ['thoughts', '"{what you see and plan}"'],
    ['action', '"{one of the choices}"'],
  ];
  return {
    keys: ['thoughts'],
    ask({ Formula }) {
      const formula = Formula.join('');
      // A number after a digit would only extend it.
      const choices = /\d$/.test(formula) ? actions.filter((action) => !/^\d/.test(action)) : actions;
      return [
        `${tableWords(game, kind)} ${countingWords(game)}`,
        formula === '' ? 'This is the first step: the formula is empty.' : `The formula so far is "${formula}".`,
        `Choose what to append: ${listChoices(choices)}. In the end the formula should read like ${shape} = ${target}, ` +
          `with the number of every card once and operations of your choice.`,
        `Answer with an object like this:\n${writeForm(actionOnly ? form.slice(-1) : form)}`,
      ].join('\n');
    },
    answer: (info, entry) => [thoughts(game, info, entry)],
  };
}

/** A minimal prompt; a small model learns the rest from examples. */
function compact(game: PointsGame, _actions: readonly string[], actionOnly: boolean): PointsStyle {
  const { target } = game;
  const keys = ['cards', 'formula', 'thoughts'];
  return {
    keys,
    ask: ({ Formula }) =>
      `Make ${target}. Formula: "${Formula.join('')}". JSON keys: ${[...(actionOnly ? [] : keys), 'action'].join(', ')}.`,
    answer: (info, entry) => [info.Numbers, info.Formula.join(''), shortThought(game, info, entry)],
  };
}

function tableWords({ name, target }: PointsGame, kind: ObservationKind): string {
  return name === 'ezpoints'
    ? `${shower(kind)} two cards of a game in which they must make ${target}.`
    : `${shower(kind)} the four cards of a game of ${target}.`;
}

function countingWords({ numberOf }: PointsGame): string {
  return numberOf('HK') === 10
    ? "'J', 'Q' and 'K' count as 10, 'A' counts as 1."
    : "'J', 'Q' and 'K' count as 11, 12 and 13, 'A' counts as 1.";
}

/** `10` for a ten, otherwise the character on the card. */
const rankWord = (card: string): string => (card.endsWith('T') ? '10' : card.slice(1));

function thoughts(game: PointsGame, info: PointsInfo, entry: FormulaEntry): string {
  const { target } = game;
  const formula = info.Formula.join('');
  const cards = `The cards are ${info.Cards.map(rankWord).join(', ')} and count as ${info.Numbers.join(', ')}.`;
  const state = formula === '' ? 'The formula is empty.' : `The formula is ${formula}.`;
  const move = entry === '=' ? "I end with '='" : `I append '${entry}'`;
  const plan = planOf(game, info, entry);
  switch (plan.kind) {
    case 'complete':
      return `${cards} ${state} It uses every card and equals ${target}, so ${move}.`;
    case 'leads':
      return `${cards} ${state} It can become ${plan.text}, which equals ${target}, so ${move}.`;
    case 'lost':
      return entry === '='
        ? `${cards} ${state} No formula that begins like this equals ${target}, so ${move}.`
        : `${cards} ${state} It cannot reach ${target} any more. ${move}.`;
    case 'aside':
      return `${cards} ${state} ${move}.`;
  }
}

/** The planned formula, such as `4+8=12`, or `none`. */
function shortThought(game: PointsGame, info: PointsInfo, entry: FormulaEntry): string {
  const plan = planOf(game, info, entry);
  if (plan.kind === 'complete') return `${info.Formula.join('').trim()}=${game.target}`;
  return plan.kind === 'leads' ? `${plan.text.trim()}=${game.target}` : 'none';
}
