export * from './base-env.js';
export * from './checks/index.js';
export * from './dialogue/dialogue.js';
export * from './dialogue/match-action.js';
export * from './dialogue/messages.js';
export * from './dialogue/parse-response.js';
export * from './dialogue/published-rules.js';
export type { ResponseFormat } from './dialogue/response-format.js';
export * from './dialogue/token-spans.js';
export * from './env.js';
export * from './errors.js';
export * from './files/index.js';
export * from './image.js';
export * from './images/index.js';
export * from './options.js';
export { option, type ParseSettings, parseOptions } from './parse-options.js';
export * from './random/index.js';
export * from './redact-secrets.js';
export * from './registry/index.js';
export * from './reset-options.js';
export {
  encodedBy,
  generatorState,
  parseSnapshot,
  parseState,
  pythonRandomState,
  type SnapshotFault,
  SnapshotMismatchError,
  savedCount,
} from './snapshot.js';
export * from './spaces/index.js';
export * from './tasks/index.js';
export * from './testing/index.js';
export * from './trajectory/index.js';
export * from './vector/index.js';
export * from './video/apng-writer.js';
export * from './wrappers/index.js';
