/** Which stage shows which environment. Others have their messages and pictures. */
import { board } from './board.js';
import { cards } from './cards.js';
import { commands } from './commands.js';
import { grid } from './grid.js';
import { shop } from './shop.js';
import type { Stage } from './stage.js';

interface Registered {
  /** Matches ids of environments. */
  readonly id: RegExp;
  readonly draws: Stage;
  /** Only for observations without a picture. */
  readonly words: boolean;
}

const STAGES: readonly Registered[] = [
  { id: /^(?:vlgym|gym_cards)\/(?:NumberLine|EZPoints|Points24|Blackjack)-/, draws: cards, words: false },
  { id: /^(?:vlgym\/WebShop-|webshop\/WebAgentText)/, draws: shop, words: true },
  { id: /^(?:vlgym\/ALFWorld-|alfworld\/)/, draws: commands, words: true },
  { id: /^(?:MiniGrid|BabyAI)-/, draws: grid, words: true },
  { id: /(?:Sokoban|FrozenLake)/, draws: board, words: true },
];

export function stageOf(environment: string | undefined, hasPictures: boolean): Stage | undefined {
  if (environment === undefined) return undefined;
  return STAGES.find(({ id, words }) => id.test(environment) && !(words && hasPictures))?.draws;
}
