/** Generates a range of products as lines of a catalog file; runs in worker threads. */
import { factsOf, type ProductFacts } from '../catalog/disk-layout.js';
import { type GeneratorOptions, ProductGenerator } from './generate-product.js';

export interface GenerateTask {
  readonly kind: 'generate';
  readonly options: GeneratorOptions;
  readonly from: number;
  readonly to: number;
}

export interface GeneratedLines {
  readonly bytes: Uint8Array;
  /** Bytes per line. */
  readonly lengths: Uint32Array;
  readonly facts: readonly ProductFacts[];
}

export class GenerateWorker {
  run({ options, from, to }: GenerateTask): GeneratedLines {
    const generator = new ProductGenerator(options);
    const facts: ProductFacts[] = [];
    const lines = Array.from({ length: to - from }, (_, index) => {
      const product = generator.product(from + index);
      facts.push(factsOf(product));
      return Buffer.from(`${JSON.stringify(product)}\n`);
    });
    const lengths = Uint32Array.from(lines, ({ length }) => length);
    const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const line of lines) {
      bytes.set(line, at);
      at += line.length;
    }
    return { bytes, lengths, facts };
  }
}
