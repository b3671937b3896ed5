/** Pages that crash, close, or never answer. */
import { GymError } from '@vlgym/core';

/** The page or its browser is gone or does not answer; the episode cannot continue. */
export class PageLostError extends GymError {
  constructor(reason: string, cause?: unknown) {
    super(`The page was lost: ${reason}.`, {
      code: 'PAGE_LOST',
      cause,
      hint: 'the episode is truncated; `reset` opens a new page',
    });
  }
}
