/** Light to bytes: filtered texels times the light, as RGBA in the output color space. */
const OPAQUE: i32 = <i32>memory.data<u32>([0xff000000, 0xff000000, 0xff000000, 0xff000000]);
/** Light of four pixels, i16 [16]. */
const LIGHT: i32 = <i32>memory.data(32);
const HALF16: i32 = <i32>memory.data<u16>([64, 64, 64, 64, 64, 64, 64, 64]);

/** Bytes of the output color space by light, or 0. */
let encoding: i32 = 0;

export function setEncoding(table: i32): void {
  encoding = table;
}

/** Four pixels of fifteen bits a channel, times the light. */
// @ts-ignore: decorator
@inline
export function toBytes(pixels01: v128, pixels23: v128, factor01: v128, factor23: v128): v128 {
  const half = v128.load(HALF16);
  const light01 = i16x8.q15mulr_sat_s(pixels01, factor01);
  const light23 = i16x8.q15mulr_sat_s(pixels23, factor23);
  if (encoding) return encoded(light01, light23);
  const bytes = i8x16.narrow_i16x8_u(
    i16x8.shr_s(i16x8.add(light01, half), 7),
    i16x8.shr_s(i16x8.add(light23, half), 7),
  );
  return v128.or(bytes, v128.load(OPAQUE));
}

/** The bytes of the output color space for the light of four pixels. */
function encoded(light01: v128, light23: v128): v128 {
  v128.store(LIGHT, light01);
  v128.store(LIGHT, light23, 16);
  let pixels = v128.load(OPAQUE);
  pixels = i32x4.replace_lane(pixels, 0, encodedPixel(LIGHT));
  pixels = i32x4.replace_lane(pixels, 1, encodedPixel(LIGHT + 8));
  pixels = i32x4.replace_lane(pixels, 2, encodedPixel(LIGHT + 16));
  return i32x4.replace_lane(pixels, 3, encodedPixel(LIGHT + 24));
}

// @ts-ignore: decorator
@inline
function encodedPixel(light: i32): i32 {
  const red = <u32>load<u8>(encoding + <i32>load<u16>(light));
  const green = <u32>load<u8>(encoding + <i32>load<u16>(light, 2));
  const blue = <u32>load<u8>(encoding + <i32>load<u16>(light, 4));
  return <i32>(red | (green << 8) | (blue << 16) | 0xff000000);
}
