/**
 * Verifiers: what plays fresh episodes in an environment and in its original, and counts what agrees.
 *
 * A package registers its own when it is imported, so `vlgym verify` needs no list. The code behind it is loaded only when
 * somebody verifies. `@vlgym/core/verification` has what most verifiers need: the original's Python and a tally.
 */

import { RegistrationError } from './errors.js';
import { registryState } from './state.js';
import type { Verifier } from './types.js';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** Makes a verifier known. The same name again replaces it: a package may be loaded as ESM and as CommonJS. */
export function registerVerifier(verifier: Verifier): void {
  if (!NAME.test(verifier.name)) {
    throw new RegistrationError(
      String(verifier.name),
      `Invalid name of a verifier: "${verifier.name}".`,
      'lower-case letters, digits and hyphens, beginning with a letter',
    );
  }
  registryState().verifiers.set(verifier.name, verifier);
}

/** All registered verifiers, by name. */
export function registeredVerifiers(): Verifier[] {
  return [...registryState().verifiers.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
