/** Files that survive crashes: atomic replacement and durable JSON lines. */
export * from './file-error.js';
export { type FolderLock, FolderLockedError, lockFolder } from './folder-lock.js';
export { sha256OfFile } from './hash-file.js';
export {
  appendJsonLine,
  type JsonLine,
  JsonLineAppender,
  type JsonLineProblem,
  readJsonLines,
} from './json-lines.js';
export { ownIdentity, type ProcessIdentity, stateOf } from './process-identity.js';
export { AtomicFile, removeTemporaries, writeFileAtomic } from './write-file-atomic.js';
