/** Errors of datasets; each names the file, and the line or row where one is at fault. */
import { GymError } from '@vlgym/core';

const LAYOUT =
  'TRL\'s layout: `messages`, or `prompt` with `completion`; pictures in `images`, one for each part `{ "type": "image" }`';

/** A row does not fit the layout, or exceeds a limit. */
export class DatasetRowError extends GymError {
  constructor(
    /** File with line or row. */
    readonly place: string,
    readonly problem: string,
    cause?: unknown,
  ) {
    super(`${place}: ${problem}.`, {
      code: 'DATASET_ROW',
      value: place,
      expected: LAYOUT,
      hint: 'correct the row, or leave such rows out with `onInvalid: "skip"` (`--skip-invalid`)',
      cause,
    });
  }
}

/** A file cannot be read as a dataset at all. */
export class DatasetFileError extends GymError {
  constructor(
    readonly file: string,
    problem: string,
    cause?: unknown,
  ) {
    super(`Cannot read ${file}: ${problem}.`, {
      code: 'DATASET_FILE',
      value: file,
      expected: 'a folder of recorded episodes, a .jsonl or a .parquet file',
      cause,
    });
  }
}
