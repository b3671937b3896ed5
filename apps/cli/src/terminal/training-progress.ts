/** One bar for all runs of a comparison; its note shows the current ones. */
import type { RunMessage } from '../experiment/messages.js';
import type { RunPlan } from '../experiment/run.js';
import { runTitle } from '../experiment/run-name.js';
import { Progress } from './progress.js';
import { percent, yellow } from './style.js';

export class TrainingProgress {
  readonly #progress: Progress;
  readonly #done = new Map<RunPlan, number>();
  /** Last success rate of each current run. */
  readonly #success = new Map<RunPlan, string>();

  /** @param updates  Updates of all runs together. */
  constructor(
    updates: number,
    readonly namesEnvironments: boolean,
    readonly stream: NodeJS.WriteStream,
  ) {
    this.#progress = new Progress({ label: 'training', total: updates, unit: 'updates', stream });
  }

  listen(plan: RunPlan, message: RunMessage): void {
    if (message.type === 'alarm') {
      const clear = this.stream.isTTY ? '\r\x1b[2K' : '';
      this.stream.write(`${clear}${yellow('alarm')} ${this.#name(plan)}, ${message.text}\n`);
    }
    if (message.type !== 'update') return;
    this.#done.set(plan, message.update);
    const { evaluation } = message;
    if (evaluation) this.#success.set(plan, percent(evaluation.successes / evaluation.episodes, 0));
    const note = [...this.#success].map(([each, rate]) => `${this.#name(each)} ${rate}`).join(' · ');
    if (message.update === message.updates) this.#success.delete(plan);
    this.#progress.update(
      [...this.#done.values()].reduce((sum, count) => sum + count, 0),
      note,
    );
  }

  end(): void {
    this.#progress.end('');
  }

  #name(plan: RunPlan): string {
    return `${this.namesEnvironments ? `${plan.env} ` : ''}${runTitle(plan)} seed ${plan.seed}`;
  }
}
