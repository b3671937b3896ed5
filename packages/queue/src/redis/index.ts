/** The queue on Redis. */
export { checkRedisUrl, RedisTimeoutError } from './connection.js';
export {
  definitionToJson,
  parseDefinition,
  type RunDefinition,
  RunUnknownError,
  readDefinition,
  runsInProgress,
  type SamplerDefinition,
} from './definition.js';
export { LeadershipLostError } from './leadership.js';
export type { RunNow, WorkerEvent, WorkerTiming } from './redis-worker.js';
