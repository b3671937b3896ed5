/** Setup of the native addon. */
export { cacheFolder, LIBTORCH_VERSION } from './cache.js';
export { type Check, doctor } from './doctor.js';
export {
  CompileError,
  DigestMismatchError,
  FetchError,
  LibtorchNotFoundError,
  NativeSourcesMissingError,
  PlatformError,
  ToolMissingError,
} from './errors.js';
export { LibtorchInvalidError, locate } from './locate.js';
export type { Location } from './location.js';
export { type SetupOptions, type SetupReport, setup } from './setup.js';
