/** Errors about the pages of MiniWoB++. */
import { GymError } from '@vlgym/core';

const HINT =
  'type `npx vlgym miniwob setup`, which fetches them with pip (2 MB), or set VLGYM_MINIWOB_HTML to the folder html of the Python package miniwob';

/** The pages are not on this machine. */
export class MiniWoBPagesMissingError extends GymError {
  constructor(folder: string, file?: string) {
    super(file === undefined ? `The pages of MiniWoB++ are not in ${folder}.` : `${folder} has no ${file}.`, {
      code: 'MINIWOB_PAGES_MISSING',
      value: folder,
      expected: 'the folder html of the Python package miniwob 1.1.0',
      hint: HINT,
    });
  }
}

/** A page did not begin its episode, or its answer is not one. */
export class MiniWoBPageError extends GymError {
  constructor(task: string, problem: string, cause?: unknown) {
    super(`The page of ${task} ${problem}.`, {
      code: 'MINIWOB_PAGE_FAILED',
      value: task,
      expected: 'a page of miniwob 1.1.0 that begins within a second of its clock',
      hint: 'type `npx vlgym miniwob setup --force` to fetch the pages again',
      cause,
    });
  }
}
