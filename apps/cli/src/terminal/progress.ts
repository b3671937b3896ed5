/**
 * Progress of long work: a bar with rate and time left on a terminal, a plain line every few seconds elsewhere.
 */
import { type ProgressFile, type ProgressNow, secondsLeft } from './progress-file.js';
import { cyan, dim, duration } from './style.js';

export interface ProgressOptions {
  readonly label: string;
  /** Units of work in total; 0 if unknown. */
  readonly total: number;
  /** Name of one unit, e.g. `steps`. */
  readonly unit: string;
  readonly stream?: NodeJS.WriteStream;
  /** Seconds between lines without a terminal. */
  readonly plainEvery?: number;
  /** Units that an earlier process has done: they count as done, but not for the rate. */
  readonly initial?: number;
  /** The path at which another terminal finds it. */
  readonly file?: ProgressFile | undefined;
}

export class Progress {
  readonly #options: Required<Omit<ProgressOptions, 'file'>> & Pick<ProgressOptions, 'file'>;
  readonly #started = performance.now();
  #initial: number;
  #done: number;
  #note = '';
  #shown = 0;
  #ended = false;

  constructor(options: ProgressOptions) {
    this.#options = { stream: process.stderr, plainEvery: 10, initial: 0, ...options };
    this.#initial = this.#options.initial;
    this.#done = this.#initial;
    this.#draw(true);
  }

  /** Sets the work done so far; `note` is shown at the end of the line. */
  update(done: number, note = this.#note): void {
    this.#done = done;
    this.#note = note;
    this.#draw(false);
  }

  /** Units found done: work of an earlier process, which must not affect the rate of this one. */
  found(units: number): void {
    this.#initial += units;
    this.#done += units;
    this.#draw(false);
  }

  /** Ends the bar; its last state stays on the screen. */
  end(note = this.#note): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#note = note;
    this.#options.file?.write(this.now, true);
    const { stream } = this.#options;
    const line = `${this.#line(true)}\n`;
    stream.write(stream.isTTY ? `\r\x1b[2K${line}` : line);
  }

  /** Ends after an error, which says more than a line on which nothing was done. */
  fail(): void {
    if (this.#done > this.#initial) {
      this.end();
      return;
    }
    this.#ended = true;
    const { stream, file } = this.#options;
    file?.write(this.now, true);
    if (stream.isTTY) stream.write('\r\x1b[2K');
  }

  get now(): ProgressNow {
    const { label, total, unit } = this.#options;
    const seconds = (performance.now() - this.#started) / 1000;
    // a run that repeats updates since its last checkpoint has done fewer than it was found with
    const rate = Math.max(0, this.#done - this.#initial) / Math.max(seconds, 1e-9);
    return { label, done: this.#done, total, unit, rate, note: this.#note };
  }

  #draw(first: boolean): void {
    const { stream, plainEvery, file } = this.#options;
    file?.write(this.now, first);
    const now = performance.now();
    const every = stream.isTTY ? 100 : plainEvery * 1000;
    if (!first && now - this.#shown < every) return;
    this.#shown = now;
    stream.write(stream.isTTY ? `\r\x1b[2K${this.#line(false)}` : first ? '' : `${this.#line(false)}\n`);
  }

  #line(final: boolean): string {
    const { stream } = this.#options;
    const { label, done, total, unit, rate } = this.now;
    const share = Math.min(1, total > 0 ? done / total : 0);
    const elapsed = duration((performance.now() - this.#started) / 1000);
    const left = final || total === 0 ? elapsed : `${duration(secondsLeft(this.now))} left`;
    const speed = `${rate >= 100 ? rate.toFixed(0) : rate.toFixed(1)} ${unit}/s`;
    const far = total === 0 ? `${Math.floor(done)} ${unit}` : `${String(Math.round(100 * share)).padStart(3)} %`;
    const bar =
      stream.isTTY && total > 0
        ? `${cyan('█'.repeat(Math.round(share * 20)))}${dim('░'.repeat(20 - Math.round(share * 20)))} `
        : '';
    const text = `${label.padEnd(28)} ${bar}${far}  ${dim(`${speed} · ${left}`)}`;
    return this.#note ? `${text}  ${this.#note}` : text;
  }
}
