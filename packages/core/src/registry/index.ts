/** From ids to environments. */
export { InvalidRegistrationError } from './check-registration.js';
export * from './closest.js';
export * from './declaration.js';
export * from './errors.js';
export * from './id.js';
export { importModule } from './import-module.js';
export { type DeclaredEnv, declaredEnvironments, installedEnvironments } from './installed-packages.js';
export * from './known-envs.js';
export * from './make.js';
export type { MakeOptions } from './make-options.js';
export * from './names.js';
export type { PlayStage } from './play-stage.js';
export * from './register.js';
export { registerScheme } from './scheme.js';
export * from './spec.js';
export * from './spec-json.js';
export type {
  Agreement,
  EntryPoint,
  EnvRegistration,
  EnvScheme,
  GymWarning,
  OpenStage,
  OriginalSetup,
  Verification,
  VerificationExtent,
  VerificationReport,
  Verifier,
  WarningSink,
  WrapperFactory,
} from './types.js';
export { makeFromUntrustedSpec, UntrustedSpecError, type UntrustedSpecOptions } from './untrusted-spec.js';
export { registeredVerifiers, registerVerifier } from './verifier.js';
export { setWarningSink, warn } from './warn.js';
export { registerWrapper } from './wrapper-registry.js';
