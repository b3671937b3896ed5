/** Kinds of errors, and of reasons why orders failed, by what an orchestrator does about them. */

/** The sampler did not answer as it should. */
export const isModelError = (reason = ''): boolean => /\bMODEL_|NO_HEALTHY_REPLICA/.test(reason);
/** No sampler answered any request. */
export const isAbsence = (reason = ''): boolean => /\bMODEL_UNREACHABLE|NO_HEALTHY_REPLICA/.test(reason);

/** No answer at all, as from a broker that restarts; what is refused is answered. */
export function isSilence(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return code === 'REDIS_TIMEOUT' || code === 'TERM_FORGOTTEN' || name === 'MaxRetriesPerRequestError';
}

/** Another try does not mend it. */
export const isFinal = (error: unknown): boolean => FINAL.has((error as { code?: unknown }).code);

/** Codes of errors that another try does not mend. */
const FINAL: ReadonlySet<unknown> = new Set([
  'RUN_HAS_LEADER',
  'LEADERSHIP_LOST',
  'QUEUE_CLOSED',
  'INVALID_OPTION',
  'REPLAY_ENDED',
]);
