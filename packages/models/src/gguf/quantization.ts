/**
 * The quantizations of ggml that are read: numbers of entries and bytes in a block, and how a block becomes float32.
 * Numbers and names: `GGMLQuantizationType` and `GGML_QUANT_SIZES` of `gguf-py/gguf/constants.py` in ggml-org/llama.cpp.
 */
import * as blocks from './blocks.js';
import * as kBlocks from './k-blocks.js';

export interface Quantization {
  readonly name: string;
  /** Entries of a block; rows are whole blocks. */
  readonly blockEntries: number;
  readonly blockBytes: number;
  /** Writes the entries of whole blocks; `out` has `blockEntries` for each `blockBytes` of `input`. */
  readonly dequantize: (input: Uint8Array, out: Float32Array) => void;
}

const define = (
  name: string,
  blockEntries: number,
  blockBytes: number,
  dequantize: Quantization['dequantize'],
): Quantization => ({ name, blockEntries, blockBytes, dequantize });

const READ: ReadonlyMap<number, Quantization> = new Map([
  [0, define('F32', 1, 4, blocks.float32)],
  [1, define('F16', 1, 2, blocks.float16)],
  [2, define('Q4_0', 32, 18, blocks.q4With0)],
  [3, define('Q4_1', 32, 20, blocks.q4With1)],
  [6, define('Q5_0', 32, 22, blocks.q5With0)],
  [7, define('Q5_1', 32, 24, blocks.q5With1)],
  [8, define('Q8_0', 32, 34, blocks.q8With0)],
  [10, define('Q2_K', 256, 84, kBlocks.q2K)],
  [11, define('Q3_K', 256, 110, kBlocks.q3K)],
  [12, define('Q4_K', 256, 144, kBlocks.q4K)],
  [13, define('Q5_K', 256, 176, kBlocks.q5K)],
  [14, define('Q6_K', 256, 210, kBlocks.q6K)],
  [30, define('BF16', 1, 2, blocks.bfloat16)],
]);

/** Names for messages. */
const OTHERS: Readonly<Record<number, string>> = {
  ...{ 9: 'Q8_1', 15: 'Q8_K', 16: 'IQ2_XXS', 17: 'IQ2_XS', 18: 'IQ3_XXS', 19: 'IQ1_S', 20: 'IQ4_NL', 21: 'IQ3_S' },
  ...{ 22: 'IQ2_S', 23: 'IQ4_XS', 24: 'I8', 25: 'I16', 26: 'I32', 27: 'I64', 28: 'F64', 29: 'IQ1_M' },
  ...{ 34: 'TQ1_0', 35: 'TQ2_0', 39: 'MXFP4', 40: 'NVFP4', 41: 'Q1_0' },
};

export const supportedQuantizations: readonly string[] = [...READ.values()].map(({ name }) => name);

/** @returns The name, or the number as text, of one that is not read. */
export function quantization(type: number): Quantization | string {
  return READ.get(type) ?? (Object.hasOwn(OTHERS, type) ? OTHERS[type]! : `number ${type}`);
}
