/**
 * Byte offsets of the records that the host and the kernels share in the kernel's memory, all little-endian.
 * `assembly/layout.ts` repeats the numbers for AssemblyScript; the tests that compare both kernels pin them.
 */

/** Side of a tile in pixels. Coverage and depth are stored per tile. */
export const TILE = 8;

/** Linear light of a pixel is stored in these steps: texels of 255 << 7 times factors of 32767. */
export const LIGHT_STEPS = 32_640;

/** One frame: sizes, buffers and depth limits. i32 unless stated otherwise. */
export const FRAME = {
  width: 0,
  height: 4,
  tilesX: 8,
  tilesY: 12,
  /** Samples per pixel, 1 or 4. */
  samples: 16,
  /** Tile records. */
  tiles: 20,
  /** Samples of split tiles. */
  sampleData: 24,
  /** Records of visible primitives; the draw calls append to them. */
  primitives: 28,
  primitiveCount: 32,
  /** Scratch for the transformed vertices of one draw call. */
  vertices: 36,
  /** RGBA8, rows of `tilesX * 8` pixels; 0 if color is not requested. */
  color: 40,
  /** RGBA8 of uncovered pixels. */
  clearColor: 44,
  orthographic: 48,
  /** Outputs without padding; 0 if not requested. */
  rgb: 52,
  rgba: 56,
  depth: 60,
  instances: 64,
  segments: 68,
  /** f64: nearness at the near and far plane. */
  nearNearness: 72,
  farNearness: 80,
  /** f64: distances of the near and far plane. */
  near: 88,
  far: 96,
  /** 1: one texel of one mipmap level per tile and surface, without filtering. */
  fast: 104,
  /** Bytes of the output color space by linear light of 0 to `LIGHT_STEPS - 1`; 0: bytes are linear light. */
  encoding: 108,
  size: 112,
} as const;

/** One draw call: f64 matrices first, then i32. */
export const DRAW = {
  /** f64 [4 rows, 4]: object space → homogeneous pixel x, y, w, and nearness (orthographic cameras only). */
  matrix: 0,
  /** f64 [3, 3]: object normals → world. */
  normalMatrix: 128,
  /** f64 [2, 3]: texture coordinates. */
  uvMatrix: 200,
  /** f64 [3]. */
  baseColor: 248,
  ambient: 272,
  emissive: 296,
  /** i32 from here on. */
  flags: 320,
  /** 1: counterclockwise is the front; -1: clockwise. */
  facing: 324,
  vertices: 328,
  vertexCount: 332,
  primitives: 336,
  primitiveCount: 340,
  texture: 344,
  instance: 348,
  segment: 352,
  lightCount: 356,
  /** f64 [lightCount, 6]: direction toward the light, color. */
  lights: 360,
  maxLights: 8,
  size: 752,
} as const;

export const DRAW_LIT = 1;
export const DRAW_VERTEX_COLORS = 2;
export const DRAW_UNIT_NORMALS = 4;

/** A vertex as uploaded: f32 position [3], normal [3], uv [2], color [3], unused [1]. */
export const VERTEX_BYTES = 48;
/** A primitive as uploaded: i32 vertex index [4], the last one -1 for a triangle. */
export const PRIMITIVE_BYTES = 16;
/** A vertex after transformation: f64 x, y, w, nearness, u, v, r, g, b. */
export const SCREEN_VERTEX_BYTES = 72;

/**
 * A tile: i32 state, f32 nearness of its nearest sample, f32 lower bound of the nearness of its farthest sample, and only
 * in the WebAssembly kernel f32 nearness of which the primitives that cover the whole tile leave nothing farther to see.
 */
export const TILE_BYTES = 16;
/** Nothing was drawn in the tile. */
export const TILE_EMPTY = -1;
/** The tile's samples are stored separately. A state >= 0 is the single primitive that covers the whole tile. */
export const TILE_SPLIT = -2;

/** A primitive: planes a*x + b*y + c over pixel coordinates, f64 [3] per plane, then i32. */
export const SURFACE = {
  /** Nearness: 1/distance for perspective cameras, 1 (near) to 0 (far) for orthographic ones; larger is nearer. */
  nearness: 0,
  /** 1/w. */
  inverseW: 24,
  u: 48,
  v: 72,
  red: 96,
  green: 120,
  blue: 144,
  /** i32 */
  texture: 168,
  /** i32: 1 if color varies over the primitive. */
  shaded: 172,
  /** RGBA8 of a primitive with one color and no texture. */
  flatColor: 176,
  instance: 180,
  segment: 184,
  /** i16 [4]: color as multiples of 1/32767. */
  flatFactor: 192,
  /** Only in the WebAssembly kernel. f64: least and most x, least and most y. */
  bounds: 200,
  edgeCount: 232,
  /** f64 [edgeCount, 3] */
  edges: 240,
  size: 400,
} as const;

/** A texture: i32 unless stated otherwise. */
export const TEXTURE = {
  lastLevel: 0,
  wrapU: 4,
  wrapV: 8,
  nearest: 12,
  /** 1: channels are i16 of linear light, 0 to `LIGHT_STEPS`; 0: bytes. */
  wide: 16,
  /**
   * Levels, the last one twice: i32 address, i32 texels per row including border, f32 256 * width, f32 256 * height.
   */
  levels: 20,
  levelBytes: 16,
} as const;

export const WRAP_REPEAT = 0;
export const WRAP_CLAMP = 1;
export const WRAP_MIRROR = 2;
