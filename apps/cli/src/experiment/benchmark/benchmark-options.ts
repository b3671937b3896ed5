/** Options of a benchmark, and the values derived from them. */
import type { CommandContext } from '../../command-line/command.js';
import type { Given } from '../../command-line/given.js';
import type { QueueChoices } from '../../queue-run/options.js';
import type { RunControl } from '../controls/control.js';
import type { CompleteTask } from '../settings/settings.js';
import type { RunPlan, Task } from '../spec.js';
import type { WarmStart } from '../warm-start/warm-start.js';

export interface BenchmarkTask extends Task {
  /** The folder of its warm start and its runs. */
  readonly folder: string;
}

/** The output of progress and of the table, and the signal that stops the benchmark. */
export type BenchmarkContext = Pick<CommandContext, 'signal' | 'stdout' | 'stderr'> &
  Partial<Pick<CommandContext, 'given'>>;

export interface BenchmarkOptions {
  readonly tasks: readonly BenchmarkTask[];
  readonly algorithms: readonly string[];
  readonly seeds: readonly number[];
  readonly baseline: string;
  readonly set: Readonly<Record<string, unknown>>;
  /** The origin of each option: flag, file or default. */
  readonly given: Given;
  readonly replicate: boolean;
  /** Rows that a gain is compared with, and evaluations with other pictures. */
  readonly controls: readonly RunControl[];
  /** Environments that judge every policy, beside those of `tasks`; none is judged elsewhere when left out. */
  readonly transfer?: readonly Pick<Task, 'env' | 'envOptions'>[];
  /** The queue that plays episodes, if the processes of the runs do not. */
  readonly queue?: QueueChoices;
  readonly jobs: number;
  /** The folder of the report. */
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
