/** Blackjack in words, for people: what is seen of a hand, and how it ended. */
import { type BlackjackCard, BUST_ABOVE, cardName, isSoft, score, total } from '../games/blackjack-hand.js';
import { spokenCard, spokenCards } from './card-words.js';

interface Hands {
  readonly dealer: readonly BlackjackCard[];
  readonly player: readonly BlackjackCard[];
}

/** Without the dealer's hidden card. */
export function handsWords({ dealer, player }: Hands): string {
  const ace = isSoft(player) ? ', where an ace counts 11' : '';
  return (
    `You have ${spokenCards(player.map(cardName))}. Your total is ${total(player)}${ace}. ` +
    `The dealer shows the ${spokenCard(cardName(dealer[0]!))}; the other card is hidden.`
  );
}

export function endWords({ dealer, player }: Hands): string {
  const own = total(player);
  const shown = `The dealer has ${spokenCards(dealer.map(cardName))}: ${total(dealer)}.`;
  if (own > BUST_ABOVE) return `Your total is ${own}, above ${BUST_ABOVE}: bust. ${shown}`;
  const difference = score(player) - score(dealer);
  const verdict =
    difference === 0
      ? 'A draw.'
      : difference < 0
        ? 'The dealer is closer to 21.'
        : score(dealer) === 0
          ? 'The dealer is bust.'
          : 'You are closer to 21.';
  return `Your total is ${own}. ${shown} ${verdict}`;
}
