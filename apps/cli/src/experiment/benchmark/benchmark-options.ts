/** Options of a benchmark, and the values derived from them. */
import type { CommandContext } from '../../command-line/command.js';
import type { Given } from '../../command-line/given.js';
import type { QueueChoices } from '../../queue-run/options.js';
import type { RunControl } from '../controls/control.js';
import type { CompleteTask } from '../settings/settings.js';
import type { RunPlan, Task } from '../spec.js';
import type { WarmStart } from '../warm-start/warm-start.js';

export interface BenchmarkTask extends Task {
  /** Where its warm start and its runs go. */
  readonly folder: string;
}

/** Where progress and the table go, and what stops it. */
export type BenchmarkContext = Pick<CommandContext, 'signal' | 'stdout' | 'stderr'> &
  Partial<Pick<CommandContext, 'given'>>;

export interface BenchmarkOptions {
  readonly tasks: readonly BenchmarkTask[];
  readonly algorithms: readonly string[];
  readonly seeds: readonly number[];
  readonly baseline: string;
  readonly set: Readonly<Record<string, unknown>>;
  /** Where choices were typed. */
  readonly given: Given;
  readonly replicate: boolean;
  /** Rows that a gain is compared with, and evaluations with other pictures. */
  readonly controls: readonly RunControl[];
  /** Where episodes are played, if not in the processes of the runs. */
  readonly queue?: QueueChoices;
  readonly jobs: number;
  /** Where the report goes. */
  readonly out: string;
  readonly title: string;
  readonly lead: string;
  readonly command: string;
  readonly context: BenchmarkContext;
}

/** A task with its warm start. */
export interface Prepared {
  readonly task: CompleteTask;
  readonly folder: string;
  readonly warmStart: WarmStart;
  readonly plans: readonly RunPlan[];
}
