import { GymError } from '@vlgym/core';

/** The game or its browser is gone, does not answer, or did what would make its results depend on the real clock. */
export class GameLostError extends GymError {
  constructor(reason: string, cause?: unknown) {
    super(`The game was lost: ${reason}.`, {
      code: 'GAME_LOST',
      expected: 'a page that answers, without frames and windows of its own',
      cause,
      hint: 'the episode is truncated; `reset` opens a new page',
    });
  }
}

/** The page is not a game as its description says. */
export class GameInvalidError extends GymError {
  constructor(game: string, what: string, value: unknown, expected: string) {
    super(`The game ${game} ${what}.`, {
      code: 'GAME_INVALID',
      value,
      expected,
      hint: 'correct the description of the game, or its page; `errors` of the page are in the value',
    });
  }
}
