/** The weights of a GGUF file as one safetensors file, some thousand rows in memory at a time. */
import { setImmediate } from 'node:timers/promises';
import { safetensors } from '@vlgym/gpu';
import type { MappedTensor } from './architecture.js';
import { GgufUnsupportedError } from './errors.js';
import type { FileReader } from './file-reader.js';
import { toBfloat16, toFloat16 } from './float16.js';
import type { GgufTensor } from './header.js';

export type ImportDtype = 'float32' | 'bfloat16' | 'float16';
export const DTYPE_BYTES = { float32: 4, bfloat16: 2, float16: 2 } as const;

/** Entries in memory at a time, for tensors whose rows stay in order. A multiple of every block. */
const BAND = 2 ** 19;
/** Readers of the format ask whose tensors these are. */
const METADATA = { format: 'pt' };

export interface Conversion {
  readonly from: GgufTensor;
  readonly to: MappedTensor;
}

/** Entries that are in memory at a time: a band, or a whole head where its rows change places. */
export const bandEntries = ({ from, to }: Conversion): number =>
  to.permutedHeads > 0 ? from.entries / to.permutedHeads : Math.min(BAND, from.entries);

const packedBytes = (conversion: Conversion): number => {
  const { blockBytes, blockEntries } = conversion.from.quantization;
  return (bandEntries(conversion) / blockEntries) * blockBytes;
};

/** Memory of `writeWeights`: a band as it is in the file, as float32, as it is written, and with its rows in order. */
export function bandBytes(conversions: readonly Conversion[], dtype: ImportDtype): number {
  const bytes = conversions.map((conversion) => {
    const copies = (dtype === 'float32' ? 0 : DTYPE_BYTES[dtype]) + (conversion.to.permutedHeads > 0 ? 4 : 0);
    return packedBytes(conversion) + bandEntries(conversion) * (4 + copies);
  });
  return bytes.reduce((most, each) => Math.max(most, each), 0);
}

/**
 * @throws {GgufUnsupportedError} A number is not finite, or too large for the dtype.
 * @throws {SafetensorsWriteError} Disk full.
 */
export async function writeWeights(
  reader: FileReader,
  path: string,
  conversions: readonly Conversion[],
  { dtype, signal }: { readonly dtype: ImportDtype; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const layout = conversions.map(({ to: { name, shape } }) => ({ name, shape, dtype }));
  const writer = new safetensors.SafetensorsWriter(path, layout, METADATA);
  const most = conversions.reduce((entries, each) => Math.max(entries, bandEntries(each)), 0);
  const packed = conversions.reduce((bytes, each) => Math.max(bytes, packedBytes(each)), 0);
  const buffers = {
    packed: new Uint8Array(packed),
    values: new Float32Array(most),
    out: new Uint16Array(dtype === 'float32' ? 0 : most),
  };
  try {
    for (const conversion of conversions) {
      for (let first = 0; first < conversion.from.entries; first += bandEntries(conversion)) {
        signal?.throwIfAborted();
        await setImmediate();
        const values = readBand(reader, conversion, { first, ...buffers });
        const bytes = converted(reader.path, conversion, { values, dtype, out: buffers.out });
        writer.writePart(conversion.to.name, first, bytes);
      }
    }
    writer.sync();
  } finally {
    writer.close();
  }
}

interface Band {
  readonly first: number;
  readonly packed: Uint8Array;
  readonly values: Float32Array;
}

function readBand(reader: FileReader, conversion: Conversion, { first, packed, values }: Band): Float32Array {
  const { quantization, entries, offset, shape } = conversion.from;
  const { blockEntries, blockBytes } = quantization;
  const band = values.subarray(0, Math.min(bandEntries(conversion), entries - first));
  const input = packed.subarray(0, (band.length / blockEntries) * blockBytes);
  reader.fill(input, offset + (first / blockEntries) * blockBytes);
  quantization.dequantize(input, band);
  if (conversion.to.permutedHeads > 0) toHalves(band, shape.length > 1 ? shape[1]! : 1);
  return band;
}

/** Rows of a head from pairs (0, h), (1, h + 1), … that lie next to each other to the first halves, then the second ones. */
function toHalves(head: Float32Array, width: number): void {
  const pairs = head.slice();
  const half = head.length / width / 2;
  for (let row = 0; row < half; row += 1) {
    head.set(pairs.subarray(2 * row * width, (2 * row + 1) * width), row * width);
    head.set(pairs.subarray((2 * row + 1) * width, (2 * row + 2) * width), (row + half) * width);
  }
}

interface Numbers {
  readonly values: Float32Array;
  readonly dtype: ImportDtype;
  readonly out: Uint16Array;
}

function converted(path: string, { from }: Conversion, { values, dtype, out }: Numbers): Uint8Array {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  for (let index = 0; index < bits.length; index += 1) {
    if ((bits[index]! & 0x7f800000) === 0x7f800000) {
      throw new GgufUnsupportedError(path, `${from.name} holds ${values[index]}`, {
        value: values[index],
        expected: 'finite numbers',
      });
    }
  }
  if (dtype === 'float32') return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const round = dtype === 'float16' ? toFloat16 : toBfloat16;
  const infinity = dtype === 'float16' ? 0x7c00 : 0x7f80;
  for (let index = 0; index < bits.length; index += 1) {
    const rounded = round(bits[index]!);
    if ((rounded & 0x7fff) === infinity) {
      throw new GgufUnsupportedError(path, `${from.name} holds ${values[index]}, too large for ${dtype}`, {
        value: values[index],
        expected: `numbers that ${dtype} can hold`,
        hint: 'import it as float32',
      });
    }
    out[index] = rounded;
  }
  return new Uint8Array(out.buffer, 0, 2 * values.length);
}
