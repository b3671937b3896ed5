/**
 * A policy of 64 numbers that learns at once and needs no tensors: what it says depends on every weight, and every weight
 * on all that it has seen, so a run that lost or repeated anything ends with other weights.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Completion, GenerateOptions } from '@vlgym/agents/model';
import type { ChatMessage, Generator, Image } from '@vlgym/core';
import { writeFileAtomic } from '@vlgym/core/internal';
import type { ModelInput, Policy, RolloutBuffer, Sequence, Tensor, WeightMap } from '@vlgym/rl';

const SIZE = 64;
const LETTERS = 'lrx';

export class StubPolicy implements Policy {
  readonly name = 'stub';
  readonly vocabularySize = LETTERS.length + 1;
  readonly adaptedNames = ['weights'];
  version = 0;
  #weights = new Float64Array(SIZE);

  encode(messages: readonly ChatMessage[]): ModelInput {
    const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    const images: Image[] = parts.flatMap((part) => (part.type === 'image' ? [part.image] : []));
    return { promptIds: Int32Array.of(messages.length, images.length), images };
  }

  encodeResponse(text: string) {
    const ids = Int32Array.from([...text].map((letter) => LETTERS.indexOf(letter)));
    return { ids, tokenEnds: ids.map((_, index) => index + 1) };
  }

  generate(prompts: readonly (readonly ChatMessage[])[], options: GenerateOptions): Promise<Completion[]> {
    return this.sample(
      prompts.map((messages) => this.encode(messages)),
      options,
    );
  }

  async sample(
    inputs: readonly ModelInput[],
    { rng }: Pick<GenerateOptions, 'rng'>,
  ): Promise<(Completion & { readonly value: number })[]> {
    return inputs.map((input, index) => {
      const generator = (Array.isArray(rng) ? rng[index] : rng) as Generator;
      const bias = this.#look(input);
      const draw = () => Math.floor((generator.random() + bias) * LETTERS.length) % LETTERS.length;
      const ids = Int32Array.of(draw(), draw());
      const logProbs = Float32Array.of(-1 - bias, -1);
      return {
        text: [...ids].map((id) => LETTERS[id]).join(''),
        tokenIds: ids,
        logProbs,
        behaviorLogProbs: logProbs,
        tokenEnds: Int32Array.of(1, 2),
        finishReason: 'stop' as const,
        promptTokenIds: input.promptIds,
        value: bias,
      };
    });
  }

  async score(sequences: readonly Sequence[]) {
    return {
      logProbs: sequences.map(({ input, responseIds }) =>
        new Float32Array(responseIds.length).fill(-1 - this.#look(input)),
      ),
      entropies: sequences.map(({ responseIds }) => new Float32Array(responseIds.length).fill(1)),
      values: Float32Array.from(sequences, ({ input }) => this.#look(input)),
    };
  }

  /** Every weight moves by what was seen, said and paid. */
  learn({ steps }: RolloutBuffer): void {
    steps.forEach(({ input, responseIds, reward }, index) => {
      const seen = this.#look(input) + responseIds[0]! + reward.environment;
      this.#weights[index % SIZE] = (this.#weights[index % SIZE]! * 0.9 + seen * 0.37) % 1;
    });
    this.version += 1;
  }

  adapterState(): WeightMap {
    return weightMap(this.#weights);
  }

  async save(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFileAtomic(join(folder, 'policy.json'), JSON.stringify({ version: this.version }));
    await writeFileAtomic(join(folder, 'weights.bin'), new Uint8Array(this.#weights.slice().buffer));
  }

  async load(folder: string): Promise<void> {
    this.version = (JSON.parse(await readFile(join(folder, 'policy.json'), 'utf8')) as { version: number }).version;
    this.#weights = new Float64Array(new Uint8Array(await readFile(join(folder, 'weights.bin'))).buffer);
  }

  async saveWeights(path: string, weights: WeightMap): Promise<void> {
    await writeFileAtomic(path, JSON.stringify([...weights.get('weights')!.toArray()]));
  }

  async loadWeights(path: string): Promise<WeightMap> {
    return weightMap(Float64Array.from(JSON.parse(await readFile(path, 'utf8')) as number[]));
  }

  async step() {
    return { gradNorm: 0, valueGradNorm: 0 };
  }

  accumulate = unused;
  accumulateValues = unused;
  valuesOf = unused;
  standardizeValues = unused;
  keepOld = unused;
  delta = unused;
  setTeacher = unused;
  foldIntoReference = unused;
  close(): void {}

  #look({ images, promptIds }: ModelInput): number {
    const first = images[0]?.data[0] ?? 0;
    return Math.abs(this.#weights[(first + promptIds[0]!) % SIZE]!) % 1;
  }
}

function weightMap(weights: Float64Array): WeightMap {
  const copy = weights.slice();
  return new Map([['weights', { toArray: () => copy, dispose() {} } as unknown as Tensor]]);
}

const unused = (): never => {
  throw new Error('the stub policy has no tensors');
};
