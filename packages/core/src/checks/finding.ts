/** The finding of a check: a stable code, a message and a severity. */
import { GymError } from '../errors.js';

export type FindingCode =
  | 'SPACE_INVALID'
  | 'SPACE_SAMPLE'
  | 'RESET_RESULT'
  | 'STEP_RESULT'
  | 'OBSERVATION_OUTSIDE_SPACE'
  | 'REWARD_NOT_FINITE'
  | 'SIGNAL_NOT_BOOLEAN'
  | 'INFO_NOT_RECORD'
  | 'INFO_NOT_JSON'
  | 'TASK_KEY_INVALID'
  | 'OBSERVATION_NOT_JSON'
  | 'TRUNCATED_TOO_EARLY'
  | 'RESET_NOT_REPEATABLE'
  | 'RESET_IGNORES_GENERATOR'
  | 'EPISODE_NOT_REPEATABLE'
  | 'SEED_WITHOUT_EFFECT'
  | 'OBJECT_REUSED'
  | 'METADATA_INVALID'
  | 'RENDER_RESULT'
  | 'SPEC_NOT_REBUILT'
  | 'SNAPSHOT_INCOMPLETE'
  | 'SNAPSHOT_NOT_JSON'
  | 'SNAPSHOT_UNSAFE'
  | 'BEFORE_RESET'
  | 'VECTOR_FAILED'
  | 'ORACLE_ILLEGAL'
  | 'MASK_INVALID'
  | 'DIALOGUE_DEMONSTRATION'
  | 'DIALOGUE_PROMPT'
  | 'DIALOGUE_PARSE'
  | 'CLOSE_FAILED'
  | 'THREW';

export interface Finding {
  readonly code: FindingCode;
  /** An `error` breaks the contract; a `warning` is legal but rarely intended. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** An environment breaks the contract. */
export class CheckFailedError extends GymError {
  constructor(
    readonly environment: string,
    readonly findings: readonly Finding[],
    hint = 'run `await checkEnv(env, { throws: false })` for the whole report',
  ) {
    const lines = findings.map(({ code, message }) => `  [${code}] ${message}`);
    super(`${environment} breaks the contract of an environment.\n${lines.join('\n')}`, {
      code: 'CHECK_FAILED',
      value: findings.map(({ code }) => code),
      hint,
    });
  }
}
