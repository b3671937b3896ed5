/** From ids to environments. */
export { InvalidRegistrationError } from './check-registration.js';
export * from './closest.js';
export * from './errors.js';
export { guideOf } from './guide.js';
export * from './id.js';
export * from './known-envs.js';
export * from './make.js';
export type { MakeOptions } from './make-options.js';
export * from './names.js';
export * from './packages/declaration.js';
export { importModule } from './packages/import-module.js';
export { type DeclaredEnv, declaredEnvironments, installedEnvironments } from './packages/installed-packages.js';
export type { PlayStage } from './play-stage.js';
export * from './register.js';
export { registerScheme } from './scheme.js';
export * from './spec/spec.js';
export * from './spec/spec-json.js';
export { makeFromUntrustedSpec, UntrustedSpecError, type UntrustedSpecOptions } from './spec/untrusted-spec.js';
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
export { registeredVerifiers, registerVerifier } from './verifier.js';
export { setWarningSink, warn } from './warn.js';
export { registerWrapper } from './wrapper-registry.js';
