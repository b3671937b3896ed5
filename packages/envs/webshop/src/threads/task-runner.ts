/** Tasks of worker threads for catalogs. */
import { type GenerateTask, GenerateWorker } from '../generator/generate-lines.js';
import { type IndexTask, IndexWorker } from '../search/index-worker.js';

export type Task = IndexTask | GenerateTask;

export interface Ran {
  readonly answer: object;
  /** Memory to transfer to the calling thread. */
  readonly transfer: ArrayBuffer[];
}

export class TaskRunner {
  readonly #index = new IndexWorker();
  readonly #generate = new GenerateWorker();

  run(task: Task): Ran {
    if (task.kind === 'index') {
      const answer = this.#index.run(task);
      const { lengths, terms, counts, postings } = answer.chunk;
      return { answer, transfer: [lengths, terms, counts, postings].map(({ buffer }) => buffer as ArrayBuffer) };
    }
    const answer = this.#generate.run(task);
    return { answer, transfer: [answer.bytes.buffer as ArrayBuffer, answer.lengths.buffer as ArrayBuffer] };
  }

  close(): void {
    this.#index.close();
  }
}
