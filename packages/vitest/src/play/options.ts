import type { EvaluateOptions } from '@vlgym/agents';
import { names } from '@vlgym/core/internal';

/** How a matcher plays its episodes. */
export interface PlayOptions
  extends Pick<
    EvaluateOptions,
    'seeds' | 'parallel' | 'maxSteps' | 'fallback' | 'isSuccess' | 'resetOptions' | 'signal' | 'environmentTimeoutMs'
  > {
  /** Folder of the recording, emptied first; default: one under `.vlgym/vitest` for each matcher. `false` records nothing. */
  readonly record?: string | false | undefined;
}

export const PLAY_OPTIONS = names<PlayOptions>({
  ...{ seeds: 0, parallel: 0, maxSteps: 0, fallback: 0, isSuccess: 0, resetOptions: 0, signal: 0 },
  ...{ environmentTimeoutMs: 0, record: 0 },
});
