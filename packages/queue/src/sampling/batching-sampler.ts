/**
 * One model for many episodes that are at different steps: requests that wait are sampled in one batch.
 *
 * A batch starts when the model is free, with all waiting requests; it does not wait for more. Every response names the
 * weights that sampled it, because the next request may use newer ones.
 */
import { type GenerateOptions, rowGenerators } from '@vlgym/agents/model';
import { type ChatMessage, type Generator, GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { ModelInput } from '@vlgym/rl';
import type { RolloutSampler, SampledResponse } from '@vlgym/rl/rollout';

export interface BatchingOptions {
  /** Rows of a batch at most; default 64. With 1, a response does not depend on its neighbors in any bit. */
  readonly maxRows?: number | undefined;
}

interface Waiting {
  readonly input: ModelInput;
  readonly rng: Generator;
  /** Options shared by the whole batch. */
  readonly options: Omit<GenerateOptions, 'rng' | 'signal'>;
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (response: SampledResponse) => void;
  readonly reject: (error: unknown) => void;
}

const BATCHING_SAMPLER_OPTIONS = names<BatchingOptions>({ maxRows: 0 });

export class BatchingSampler implements RolloutSampler {
  readonly #policy: RolloutSampler;
  readonly #maxRows: number;
  #waiting: Waiting[] = [];
  #isSampling = false;

  constructor(policy: RolloutSampler, options: BatchingOptions = {}) {
    checkNames('options', options, BATCHING_SAMPLER_OPTIONS);
    const { maxRows = 64 } = options;
    if (!(Number.isSafeInteger(maxRows) && maxRows >= 1)) {
      throw new GymError(`Invalid maxRows: ${maxRows}.`, {
        code: 'INVALID_OPTION',
        value: maxRows,
        expected: 'a whole number of at least 1',
      });
    }
    this.#policy = policy;
    this.#maxRows = maxRows;
  }

  get version(): number {
    return this.#policy.version;
  }

  encode(messages: readonly ChatMessage[]): ModelInput {
    return this.#policy.encode(messages);
  }

  async sample(inputs: readonly ModelInput[], options: GenerateOptions): Promise<readonly SampledResponse[]> {
    const { rng, signal, ...common } = options;
    const generators = rowGenerators(rng, inputs.length);
    const key = JSON.stringify(common);
    return Promise.all(
      inputs.map(
        (input, row) =>
          new Promise<SampledResponse>((resolve, reject) => {
            this.#waiting.push({ input, rng: generators[row]!, options: common, key, signal, resolve, reject });
            void this.#start();
          }),
      ),
    );
  }

  async #start(): Promise<void> {
    if (this.#isSampling) return;
    this.#isSampling = true;
    try {
      // others of this turn of the event loop join the first batch
      await new Promise((resolve) => setImmediate(resolve));
      while (this.#waiting.length > 0) await this.#sampleBatch();
    } finally {
      this.#isSampling = false;
    }
  }

  async #sampleBatch(): Promise<void> {
    const { key } = this.#waiting[0]!;
    const batch: Waiting[] = [];
    this.#waiting = this.#waiting.filter((waiting) => {
      if (waiting.signal?.aborted) {
        waiting.reject(waiting.signal.reason);
        return false;
      }
      if (waiting.key !== key || batch.length === this.#maxRows) return true;
      batch.push(waiting);
      return false;
    });
    if (batch.length === 0) return;
    // an optimizer step may happen while it waits for its turn: the older weights are the safe answer
    const version = String(this.#policy.version);
    try {
      const responses = await this.#policy.sample(
        batch.map(({ input }) => input),
        { ...batch[0]!.options, rng: batch.map(({ rng }) => rng) },
      );
      for (const [row, { resolve }] of batch.entries()) {
        const response = responses[row]!;
        resolve({ ...response, versions: [{ version, start: 0, end: response.tokenIds.length }] });
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
