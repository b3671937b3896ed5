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

/** Memory for one line at first, in bytes; most lines need less. */
const TYPICAL_BYTES = 2048;

function grown(bytes: Uint8Array<ArrayBuffer>, least: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(2 * bytes.length, least));
  larger.set(bytes);
  return larger;
}

export class GenerateWorker {
  run({ options, from, to }: GenerateTask): GeneratedLines {
    const generator = new ProductGenerator(options);
    const facts: ProductFacts[] = [];
    const lengths = new Uint32Array(to - from);
    const encoder = new TextEncoder();
    let bytes = new Uint8Array((to - from) * TYPICAL_BYTES);
    let used = 0;
    for (let position = from; position < to; position += 1) {
      const product = generator.product(position);
      facts.push(factsOf(product));
      const line = `${JSON.stringify(product)}\n`;
      if (used + 3 * line.length > bytes.length) bytes = grown(bytes, used + 3 * line.length);
      const { written } = encoder.encodeInto(line, bytes.subarray(used)); // without a buffer per line
      lengths[position - from] = written;
      used += written;
    }
    bytes = bytes.slice(0, used);
    return { bytes, lengths, facts };
  }
}
