/** Checks what `step` returned before it is counted. */
import { GymError, type StepResult, show } from '@vlgym/core';

/** An environment returned an invalid step. */
class InvalidStepError extends GymError {
  constructor(field: string, value: unknown, expected: string) {
    super(`\`step\` returned ${show(value)} as \`${field}\`.`, {
      code: 'INVALID_STEP',
      value,
      expected,
      hint: 'run `checkEnv(env)` on this environment',
    });
  }
}

/** @throws {InvalidStepError}  The reward is not finite, a flag is not a boolean, or info is not an object. */
export function assertStepResult(value: unknown): asserts value is StepResult<unknown> {
  if (typeof value !== 'object' || value === null) throw new InvalidStepError('result', value, 'an object');
  const { reward, terminated, truncated, info } = value as Record<string, unknown>;
  if (!Number.isFinite(reward)) throw new InvalidStepError('reward', reward, 'a finite number');
  if (typeof terminated !== 'boolean') throw new InvalidStepError('terminated', terminated, 'true or false');
  if (typeof truncated !== 'boolean') throw new InvalidStepError('truncated', truncated, 'true or false');
  if (typeof info !== 'object' || info === null) throw new InvalidStepError('info', info, 'an object');
}
