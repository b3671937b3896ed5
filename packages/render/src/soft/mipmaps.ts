/** Halves pictures for mipmaps: each texel of the smaller level is the mean over the area that it covers. */

/** RGBA: bytes, or steps of linear light. */
export interface Pixels {
  readonly data: Uint8Array | Uint16Array;
  readonly width: number;
  readonly height: number;
}

/** The next mipmap level: half the size, rounded down, at least 1. */
export function halve({ data, width, height }: Pixels): Pixels {
  const half = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) };
  const length = half.width * half.height * 4;
  const out = data instanceof Uint8Array ? new Uint8Array(length) : new Uint16Array(length);
  if (width % 2 === 0 && height % 2 === 0) {
    let to = 0;
    for (let y = 0; y < height; y += 2) {
      for (let x = 0; x < width; x += 2) {
        const top = (y * width + x) * 4;
        const below = top + width * 4;
        for (let channel = 0; channel < 4; channel += 1, to += 1) {
          const left = data[top + channel]! + data[below + channel]!;
          const right = data[top + 4 + channel]! + data[below + 4 + channel]!;
          out[to] = (left + right + 2) >> 2;
        }
      }
    }
    return { data: out, ...half };
  }
  const columns = shares(width, half.width);
  const rows = shares(height, half.height);
  const area = (width / half.width) * (height / half.height);
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      for (let channel = 0; channel < 4; channel += 1) {
        let sum = 0;
        for (const [row, down] of rows[y]!) {
          for (const [column, across] of columns[x]!)
            sum += data[(row * width + column) * 4 + channel]! * down * across;
        }
        out[(y * half.width + x) * 4 + channel] = Math.floor(sum / area + 0.5);
      }
    }
  }
  return { data: out, ...half };
}

/** For each of `to` equal parts of `from` texels: the texels in it, and the covered share of each. */
function shares(from: number, to: number): [texel: number, share: number][][] {
  const size = from / to;
  return Array.from({ length: to }, (_, part) => {
    const [start, end] = [part * size, (part + 1) * size];
    const texels: [number, number][] = [];
    for (let texel = Math.floor(start); texel < Math.min(Math.ceil(end - 1e-9), from); texel += 1) {
      texels.push([texel, Math.min(end, texel + 1) - Math.max(start, texel)]);
    }
    return texels;
  });
}
