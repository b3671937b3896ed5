/** Getting the native part ready. */
export { cacheFolder, LIBTORCH_VERSION } from './cache.js';
export { type Check, doctor } from './doctor.js';
export {
  CompileError,
  DigestMismatchError,
  FetchError,
  LibtorchNotFoundError,
  PlatformError,
  ToolMissingError,
} from './errors.js';
export { LibtorchInvalidError, type Location, locate } from './locate.js';
export { type SetupOptions, type SetupReport, setup } from './setup.js';
