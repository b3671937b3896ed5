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
export { type EnvScheme, registerScheme } from './scheme.js';
export * from './spec.js';
export * from './spec-json.js';
export { makeFromUntrustedSpec, UntrustedSpecError, type UntrustedSpecOptions } from './untrusted-spec.js';
export {
  type Agreement,
  type OriginalSetup,
  registeredVerifiers,
  registerVerifier,
  type Verification,
  type VerificationExtent,
  type VerificationReport,
  type Verifier,
} from './verifier.js';
export { type GymWarning, setWarningSink, type WarningSink, warn } from './warn.js';
export { registerWrapper, type WrapperFactory } from './wrapper-registry.js';
