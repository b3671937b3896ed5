/** Errors of agents before their first turn; later failures are data in a turn. */
import { environmentSecrets, GymError, redactSecrets, show } from '@vlgym/core';
import type { BoundaryError, ErrorBoundary } from './agent.js';

/** The agent needs a dialogue, and the environment has none. */
export class NoDialogueError extends GymError {
  constructor(readonly env: string | undefined) {
    super(`${env ?? 'This environment'} has no \`dialogue\`, so a language model cannot play it.`, {
      code: 'NO_DIALOGUE',
      value: env,
      hint: 'use an agent that needs no dialogue (random, oracle, human), or add a dialogue to the environment',
    });
  }
}

/** The environment has no expert. */
export class NoOracleError extends GymError {
  constructor(readonly env: string | undefined) {
    super(`${env ?? 'This environment'} has no \`oracle()\`.`, {
      code: 'NO_ORACLE',
      value: env,
      hint: 'use another agent, or an environment with an `oracle`',
    });
  }
}

/** Not a model object of the AI SDK. */
export class InvalidModelError extends GymError {
  constructor(value: unknown) {
    super(`Invalid model: ${show(value)}.`, {
      code: 'INVALID_MODEL',
      value,
      expected: 'a model object of the AI SDK (specificationVersion v2, v3 or v4), or "provider/model" for its gateway',
    });
  }
}

/** A package that only some agents need is not installed. */
export class MissingPackageError extends GymError {
  constructor(
    readonly packageName: string,
    cause: unknown,
  ) {
    super(`This agent needs the package "${packageName}".`, {
      code: 'MISSING_PACKAGE',
      value: packageName,
      hint: `run \`npm install ${packageName}\``,
      cause,
    });
  }
}

/** An agent failed, and the caller asked to stop at the first failure. */
export class AgentFailedError extends GymError {
  constructor(
    readonly episode: string,
    readonly failure: BoundaryError,
    cause: unknown,
  ) {
    super(`The agent failed in ${episode}: ${failure.message}`, { code: failure.code, value: episode, cause });
  }
}

/** A folder for a new recording contains episodes already. */
export class FolderUsedError extends GymError {
  constructor(
    readonly folder: string,
    readonly count: number,
  ) {
    super(`The folder ${folder} has ${count} recorded episode${count === 1 ? '' : 's'}.`, {
      code: 'FOLDER_USED',
      value: folder,
      expected: 'an empty or new folder',
      hint: 'choose another folder, or resume this one',
    });
  }
}

const SETUP_CODES: readonly string[] = [
  'NO_DIALOGUE',
  'NO_ORACLE',
  'INVALID_MODEL',
  'INVALID_OPTION',
  'UNKNOWN_OPTION',
  'MISSING_PACKAGE',
];

/** True for errors of setup: this agent cannot play this environment with any seed. */
export function isSetupError(error: unknown): boolean {
  if (!GymError.isInstance(error)) return false;
  return SETUP_CODES.includes(error.code) || (error as { readonly isSetup?: unknown }).isSetup === true;
}

const MAX_MESSAGE_LENGTH = 2000;

/**
 * Any thrown value as data, its message bounded and without secrets; never throws.
 *
 * @param secrets  Known secrets; others are recognized by their shape.
 */
export function toBoundaryError(
  error: unknown,
  boundary: ErrorBoundary,
  secrets: readonly string[] = [],
): BoundaryError {
  const text = error instanceof Error ? String(error.message) : show(error);
  // redact before cutting: half a key no longer has a recognizable shape
  const message = redactSecrets(text.slice(0, 50 * MAX_MESSAGE_LENGTH), [...secrets, ...environmentSecrets()]);
  const code = GymError.isInstance(error) ? error.code : `${boundary.toUpperCase()}_FAILED`;
  return { boundary, code, message: message.slice(0, MAX_MESSAGE_LENGTH) };
}
