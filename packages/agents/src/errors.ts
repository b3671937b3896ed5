/** What can be wrong with an agent before it has said a word; what goes wrong later is data in a turn. */
import { environmentSecrets, GymError, redactSecrets, show } from '@vlgym/core';
import type { BoundaryError, ErrorBoundary } from './agent.js';

/** The agent speaks, and the environment has no dialogue to speak with. */
export class NoDialogueError extends GymError {
  constructor(readonly env: string | undefined) {
    super(`${env ?? 'This environment'} has no \`dialogue\`, so a language model cannot play it.`, {
      code: 'NO_DIALOGUE',
      value: env,
      hint: 'use an agent without words (random, oracle, human), or add a dialogue to the environment',
    });
  }
}

/** The expert was asked where there is none. */
export class NoOracleError extends GymError {
  constructor(readonly env: string | undefined) {
    super(`${env ?? 'This environment'} has no \`oracle()\`.`, {
      code: 'NO_ORACLE',
      value: env,
      hint: 'use another agent, or an environment that knows its expert',
    });
  }
}

/** Not a model object of the AI SDK. */
export class InvalidModelError extends GymError {
  constructor(value: unknown) {
    super(`A language model was expected, not ${show(value)}.`, {
      code: 'INVALID_MODEL',
      value,
      expected: 'a model object of the AI SDK (specificationVersion v2, v3 or v4), e.g. `openai("gpt-…")`',
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

const SETUP_CODES: readonly string[] = [
  'NO_DIALOGUE',
  'NO_ORACLE',
  'INVALID_MODEL',
  'INVALID_OPTION',
  'MISSING_PACKAGE',
];

/** This agent can never play here, whatever the seed: a mistake of the caller, not an event of one episode. */
export function isSetupError(error: unknown): boolean {
  return GymError.isInstance(error) && SETUP_CODES.includes(error.code);
}

const LONGEST_MESSAGE = 2000;

/**
 * Any thrown value as data, its message bounded and without secrets; never throws.
 *
 * @param secrets  Those that are known; others go by their shape.
 */
export function toBoundaryError(
  error: unknown,
  boundary: ErrorBoundary,
  secrets: readonly string[] = [],
): BoundaryError {
  const text = error instanceof Error ? String(error.message) : show(error);
  // before the cut: half a key is no shape any more
  const message = redactSecrets(text.slice(0, 50 * LONGEST_MESSAGE), [...secrets, ...environmentSecrets()]);
  const code = GymError.isInstance(error) ? error.code : `${boundary.toUpperCase()}_FAILED`;
  return { boundary, code, message: message.slice(0, LONGEST_MESSAGE) };
}
