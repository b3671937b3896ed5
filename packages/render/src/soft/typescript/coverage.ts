/**
 * Finds the samples that a convex primitive (triangle or parallelogram) covers and where it is the nearest surface.
 *
 * Edge functions are computed from homogeneous vertices (Olano and Greer, "Triangle scan conversion using 2D
 * homogeneous coordinates", 1997), so primitives need no clipping at the sides of the view; the near and far planes are
 * two more edges. Every step is odd in the edge's coefficients, so two primitives that share an edge get exactly
 * negated values, and each sample belongs to exactly one of them.
 *
 * Coverage is stored per tile of 8 x 8 pixels. A tile covered by one primitive is a single number; only tiles crossed
 * by an edge or a change in depth order store their samples. Shading happens later.
 */
import type { KernelMemory } from '../kernel.js';
import {
  DRAW,
  FRAME,
  PRIMITIVE_BYTES,
  SCREEN_VERTEX_BYTES,
  SURFACE,
  TILE,
  TILE_BYTES,
  TILE_EMPTY,
  TILE_SPLIT,
} from '../layout.js';

const { fround } = Math;

/** Sample positions in a pixel: the usual rotated grid, or the center for one sample. */
const SAMPLE_X = [0.375, 0.875, 0.125, 0.625] as const;
const SAMPLE_Y = [0.125, 0.375, 0.625, 0.875] as const;

/** Tiles whose corners are within this distance of an edge, in pixels, are tested sample by sample. */
const MARGIN = 1e-4;
/** The same margin for depth, relative. */
const DEPTH_MARGIN = 1e-6;
/** Pixels by which the bounds of a primitive are widened. */
const REACH = 1 / 64;
/** The smallest positive number, the threshold of exclusive edges: samples on them belong to the neighbor. */
const TINY = fround(1.4e-45);
const MAX_EDGES = 6;

/** Draws one primitive at a time; each kernel reuses one instance. */
export class Coverage {
  readonly #memory: KernelMemory;
  #frame = 0;
  #call = 0;
  /** Vertices counterclockwise on a screen whose y axis points down: x, y, w, nearness, u, v, r, g, b. */
  readonly #corner = [0, 0, 0, 0];
  #corners = 3;
  readonly #edge = new Float64Array(MAX_EDGES * 3);
  #edges = 0;
  /** Planes that, weighted by the vertex values of an attribute, sum to the attribute's plane. */
  readonly #weight = new Float64Array(9);
  #nearnessX = 0;
  #nearnessY = 0;
  #nearness0 = 0;
  /** Index of this primitive's record; -1 until it is visible somewhere. */
  #surface = -1;
  #minX = 0;
  #maxX = 0;
  #minY = 0;
  #maxY = 0;

  constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  /** Draws all primitives of a draw call; its vertices must be transformed. */
  drawAll(frame: number, call: number): void {
    this.#frame = frame;
    this.#call = call;
    const { i32 } = this.#memory;
    const count = i32[(call + DRAW.primitiveCount) >> 2]!;
    let primitive = i32[(call + DRAW.primitives) >> 2]! >> 2;
    for (let index = 0; index < count; index += 1, primitive += PRIMITIVE_BYTES >> 2) {
      if (this.#setUp(primitive)) this.#drawTiles();
    }
  }

  /** @returns False if the primitive cannot cover a sample. */
  #setUp(primitive: number): boolean {
    const { i32, f64 } = this.#memory;
    const vertices = i32[(this.#frame + FRAME.vertices) >> 2]!;
    const corner = this.#corner;
    const address = (index: number) => (vertices + i32[primitive + index]! * SCREEN_VERTEX_BYTES) >> 3;
    this.#corners = i32[primitive + 3]! < 0 ? 3 : 4;
    corner[0] = address(0);
    // The y axis of the screen points down, which reverses the front's counterclockwise order.
    if (i32[(this.#call + DRAW.facing) >> 2]! > 0) {
      corner[1] = address(this.#corners - 1);
      corner[2] = address(this.#corners - 2);
      if (this.#corners === 4) corner[3] = address(1);
    } else {
      corner[1] = address(1);
      corner[2] = address(2);
      if (this.#corners === 4) corner[3] = address(3);
    }

    const [p0, p1, p2] = [corner[0], corner[1], corner[2]];
    const [x0, y0, w0] = [f64[p0]!, f64[p0 + 1]!, f64[p0 + 2]!];
    const [x1, y1, w1] = [f64[p1]!, f64[p1 + 1]!, f64[p1 + 2]!];
    const [x2, y2, w2] = [f64[p2]!, f64[p2 + 1]!, f64[p2 + 2]!];
    const a0 = y1 * w2 - w1 * y2;
    const b0 = w1 * x2 - x1 * w2;
    const c0 = x1 * y2 - y1 * x2;
    const determinant = x0 * a0 + y0 * b0 + w0 * c0;
    if (!(determinant > 0)) return false; // back-facing or edge-on
    if (!this.#bound()) return false;

    const scale = 1 / determinant;
    if (!(scale < 1e300)) return false;
    const weight = this.#weight;
    weight[0] = a0 * scale;
    weight[1] = b0 * scale;
    weight[2] = c0 * scale;
    weight[3] = (y2 * w0 - w2 * y0) * scale;
    weight[4] = (w2 * x0 - x2 * w0) * scale;
    weight[5] = (x2 * y0 - y2 * x0) * scale;
    weight[6] = (y0 * w1 - w0 * y1) * scale;
    weight[7] = (w0 * x1 - x0 * w1) * scale;
    weight[8] = (x0 * y1 - y0 * x1) * scale;
    if (i32[(this.#frame + FRAME.orthographic) >> 2]!) {
      const [d0, d1, d2] = [f64[p0 + 3]!, f64[p1 + 3]!, f64[p2 + 3]!];
      this.#nearnessX = d0 * weight[0]! + d1 * weight[3]! + d2 * weight[6]!;
      this.#nearnessY = d0 * weight[1]! + d1 * weight[4]! + d2 * weight[7]!;
      this.#nearness0 = d0 * weight[2]! + d1 * weight[5]! + d2 * weight[8]!;
    } else {
      this.#nearnessX = weight[0]! + weight[3]! + weight[6]!;
      this.#nearnessY = weight[1]! + weight[4]! + weight[7]!;
      this.#nearness0 = weight[2]! + weight[5]! + weight[8]!;
    }
    return this.#setUpEdges();
  }

  /** Sets the pixel bounds of the part in front of the near plane. @returns False if they contain no sample. */
  #bound(): boolean {
    const { i32, f64 } = this.#memory;
    const frame = this.#frame;
    const orthographic = i32[(frame + FRAME.orthographic) >> 2]!;
    const near = orthographic ? -1 : f64[(frame + FRAME.near) >> 3]!;
    let minX = Number.POSITIVE_INFINITY;
    let maxX = Number.NEGATIVE_INFINITY;
    let minY = Number.POSITIVE_INFINITY;
    let maxY = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < this.#corners; index += 1) {
      const here = this.#corner[index]!;
      const w = f64[here + 2]!;
      if (w >= near) {
        const x = f64[here]! / w;
        const y = f64[here + 1]! / w;
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
      }
      const next = this.#corner[index + 1 < this.#corners ? index + 1 : 0]!;
      const nextW = f64[next + 2]!;
      if (w >= near !== nextW >= near) {
        const part = (near - w) / (nextW - w);
        const x = (f64[here]! + part * (f64[next]! - f64[here]!)) / near;
        const y = (f64[here + 1]! + part * (f64[next + 1]! - f64[here + 1]!)) / near;
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
      }
    }
    const width = i32[(frame + FRAME.width) >> 2]!;
    const height = i32[(frame + FRAME.height) >> 2]!;
    minX = minX - REACH;
    minY = minY - REACH;
    maxX = maxX + REACH;
    maxY = maxY + REACH;
    if (!(maxX >= 0 && minX <= width && maxY >= 0 && minY <= height)) return false;
    if (minX < 0) minX = 0;
    if (minY < 0) minY = 0;
    if (maxX > width) maxX = width;
    if (maxY > height) maxY = height;
    // Each sample has its own column and row within a pixel: check that the bounds contain one of each.
    const many = i32[(frame + FRAME.samples) >> 2] === 4;
    const step = many ? 4 : 1;
    const first = many ? 0.125 : 0.5;
    if (Math.ceil((minX - first) * step) > Math.floor((maxX - first) * step)) return false;
    if (Math.ceil((minY - first) * step) > Math.floor((maxY - first) * step)) return false;
    this.#minX = minX;
    this.#maxX = maxX;
    this.#minY = minY;
    this.#maxY = maxY;
    return true;
  }

  #setUpEdges(): boolean {
    const { f64 } = this.#memory;
    this.#edges = 0;
    for (let index = 0; index < this.#corners; index += 1) {
      const from = this.#corner[index]!;
      const to = this.#corner[index + 1 < this.#corners ? index + 1 : 0]!;
      const [x0, y0, w0] = [f64[from]!, f64[from + 1]!, f64[from + 2]!];
      const [x1, y1, w1] = [f64[to]!, f64[to + 1]!, f64[to + 2]!];
      this.#addEdge(y0 * w1 - w0 * y1, w0 * x1 - x0 * w1, x0 * y1 - y0 * x1);
    }
    const nearest = f64[(this.#frame + FRAME.nearNearness) >> 3]!;
    const farthest = f64[(this.#frame + FRAME.farNearness) >> 3]!;
    const orthographic = this.#memory.i32[(this.#frame + FRAME.orthographic) >> 2]!;
    const near = f64[(this.#frame + FRAME.near) >> 3]!;
    const far = f64[(this.#frame + FRAME.far) >> 3]!;
    let before = 0;
    let beyond = 0;
    for (let index = 0; index < this.#corners; index += 1) {
      const corner = this.#corner[index]!;
      const w = f64[corner + 2]!;
      const nearness = f64[corner + 3]!;
      if (orthographic ? nearness > nearest : w < near) before += 1;
      if (orthographic ? nearness < farthest : w > far) beyond += 1;
    }
    if (before === this.#corners || beyond === this.#corners) return false;
    if (before > 0) this.#addEdge(-this.#nearnessX, -this.#nearnessY, nearest - this.#nearness0);
    if (beyond > 0) this.#addEdge(this.#nearnessX, this.#nearnessY, this.#nearness0 - farthest);
    return true;
  }

  /** a*x + b*y + c > 0 inside; scaled so that the value approximates the distance in pixels. */
  #addEdge(a: number, b: number, c: number): void {
    const length = Math.abs(a) + Math.abs(b);
    const scale = length > 0 ? 1 / length : 1;
    const at = this.#edges * 3;
    this.#edge[at] = a * scale;
    this.#edge[at + 1] = b * scale;
    this.#edge[at + 2] = c * scale;
    this.#edges += 1;
  }

  #drawTiles(): void {
    this.#surface = -1;
    const edge = this.#edge;
    const firstColumn = Math.floor(this.#minX / TILE);
    const tilesX = this.#memory.i32[(this.#frame + FRAME.tilesX) >> 2]!;
    const tilesY = this.#memory.i32[(this.#frame + FRAME.tilesY) >> 2]!;
    const lastColumn = Math.min(Math.floor(this.#maxX / TILE), tilesX - 1);
    const lastRow = Math.min(Math.floor(this.#maxY / TILE), tilesY - 1);
    for (let row = Math.floor(this.#minY / TILE); row <= lastRow; row += 1) {
      let first = firstColumn;
      let last = lastColumn;
      let firstFull = firstColumn;
      let lastFull = lastColumn;
      for (let index = 0; index < this.#edges; index += 1) {
        const a = edge[index * 3]!;
        const b = edge[index * 3 + 1]!;
        const here = b * (row * TILE) + edge[index * 3 + 2]!;
        const stepX = a * TILE;
        const stepY = b * TILE;
        const most = here + (a > 0 ? stepX : 0) + (b > 0 ? stepY : 0) + MARGIN;
        const least = here + (a > 0 ? 0 : stepX) + (b > 0 ? 0 : stepY) - MARGIN;
        if (stepX > 1e-8) {
          first = Math.max(first, Math.ceil(-most / stepX));
          firstFull = Math.max(firstFull, Math.ceil(-least / stepX));
        } else if (stepX < -1e-8) {
          last = Math.min(last, Math.floor(-most / stepX));
          lastFull = Math.min(lastFull, Math.floor(-least / stepX));
        } else {
          if (!(most >= 0)) last = -1;
          if (!(least >= 0)) lastFull = -1;
        }
      }
      for (let column = first; column <= last; column += 1) {
        this.#drawTile(column, row, column >= firstFull && column <= lastFull);
      }
    }
  }

  #drawTile(column: number, row: number, full: boolean): void {
    const { i32, f32, f64 } = this.#memory;
    const frame = this.#frame;
    const index = row * i32[(frame + FRAME.tilesX) >> 2]! + column;
    const tile = (i32[(frame + FRAME.tiles) >> 2]! + index * TILE_BYTES) >> 2;
    const state = i32[tile]!;
    const x = column * TILE;
    const y = row * TILE;
    const stepX = this.#nearnessX * TILE;
    const stepY = this.#nearnessY * TILE;
    const origin = this.#nearnessX * x + this.#nearnessY * y + this.#nearness0;
    const nearest = origin + Math.max(stepX, 0) + Math.max(stepY, 0);
    const farthest = origin + Math.min(stepX, 0) + Math.min(stepY, 0);

    if (state >= 0) {
      // The difference of two planes is largest and smallest at corners.
      const other = (i32[(frame + FRAME.primitives) >> 2]! + state * SURFACE.size + SURFACE.nearness) >> 3;
      const apartX = stepX - f64[other]! * TILE;
      const apartY = stepY - f64[other + 1]! * TILE;
      const apart = origin - (f64[other]! * x + f64[other + 1]! * y + f64[other + 2]!);
      const most = apart + Math.max(apartX, 0) + Math.max(apartY, 0);
      const least = apart + Math.min(apartX, 0) + Math.min(apartY, 0);
      const margin = DEPTH_MARGIN * (Math.abs(nearest) + Math.abs(farthest));
      if (most < -margin) return;
      if (full && least > margin) {
        this.#cover(tile, nearest, farthest);
        return;
      }
    } else if (full && (state === TILE_EMPTY || farthest > f32[tile + 1]! * (1 + DEPTH_MARGIN))) {
      this.#cover(tile, nearest, farthest);
      return;
    } else if (nearest < f32[tile + 2]! * (1 - DEPTH_MARGIN)) {
      return; // behind everything in the tile
    }
    this.#drawSamples(index, tile, x, y, full, nearest);
  }

  #cover(tile: number, nearest: number, farthest: number): void {
    const { i32, f32 } = this.#memory;
    i32[tile] = this.#record();
    f32[tile + 1] = nearest;
    f32[tile + 2] = farthest;
  }

  #drawSamples(index: number, tile: number, x: number, y: number, full: boolean, nearest: number): void {
    const { i32, f32 } = this.#memory;
    const samples = i32[(this.#frame + FRAME.samples) >> 2]!;
    const groupWords = samples * 8;
    const data = (i32[(this.#frame + FRAME.sampleData) >> 2]! >> 2) + index * 16 * groupWords;

    // Edges that cross the tile.
    const crossing: number[] = [];
    for (let each = 0; each < this.#edges && !full; each += 1) {
      const a = this.#edge[each * 3]!;
      const b = this.#edge[each * 3 + 1]!;
      const here = a * x + b * y + this.#edge[each * 3 + 2]!;
      const least = here + (a > 0 ? 0 : a * TILE) + (b > 0 ? 0 : b * TILE);
      if (!(least >= MARGIN)) {
        const most = here + (a > 0 ? a * TILE : 0) + (b > 0 ? b * TILE : 0);
        if (!(most >= -MARGIN)) return;
        const inclusive = a > 0 || (a === 0 && b > 0);
        crossing.push(fround(here), fround(a), fround(b), inclusive ? 0 : TINY);
      }
    }
    const state = i32[tile]!;
    if (state !== TILE_SPLIT) this.#split(tile, data, x, y, samples);
    const surface = this.#record();

    const stepX = fround(this.#nearnessX);
    const stepY = fround(this.#nearnessY);
    const origin = fround(this.#nearnessX * x + this.#nearnessY * y + this.#nearness0);
    // Groups that overlap the bounds.
    const firstRow = Math.max(Math.floor(this.#minY - y), 0);
    const lastRow = Math.min(Math.floor(this.#maxY - y), TILE - 1);
    const firstHalf = this.#minX - x < 4 ? 0 : 1;
    const lastHalf = this.#maxX - x < 4 ? 0 : 1;
    const all = lastRow - firstRow === TILE - 1 && firstHalf !== lastHalf;
    let farthest = Number.POSITIVE_INFINITY;
    for (let group = firstRow * 2; group < lastRow * 2 + 2; group += 1) {
      if ((group & 1) < firstHalf || (group & 1) > lastHalf) continue;
      const groupX = (group & 1) * 4;
      const groupY = group >> 1;
      const at = data + group * groupWords;
      for (let sample = 0; sample < samples; sample += 1) {
        const sampleX = samples === 4 ? SAMPLE_X[sample]! : 0.5;
        const sampleY = samples === 4 ? SAMPLE_Y[sample]! : 0.5;
        for (let lane = 0; lane < 4; lane += 1) {
          const inX = fround(lane + sampleX);
          let inside = true;
          for (let each = 0; each < crossing.length; each += 4) {
            const a = crossing[each + 1]!;
            const b = crossing[each + 2]!;
            const start = fround(fround(crossing[each]! + fround(a * inX)) + fround(b * sampleY));
            const value = fround(start + fround(fround(a * groupX) + fround(b * groupY)));
            inside &&= value >= crossing[each + 3]!;
          }
          const start = fround(fround(origin + fround(stepX * inX)) + fround(stepY * sampleY));
          const nearness = fround(start + fround(fround(stepX * groupX) + fround(stepY * groupY)));
          const place = at + sample * 4 + lane;
          if (inside && nearness > f32[place]!) {
            f32[place] = nearness;
            i32[place + samples * 4] = surface;
          }
          if (f32[place]! < farthest) farthest = f32[place]!;
        }
      }
    }
    f32[tile + 1] = Math.max(f32[tile + 1]!, fround(nearest));
    if (all) f32[tile + 2] = farthest;
  }

  /** Expands an empty tile, or a tile of one surface, to separate samples. */
  #split(tile: number, data: number, x: number, y: number, samples: number): void {
    const { i32, f32, f64 } = this.#memory;
    const state = i32[tile]!;
    i32[tile] = TILE_SPLIT;
    const groupWords = samples * 8;
    let stepX = 0;
    let stepY = 0;
    let origin = -1;
    if (state >= 0) {
      const surface = (i32[(this.#frame + FRAME.primitives) >> 2]! + state * SURFACE.size + SURFACE.nearness) >> 3;
      stepX = fround(f64[surface]!);
      stepY = fround(f64[surface + 1]!);
      origin = fround(f64[surface]! * x + f64[surface + 1]! * y + f64[surface + 2]!);
    }
    for (let group = 0; group < 16; group += 1) {
      const groupX = (group & 1) * 4;
      const groupY = group >> 1;
      for (let sample = 0; sample < samples; sample += 1) {
        const sampleX = samples === 4 ? SAMPLE_X[sample]! : 0.5;
        const sampleY = samples === 4 ? SAMPLE_Y[sample]! : 0.5;
        for (let lane = 0; lane < 4; lane += 1) {
          const place = data + group * groupWords + sample * 4 + lane;
          const start = fround(fround(origin + fround(stepX * fround(lane + sampleX))) + fround(stepY * sampleY));
          f32[place] = fround(start + fround(fround(stepX * groupX) + fround(stepY * groupY)));
          i32[place + samples * 4] = state;
        }
      }
    }
  }

  /** Index of this primitive's record, which is written when it first becomes visible. */
  #record(): number {
    if (this.#surface >= 0) return this.#surface;
    const { i32, i16, u8, f64 } = this.#memory;
    const frame = this.#frame;
    const call = this.#call;
    const number = i32[(frame + FRAME.primitiveCount) >> 2]!;
    i32[(frame + FRAME.primitiveCount) >> 2] = number + 1;
    this.#surface = number;
    const address = i32[(frame + FRAME.primitives) >> 2]! + number * SURFACE.size;
    const weight = this.#weight;
    const to = address >> 3;
    f64[to] = this.#nearnessX;
    f64[to + 1] = this.#nearnessY;
    f64[to + 2] = this.#nearness0;
    for (let axis = 0; axis < 3; axis += 1) {
      f64[to + 3 + axis] = weight[axis]! + weight[3 + axis]! + weight[6 + axis]!;
    }
    const [p0, p1, p2] = [this.#corner[0]!, this.#corner[1]!, this.#corner[2]!];
    for (let attribute = 0; attribute < 5; attribute += 1) {
      const value0 = f64[p0 + 4 + attribute]!;
      const value1 = f64[p1 + 4 + attribute]!;
      const value2 = f64[p2 + 4 + attribute]!;
      for (let axis = 0; axis < 3; axis += 1) {
        f64[to + 6 + attribute * 3 + axis] =
          value0 * weight[axis]! + value1 * weight[3 + axis]! + value2 * weight[6 + axis]!;
      }
    }
    let shaded = 0;
    for (let channel = 6; channel < 9; channel += 1) {
      const value = f64[p0 + channel]!;
      if (f64[p1 + channel] !== value || f64[p2 + channel] !== value) shaded = 1;
      u8[address + SURFACE.flatColor + channel - 6] = Math.floor(value * 255 + 0.5);
      i16[(address + SURFACE.flatFactor) / 2 + channel - 6] = Math.floor(value * 32767 + 0.5);
    }
    u8[address + SURFACE.flatColor + 3] = 255;
    i16[(address + SURFACE.flatFactor) / 2 + 3] = 32767;
    i32[(address + SURFACE.texture) >> 2] = i32[(call + DRAW.texture) >> 2]!;
    i32[(address + SURFACE.shaded) >> 2] = shaded;
    i32[(address + SURFACE.instance) >> 2] = i32[(call + DRAW.instance) >> 2]!;
    i32[(address + SURFACE.segment) >> 2] = i32[(call + DRAW.segment) >> 2]!;
    return number;
  }
}
