/** The evaluations of one run: that of its start is known, and of the last one the episodes are kept for the report. */
import type { Evaluation, Scores } from '@vlgym/agents';
import type { Policy } from '@vlgym/rl';
import { evaluateOnFixedSeeds } from './evaluate-policy.js';
import type { CompleteTask } from './settings.js';
import { episodesOf, scoresOfStart } from './warm-start.js';

export class RunEvaluations {
  readonly #task: CompleteTask;
  readonly #policy: Policy;
  readonly #start: string;
  readonly #folder: string;
  #last: Evaluation | undefined;

  constructor(task: CompleteTask, policy: Policy, { start, folder }: { start: string; folder: string }) {
    this.#task = task;
    this.#policy = policy;
    this.#start = start;
    this.#folder = folder;
  }

  async after(update: number, signal: AbortSignal): Promise<Scores> {
    const known = update === 0 ? await scoresOfStart(this.#task, this.#start) : undefined;
    if (known) return known;
    if (update === this.#task.updates) return this.final(signal);
    return evaluateOnFixedSeeds(this.#task, this.#policy, undefined, signal);
  }

  /** After the last update; played again where the run was cut before its result was written. */
  async final(signal: AbortSignal): Promise<Evaluation> {
    this.#last ??= await evaluateOnFixedSeeds(this.#task, this.#policy, episodesOf(this.#folder), signal);
    return this.#last;
  }
}
