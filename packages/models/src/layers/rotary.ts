/**
 * Rotary positions (arXiv 2104.09864) in the rotate-half form of the Qwen family: entry i of the first half of a head
 * pairs with entry i of the second half.
 *
 * A `Rotary` holds the cosines and sines of some positions; the caller decides where the angles come from (one text
 * axis, or rows and columns of a picture).
 */
import { arange, cat, type DType, full, nn, type Tensor, tidy } from '@vlgym/gpu';

/** A type, not an interface: it must be assignable to `Positions`. */
export type Rotary = {
  /** [batch or 1, positions, 1, head width] */
  readonly cos: Tensor;
  /** The sines in the same shape, negative on the first half. */
  readonly sin: Tensor;
};

/** Angles of layers with a window that differ from those of the other layers (Gemma 3). */
export type LayeredRotary = Rotary & {
  readonly localCos: Tensor;
  readonly localSin: Tensor;
};

/** The angles of layers with a window. */
export function localRotary(positions: Rotary): Rotary {
  const { localCos, localSin } = positions as Partial<LayeredRotary>;
  return localCos && localSin ? { cos: localCos, sin: localSin } : positions;
}

/** Angular frequencies of a head: base^(-2i / width) for i < width / 2. */
export function frequencies(width: number, base: number): Float64Array {
  return Float64Array.from({ length: width / 2 }, (_, i) => base ** (-(2 * i) / width));
}

/** The same computed in float32 throughout, as PyTorch models keep them: `1 / base ** (arange(0, width, 2) / width)`. */
export function publishedFrequencies(width: number, base: number): Float64Array {
  return tidy(() => {
    const exponents = arange(0, width, 2, { dtype: 'float32', device: 'cpu' }).div(width);
    return Float64Array.from(
      full([width / 2], base, { device: 'cpu' })
        .pow(exponents)
        .reciprocal()
        .toNumbers(),
    );
  });
}

/** Angles are exact to position 256 in bfloat16 and to 2048 in float16: they need more. */
export function angleDtype(dtype: DType): 'float32' | 'float64' {
  return dtype === 'float64' ? 'float64' : 'float32';
}

/**
 * @param angles [batch or 1, positions, head width / 2] radians, in float32 or wider.
 * @param dtype  Dtype of cosines and sines; default: that of the angles.
 */
export function rotary(angles: Tensor, dtype: DType = angles.dtype): Rotary {
  const sin = angles.sin();
  const cos = angles.cos();
  const cast = (tensor: Tensor) => (dtype === angles.dtype ? tensor : tensor.to(dtype));
  return { cos: cast(cat([cos, cos], -1).unsqueeze(2)), sin: cast(cat([sin.neg(), sin], -1).unsqueeze(2)) };
}

/** x [batch, positions, heads, head width], rotated by the angles of its positions. */
export function rotate(x: Tensor, { cos, sin }: Rotary): Tensor {
  return nn.functional.rotate(x, cos, sin);
}
