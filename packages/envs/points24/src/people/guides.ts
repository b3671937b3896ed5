/** Goal, rules and score of each game in plain sentences; what depends on options is written from them. */
import type { EnvGuide } from '@vlgym/core/registry';
import type {
  BlackjackOptions,
  EZPointsV1Options,
  NumberLineOptions,
  Points24Options,
  Points24V1Options,
  SignsOptions,
} from '../games/options.js';

export function numberLineGuide({ maxPosition = 5 }: NumberLineOptions): EnvGuide {
  return {
    goal: 'Walk along the number line until your number equals the target.',
    rules: `+ adds one to your number and − takes one away. It stays between 0 and ${maxPosition}.`,
    score: 'Reaching the target gives 1. A step that does not bring you closer costs 1.',
  };
}

const FACES = 'J, Q and K count as 10, an ace counts as 1.';

export const ezPointsGuide = ({ target = 12 }: EZPointsV1Options): EnvGuide => ({
  goal: `Write a formula from the two cards that makes ${target}.`,
  rules: `Use the number of each card once, with + or *, and end with =. ${FACES}`,
  score: 'A right formula gives 10, a wrong one costs 1. An entry that is not allowed costs 1 and changes nothing.',
});

export const ezPointsPublishedGuide = (options: EZPointsV1Options): EnvGuide => ({
  ...ezPointsGuide(options),
  score: 'A right formula gives 10, a wrong one costs 1. A number that no card has costs 1 and leaves a blank.',
});

const points24Rules = (faceCardsAsTen: boolean) =>
  'Use the number of each card exactly once, with + - * / and parentheses, and end with =. ' +
  (faceCardsAsTen ? FACES : 'J, Q and K count as 11, 12 and 13, an ace counts as 1.');

export const points24Guide = ({ target = 24, faceCardsAsTen = true }: Points24V1Options): EnvGuide => ({
  goal: `Write a formula from all four cards that makes ${target}.`,
  rules: points24Rules(faceCardsAsTen),
  score: 'A right formula gives 10, a wrong one costs 1. An entry that is not allowed costs 1 and changes nothing.',
});

export const points24PublishedGuide = ({ target = 24, treatFaceCardsAs10 = true }: Points24Options): EnvGuide => ({
  goal: `Write a formula from all four cards that makes ${target}. About one hand in four has no solution.`,
  rules: points24Rules(treatFaceCardsAs10),
  score: 'A right formula gives 10, a wrong one costs 1. A number that no card has costs 1 and leaves a blank.',
});

export function signsGuide({ cards = 2 }: SignsOptions): EnvGuide {
  return {
    goal: 'Place a sign between the cards, so that the row equals the target.',
    rules:
      `Choose +, - or * for ${cards === 2 ? 'the one gap' : `the ${cards - 1} gaps, from the left`}; * is computed first. ` +
      'An ace counts as 1; J, Q and K count as 11, 12 and 13.',
    score: 'Reaching the target gives 10, any other value costs 1.',
  };
}

export function blackjackGuide({ natural = false, sab = false }: BlackjackOptions): EnvGuide {
  return {
    goal: 'Come closer to 21 than the dealer, without going above it.',
    rules:
      'Hit takes another card; stand ends your turn, and the dealer draws up to 17. ' +
      'J, Q and K count as 10, an ace counts as 1 or 11.',
    score: `Winning gives 1${natural && !sab ? ', or 1.5 with an ace and a ten' : ''}, losing costs 1, a draw gives 0.`,
  };
}
