/** Progress of work in several phases: one bar after another. */
import { Progress, type ProgressOptions } from './progress.js';

export class Phases {
  readonly #stream: NodeJS.WriteStream;
  #label: string | undefined;
  #bar: Progress | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** A new label ends the current bar and starts another. */
  update(done: number, { label, total, unit }: Pick<ProgressOptions, 'label' | 'total' | 'unit'>): void {
    if (this.#label !== label || this.#bar === undefined) {
      this.end();
      this.#label = label;
      this.#bar = new Progress({ label, total, unit, stream: this.#stream });
    }
    this.#bar.update(done);
  }

  /** Ends the last bar; it stays on the screen. */
  end(): void {
    this.#bar?.end();
    this.#bar = undefined;
  }
}
