/** Goal, rules and score of each puzzle in plain sentences, for people. */
import type { FrozenLakeOptions } from '../lake/frozen-lake-env.js';

export const SOKOBAN_GUIDE = {
  goal: 'Push every box onto a target.',
  rules:
    'The arrow keys walk and push: a box moves when you walk against it and the cell behind it is free. It can never be pulled, so a box in a corner stays there. "Move" walks without pushing.',
  score: 'Each step costs 0.1. A box on a target gains 1, one that leaves it loses 1, and the last one gains 10.',
};

const LAKE_GOAL = 'Cross the frozen lake from the start to the goal.';

export function lakeGuide({ isSlippery = true }: Pick<FrozenLakeOptions, 'isSlippery'> = {}) {
  return {
    goal: LAKE_GOAL,
    rules: isSlippery
      ? 'Walk left, down, right or up. The ice is slippery: a step may carry you to either side instead. Holes end the episode.'
      : 'Walk left, down, right or up. Holes end the episode.',
    score: 'The goal gains 1, everything else nothing.',
  };
}

const lists = (most: string) => `A turn is a list of up to ${most} moves: left, down, right, up.`;

export const VAGEN_SOKOBAN_GUIDE = {
  goal: SOKOBAN_GUIDE.goal,
  rules: `${lists('three')} A box moves when you walk against it and the cell behind it is free; it can never be pulled.`,
  score: 'A turn in the right form gains 0.1, success gains 1.',
};

export const VAGEN_LAKE_GUIDE = {
  goal: LAKE_GOAL,
  rules: `${lists('five')} Holes end the episode.`,
  score: 'A turn in the right form gains 0.02, success gains 1.',
};
