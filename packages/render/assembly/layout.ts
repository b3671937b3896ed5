/** Byte offsets of the records in memory. They equal the numbers in `src/soft/layout.ts`, which explains them. */

export const TILE: i32 = 8;
export const LIGHT_STEPS: i32 = 32640;

export const FRAME_WIDTH: i32 = 0;
export const FRAME_HEIGHT: i32 = 4;
export const FRAME_TILES_X: i32 = 8;
export const FRAME_TILES_Y: i32 = 12;
export const FRAME_SAMPLES: i32 = 16;
export const FRAME_TILES: i32 = 20;
export const FRAME_SAMPLE_DATA: i32 = 24;
export const FRAME_PRIMITIVES: i32 = 28;
export const FRAME_PRIMITIVE_COUNT: i32 = 32;
export const FRAME_VERTICES: i32 = 36;
export const FRAME_COLOR: i32 = 40;
export const FRAME_CLEAR_COLOR: i32 = 44;
export const FRAME_ORTHOGRAPHIC: i32 = 48;
export const FRAME_RGB: i32 = 52;
export const FRAME_RGBA: i32 = 56;
export const FRAME_DEPTH: i32 = 60;
export const FRAME_INSTANCES: i32 = 64;
export const FRAME_SEGMENTS: i32 = 68;
export const FRAME_NEAR_NEARNESS: i32 = 72;
export const FRAME_FAR_NEARNESS: i32 = 80;
export const FRAME_NEAR: i32 = 88;
export const FRAME_FAR: i32 = 96;
export const FRAME_FAST: i32 = 104;
export const FRAME_ENCODING: i32 = 108;

export const DRAW_NORMAL_MATRIX: i32 = 128;
export const DRAW_UV_MATRIX: i32 = 200;
export const DRAW_BASE_COLOR: i32 = 248;
export const DRAW_AMBIENT: i32 = 272;
export const DRAW_EMISSIVE: i32 = 296;
export const DRAW_FLAGS: i32 = 320;
export const DRAW_FACING: i32 = 324;
export const DRAW_VERTICES: i32 = 328;
export const DRAW_VERTEX_COUNT: i32 = 332;
export const DRAW_PRIMITIVES: i32 = 336;
export const DRAW_PRIMITIVE_COUNT: i32 = 340;
export const DRAW_TEXTURE: i32 = 344;
export const DRAW_INSTANCE: i32 = 348;
export const DRAW_SEGMENT: i32 = 352;
export const DRAW_LIGHT_COUNT: i32 = 356;
export const DRAW_LIGHTS: i32 = 360;

export const FLAG_LIT: i32 = 1;
export const FLAG_VERTEX_COLORS: i32 = 2;
export const FLAG_UNIT_NORMALS: i32 = 4;

export const VERTEX_BYTES: i32 = 48;
export const PRIMITIVE_BYTES: i32 = 16;
export const SCREEN_VERTEX_BYTES: i32 = 72;

export const TILE_BYTES: i32 = 16;
export const TILE_OCCLUSION: i32 = 12;
export const TILE_EMPTY: i32 = -1;
export const TILE_SPLIT: i32 = -2;

export const SURFACE_NEARNESS: i32 = 0;
export const SURFACE_INVERSE_W: i32 = 24;
export const SURFACE_U: i32 = 48;
export const SURFACE_V: i32 = 72;
export const SURFACE_RED: i32 = 96;
export const SURFACE_GREEN: i32 = 120;
export const SURFACE_BLUE: i32 = 144;
export const SURFACE_TEXTURE: i32 = 168;
export const SURFACE_SHADED: i32 = 172;
export const SURFACE_FLAT_COLOR: i32 = 176;
export const SURFACE_INSTANCE: i32 = 180;
export const SURFACE_SEGMENT: i32 = 184;
export const SURFACE_FLAT_FACTOR: i32 = 192;
export const SURFACE_BOUNDS: i32 = 200;
export const SURFACE_EDGE_COUNT: i32 = 232;
export const SURFACE_EDGES: i32 = 240;
export const EDGE_BYTES: i32 = 24;
export const SURFACE_BYTES: i32 = 400;

export const TEXTURE_LAST_LEVEL: i32 = 0;
export const TEXTURE_WRAP_U: i32 = 4;
export const TEXTURE_WRAP_V: i32 = 8;
export const TEXTURE_NEAREST: i32 = 12;
export const TEXTURE_WIDE: i32 = 16;
export const TEXTURE_LEVELS: i32 = 20;
export const LEVEL_BYTES: i32 = 16;

export const WRAP_REPEAT: i32 = 0;
export const WRAP_CLAMP: i32 = 1;
