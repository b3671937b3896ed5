/** One bar for all runs of a comparison, those of an earlier process included; its note shows the current ones. */
import type { RunMessage } from '../experiment/messages.js';
import { runTitle } from '../experiment/run-name.js';
import type { RunPlan } from '../experiment/spec.js';
import { Progress } from './progress.js';
import type { ProgressFile } from './progress-file.js';
import { percent, yellow } from './style.js';

export class TrainingProgress {
  readonly #progress: Progress;
  /** Updates done by each run. */
  readonly #done: Map<RunPlan, number>;
  /** Last success rate of each current run. */
  readonly #success = new Map<RunPlan, string>();
  /** The most bytes of tensors that one run has held. */
  #peak = 0;

  /**
   * @param updates  Updates of all runs together.
   * @param done  Updates that each run has done before.
   */
  constructor(
    updates: number,
    done: ReadonlyMap<RunPlan, number>,
    readonly namesEnvironments: boolean,
    readonly stream: NodeJS.WriteStream,
    file?: ProgressFile,
  ) {
    this.#done = new Map(done);
    const initial = sum(done.values());
    this.#progress = new Progress({ label: 'training', total: updates, unit: 'updates', stream, initial, file });
  }

  listen(plan: RunPlan, message: RunMessage): void {
    if (message.type === 'alarm') {
      const clear = this.stream.isTTY ? '\r\x1b[2K' : '';
      this.stream.write(`${clear}${yellow('alarm')} ${this.#name(plan)}, ${message.text}\n`);
    }
    if (message.type === 'note') this.stream.write(`${this.#name(plan)}: ${message.text}\n`);
    if (message.type !== 'update') return;
    this.#done.set(plan, message.update);
    const { evaluation } = message;
    if (evaluation) this.#success.set(plan, percent(evaluation.successes / evaluation.episodes, 0));
    this.#peak = Math.max(this.#peak, message.peakBytes ?? 0);
    const rates = [...this.#success].map(([each, rate]) => `${this.#name(each)} ${rate}`);
    const peak = this.#peak > 0 ? [`peak ${(this.#peak / 1e9).toFixed(2)} GB`] : [];
    const note = [...rates, ...peak].join(' · ');
    if (message.update === message.updates) this.#success.delete(plan);
    this.#progress.update(sum(this.#done.values()), note);
  }

  end(): void {
    this.#progress.end('');
  }

  #name(plan: RunPlan): string {
    return `${this.namesEnvironments ? `${plan.env} ` : ''}${runTitle(plan)} seed ${plan.seed}`;
  }
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
