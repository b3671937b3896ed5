/** Errors in game files: they name the file, the part of it, and the offending value. */
import { GymError, type GymErrorOptions } from '@vlgym/core';

export type GameFileErrorCode = 'INVALID_GAME' | 'UNSUPPORTED_PDDL' | 'INVALID_GRAMMAR' | 'UNSOLVABLE_GAME';

export interface GameFileErrorOptions extends Omit<GymErrorOptions, 'code'> {
  readonly code?: GameFileErrorCode | undefined;
  /** Path or name of the game, if known. */
  readonly file?: string | undefined;
}

/**
 * A game cannot be loaded or written: its file is not JSON, a part is missing, or it has an unsupported PDDL construct.
 * `code` gives the kind, `file` the game, `value` the offending part.
 */
export class GameFileError extends GymError {
  readonly file?: string;
  readonly #message: string;
  readonly #options: GameFileErrorOptions;

  constructor(message: string, options: GameFileErrorOptions = {}) {
    const { code = 'INVALID_GAME', file, ...rest } = options;
    super(file === undefined ? message : `${file}: ${message}`, { code, ...rest });
    if (file !== undefined) this.file = file;
    this.#message = message;
    this.#options = options;
  }

  /** The same error with the name of its file. */
  in(file: string): GameFileError {
    return this.file === undefined ? new GameFileError(this.#message, { ...this.#options, file, cause: this }) : this;
  }
}

/** A PDDL construct that ALFWorld's domain does not need; `value` names it. */
export function unsupportedPddl(construct: string, where: string): GameFileError {
  return new GameFileError(`The PDDL construct "${construct}" in ${where} is not supported.`, {
    code: 'UNSUPPORTED_PDDL',
    value: construct,
    expected: 'and, or, not, imply, exists, forall, when, =, declared predicates, increase in effects',
    hint: 'play the game with the Python package, or leave the construct out of its domain',
  });
}
