/** Pictures as plain bytes: returned by environments, read by models, referenced in trajectories. */

/** Row-major 8-bit picture: `data.length === height * width * channels`, rows from the top, channels interleaved. */
export interface Image<Channels extends 1 | 3 | 4 = 1 | 3 | 4> {
  readonly data: Uint8Array;
  readonly height: number;
  readonly width: number;
  readonly channels: Channels;
}

export type RgbImage = Image<3>;
