/** Errors of cassettes. Both say that no episode can be played as it was recorded, so an evaluation rejects with them. */
import { GymError } from '@vlgym/core';

/** A call that was not recorded, where only recorded ones may be answered. */
export class CassetteMissError extends GymError {
  /** Another request would meet it, too: it ends an evaluation, not an episode. */
  readonly isSetup = true;

  /** @param stale  The entries that nobody has asked for, in a few words each. */
  constructor(
    readonly file: string,
    name: string,
    about: string,
    readonly stale: readonly string[],
  ) {
    const known = stale.length === 0 ? '' : ` Not asked for so far: ${stale.slice(0, 3).join('; ')}.`;
    super(`${file} has no answer of ${name} to: ${about}${known}`, {
      code: 'CASSETTE_MISS',
      value: about,
      expected: 'a call that was recorded',
      hint: "a call is known by the model, its whole prompt, tools and settings: if one of them changed, or the call is new, run once with `record: 'new'`, where the model can be reached, and commit the file",
    });
  }
}

/** A file that is not a cassette. */
export class CassetteInvalidError extends GymError {
  readonly isSetup = true;

  constructor(file: string, line: number, why: string) {
    super(`${file}, line ${line}: ${why}.`, {
      code: 'CASSETTE_INVALID',
      value: line,
      expected: 'a file that a cassette wrote',
      hint: "remove it and record it again with `record: 'new'`",
    });
  }
}
