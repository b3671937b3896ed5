/** The time of an update by phase: calls of the policy, measured until the device has finished. */
import { synchronize } from '@vlgym/gpu';
import type { LanguageModel, VlmPolicy } from '@vlgym/models';
import type { Sequence } from '@vlgym/rl';

const PHASES = ['pictures', 'prefill', 'decoding', 'old', 'reference', 'gradients', 'optimizer', 'critic'] as const;
export type Phase = (typeof PHASES)[number];

/** Numbers from which work is counted. */
export interface Work {
  pictures: number;
  /** Forwards of one token over a batch of rows. */
  decodingSteps: number;
  sampledTokens: number;
  /** Sums over rows: tokens, squared tokens (for attention), and response tokens. */
  readonly prefill: Volume;
  readonly old: Volume;
  readonly reference: Volume;
  readonly gradients: Volume;
  optimizerSteps: number;
}

export interface Volume {
  tokens: number;
  squares: number;
  responses: number;
}

export class Phases {
  seconds = Object.fromEntries(PHASES.map((phase) => [phase, 0])) as Record<Phase, number>;
  work: Work = emptyWork();
  readonly #device: string;

  /** Replaces methods of this policy, and of its model, by measured ones. */
  constructor(policy: VlmPolicy, device: string) {
    this.#device = device;
    const { language } = policy.model as unknown as { language: LanguageModel };
    const encode = language.encodeImage?.bind(language);
    if (encode) {
      const { work, seconds } = this;
      const now = () => this.#now();
      language.encodeImage = function* (image) {
        work.pictures += 1;
        const start = now();
        const encoded = yield* encode(image);
        seconds.pictures += now() - start;
        return encoded;
      };
    }
    const { sample, score, accumulate, accumulateValues, valuesOf, step } = policy;
    policy.sample = async (inputs, options) => {
      const pictures = this.seconds.pictures;
      const start = this.#now();
      let first = 0;
      const completions = await sample.call(policy, inputs, {
        ...options,
        onToken: () => {
          first ||= this.#now();
        },
      });
      this.seconds.prefill += first - start - (this.seconds.pictures - pictures);
      this.seconds.decoding += this.#now() - first;
      for (const { promptIds } of inputs) add(this.work.prefill, promptIds.length, 1);
      const lengths = completions.map(({ tokenIds }) => tokenIds.length);
      this.work.sampledTokens += lengths.reduce((sum, length) => sum + length, 0);
      // the first token comes from the prompt
      this.work.decodingSteps += Math.max(...lengths) - 1;
      return completions;
    };
    policy.score = (sequences, options) => {
      const phase = options?.weights === 'reference' ? 'reference' : 'old';
      this.#count(this.work[phase], sequences);
      return this.#timed(phase, () => score.call(policy, sequences, options));
    };
    policy.accumulate = (sequences, loss, options) => {
      this.#count(this.work.gradients, sequences);
      return this.#timed('gradients', () => accumulate.call(policy, sequences, loss, options));
    };
    policy.accumulateValues = (...args) => this.#timed('critic', () => accumulateValues.apply(policy, args));
    policy.valuesOf = (states) => this.#timed('critic', () => valuesOf.call(policy, states));
    policy.step = (options) => {
      if (!options.onlyValue) this.work.optimizerSteps += 1;
      return this.#timed(options.onlyValue ? 'critic' : 'optimizer', () => step.call(policy, options));
    };
  }

  reset(): void {
    for (const phase of PHASES) this.seconds[phase] = 0;
    this.work = emptyWork();
  }

  #count(volume: Volume, sequences: readonly Sequence[]): void {
    for (const { input, responseIds } of sequences) {
      add(volume, input.promptIds.length + responseIds.length, responseIds.length);
    }
  }

  async #timed<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
    const pictures = this.seconds.pictures;
    const start = this.#now();
    try {
      return await work();
    } finally {
      const inside = phase === 'pictures' ? 0 : this.seconds.pictures - pictures;
      this.seconds[phase] += this.#now() - start - inside;
    }
  }

  #now(): number {
    if (this.#device !== 'cpu') synchronize(this.#device);
    return performance.now() / 1000;
  }
}

function add(volume: Volume, tokens: number, responses: number): void {
  volume.tokens += tokens;
  volume.squares += tokens * tokens;
  volume.responses += responses;
}

function emptyWork(): Work {
  const volume = (): Volume => ({ tokens: 0, squares: 0, responses: 0 });
  return {
    ...{ pictures: 0, decodingSteps: 0, sampledTokens: 0, optimizerSteps: 0 },
    ...{ prefill: volume(), old: volume(), reference: volume(), gradients: volume() },
  };
}
