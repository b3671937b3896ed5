/** Goal, rules and score of each puzzle in plain sentences, for people. The terminal shows boards in letters: `renderMode: 'ansi'`. */
import type { FrozenLakeOptions } from '../lake/frozen-lake-env.js';

interface Shown {
  readonly renderMode?: unknown;
}

const SOKOBAN_LETTERS = ' In letters: # wall, _ floor, O target, X box, √ box on a target, P you, S you on a target.';
const SOKOBAN_GOAL = 'Push every box onto a target.';

export const sokobanGuide = ({ renderMode }: Shown) => ({
  goal: SOKOBAN_GOAL,
  rules:
    'The arrow keys walk and push: a box moves when you walk against it and the cell behind it is free. It can never be pulled, so a box in a corner stays there. "Move" walks without pushing.' +
    (renderMode === 'ansi' ? SOKOBAN_LETTERS : ''),
  score: 'Each step costs 0.1. A box on a target gains 1, one that leaves it loses 1, and the last one gains 10.',
});

const LAKE_GOAL = 'Cross the frozen lake from the start to the goal.';

export function lakeGuide({ isSlippery = true, renderMode }: Pick<FrozenLakeOptions, 'isSlippery'> & Shown) {
  const letters = renderMode === 'ansi' ? ' In letters: S start, F ice, H hole, G goal; your cell is red.' : '';
  return {
    goal: LAKE_GOAL,
    rules: isSlippery
      ? `Walk left, down, right or up. The ice is slippery: a step may carry you to either side instead. Holes end the episode.${letters}`
      : `Walk left, down, right or up. Holes end the episode.${letters}`,
    score: 'The goal gains 1, everything else nothing.',
  };
}

const lists = (most: string) => `A turn is a list of up to ${most} moves: left, down, right, up.`;

export const VAGEN_SOKOBAN_GUIDE = {
  goal: SOKOBAN_GOAL,
  rules: `${lists('three')} A box moves when you walk against it and the cell behind it is free; it can never be pulled.${SOKOBAN_LETTERS}`,
  score: 'A turn in the right form gains 0.1, success gains 1.',
};

export const VAGEN_LAKE_GUIDE = {
  goal: LAKE_GOAL,
  rules: `${lists('five')} Holes end the episode. In letters: _ ice, O hole, G goal, P you.`,
  score: 'A turn in the right form gains 0.02, success gains 1.',
};

export const BABA_GUIDE = {
  goal: 'Reach what wins.',
  rules:
    'The arrow keys walk whatever is "you", and push blocks with words. Three words in a row, across or down, are a rule: "baba is you", "wall is stop", "key is win". Push words to break rules and to write others. If nobody is "you" any more, the level starts again.',
  score: 'Winning gains 1, less 0.009 for every step; all else gains nothing.',
};
