/** What is kept of environments, schemes and wrappers, apart from how it is found. */
import type { AnyEnv, Awaitable } from '../env.js';
import type { EnvWrapper } from '../wrappers/pipe.js';
import type { EnvDeclaration } from './packages/declaration.js';
import type { PlayStage } from './play-stage.js';
import type { EnvSpec } from './spec/spec.js';

/** Builds the environment; `options` are the spec's, with `renderMode` if one is requested. */
// biome-ignore lint/suspicious/noExplicitAny: every environment has its own options; they are checked by its constructor
export type EntryPoint = (options: any) => Awaitable<AnyEnv>;

/** @param env  What the entry point made, without wrappers. */
// biome-ignore lint/suspicious/noExplicitAny: every environment has its own class
export type OpenStage = (env: any) => Awaitable<PlayStage>;

export interface EnvRegistration extends EnvSpec, EnvDeclaration {
  readonly entryPoint: EntryPoint;
  /**
   * Options that a file from somebody else may set, e.g. a shared recording that is replayed. Default: all options. In
   * either case their names and values must not stand for a program, code, a place or an address
   * (`makeFromUntrustedSpec`).
   */
  readonly fileOptions?: readonly string[] | undefined;
  /** Opens the page that the environment is, for people who play it; left out, pictures and text are shown. */
  readonly openStage?: OpenStage | undefined;
}

export interface EnvScheme {
  /** Lower-case letters and digits, e.g. `openenv`. */
  readonly scheme: string;
  /** @param rest  What follows the colon. @returns The registration of exactly this id. */
  readonly find: (id: string, rest: string) => EnvRegistration;
}

/** From the options of a `WrapperSpec` to the wrapper. */
// biome-ignore lint/suspicious/noExplicitAny: every wrapper has its own options and environment types
export type WrapperFactory = (options: any) => EnvWrapper<any, any>;

export interface GymWarning {
  /** Stable, upper-case identifier, e.g. `OLD_ENV_VERSION`. */
  readonly code: string;
  readonly message: string;
}

export type WarningSink = (warning: GymWarning) => void;

/** Number of compared and of equal values of one kind. */
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
  /** The parts of the original that are not installed; `undefined` if nothing is missing. */
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
