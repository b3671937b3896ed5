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

/** Waits for work that may fail or never end. @returns Whether it succeeded in time. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  const ended = await Promise.race([done, late]);
  clearTimeout(timer);
  return ended;
}
