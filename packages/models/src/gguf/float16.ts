/** 16-bit floats, both ways. */

let table: Float32Array | undefined;

/** The float32 of each of the 65,536 patterns of float16. */
export function float16Values(): Float32Array {
  table ??= Float32Array.from({ length: 2 ** 16 }, (_, bits) => float16Value(bits));
  return table;
}

function float16Value(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Rounds to nearest, ties to even. @param bits  A finite float32. @returns 0x7c00 or 0xfc00 where it is too large. */
export function toFloat16(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 255) - 112;
  const fraction = bits & 0x7fffff;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent > 0) return sign | halved((exponent << 23) | fraction, 13);
  return exponent < -10 ? sign : sign | halved(fraction | 0x800000, 14 - exponent);
}

/** Rounds to nearest, ties to even. @param bits  A finite float32. @returns 0x7f80 or 0xff80 where it is too large. */
export function toBfloat16(bits: number): number {
  return ((bits >>> 31) << 15) | halved(bits & 0x7fffffff, 16);
}

/** Drops the last `shift` bits, rounded to nearest, ties to even. A carry raises the exponent. */
function halved(bits: number, shift: number): number {
  const kept = bits >>> shift;
  const rest = bits & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return rest > half || (rest === half && kept & 1) ? kept + 1 : kept;
}
