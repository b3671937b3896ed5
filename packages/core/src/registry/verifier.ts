/**
 * Verifiers: what plays fresh episodes in an environment and in its original, and counts what agrees.
 *
 * A package registers its own when it is imported, so `vlgym verify` needs no list. The code behind it is loaded only when
 * somebody verifies. `@vlgym/core/verification` has what most verifiers need: the original's Python and a tally.
 */
import type { Awaitable } from '../env.js';
import { RegistrationError } from './errors.js';
import { registryState } from './state.js';

/** How many of what agreed. */
export interface Agreement {
  /** What is compared, e.g. `rewards`. */
  readonly what: string;
  readonly agreed: number;
  readonly compared: number;
  /** Share that must agree; default 1. Less only where the originals' values are rounded, e.g. pixels. */
  readonly needed?: number | undefined;
  /** The first difference, in words: where, ours, the original's. */
  readonly first?: string | undefined;
}

export interface VerificationExtent {
  readonly episodes: number;
  /** Seed of the first episode. */
  readonly seed: number;
  /** Ends the comparison after the current episode. */
  readonly signal?: AbortSignal | undefined;
}

export interface VerificationReport {
  readonly agreements: readonly Agreement[];
  /** What could not be compared here, and why. */
  readonly notes?: readonly string[] | undefined;
}

export interface OriginalSetup {
  /** Interpreter to build on; default: `python3` on the path. */
  readonly python?: string | undefined;
  /** Receives the installer's output line by line. */
  readonly onProgress?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Verification {
  /** What of the original is not installed; `undefined` if nothing is missing. */
  missing(): Awaitable<string | undefined>;
  /** Installs the original into the cache of this user. */
  setup(options: OriginalSetup): Promise<void>;
  compare(extent: VerificationExtent): Promise<VerificationReport>;
}

export interface Verifier {
  /** As in `vlgym verify NAME`: lower-case letters, digits, hyphens. */
  readonly name: string;
  /** One sentence: what plays in both, and what must be equal. */
  readonly description: string;
  load(): Promise<Verification>;
}

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
