/** The result of one matcher as plain data, from the test's process to the reporter. */
import type { Usage } from '@vlgym/agents';
import type { TestContext } from 'vitest';

export interface FailedStep {
  readonly index: number;
  /** The action in words; the response where none was read. */
  readonly action: string;
  readonly reward: number;
  /** The reason why no action was read, or the failure. */
  readonly problem?: string;
  /** Names of the tools that were called. */
  readonly tools?: readonly string[];
}

export interface FailedEpisode {
  /** Id in the recording. */
  readonly id: string;
  readonly seed: number;
  readonly end: string;
  readonly return: number;
  readonly length: number;
  /** The last steps. */
  readonly steps: readonly FailedStep[];
}

export interface AgentCheck {
  readonly matcher: string;
  readonly agent: string;
  readonly environment: string;
  /** `undecided`: episodes were excluded, and without them the answer is not clear. It fails the test. */
  readonly verdict: 'pass' | 'alarm' | 'undecided';
  /** Set where the test asserts the opposite: `expect(agent).not`. */
  readonly isNot?: boolean;
  /** One line with the numbers. */
  readonly text: string;
  /** Episodes that were judged, and the most that were allowed. */
  readonly episodes: number;
  readonly planned: number;
  readonly excluded: number;
  readonly usage: Usage;
  /** The recording of the episodes. */
  readonly folder?: string;
  readonly failures: readonly FailedEpisode[];
}

/** The result of the assertion: for `expect(agent).not` the opposite of the verdict. */
export const resultOf = ({ verdict, isNot = false }: AgentCheck): AgentCheck['verdict'] =>
  verdict === 'undecided' || !isNot ? verdict : verdict === 'pass' ? 'alarm' : 'pass';

/** A check and the test that made it. */
export interface NamedCheck {
  /** Full name of the test. */
  readonly test: string;
  readonly check: AgentCheck;
}

/** A cassette with entries that no test of the file has asked for. */
export interface StaleCassette {
  readonly file: string;
  readonly entries: readonly string[];
}

declare module 'vitest' {
  interface TaskMeta {
    vlgym?: AgentCheck[];
    vlgymStale?: StaleCassette[];
  }
}

type Task = TestContext['task'];

/** Hands the result to the reporter. */
export function note(task: Readonly<Task> | undefined, check: AgentCheck): void {
  if (!task) return;
  (task as Task).meta.vlgym = [...(task.meta.vlgym ?? []), check];
}
