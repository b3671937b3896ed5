/** Files that survive crashes: atomic replacement and durable JSON lines. */
export * from './file-error.js';
export {
  appendJsonLine,
  type JsonLine,
  JsonLineAppender,
  type JsonLineProblem,
  readJsonLines,
} from './json-lines.js';
export { AtomicFile, writeFileAtomic } from './write-file-atomic.js';
