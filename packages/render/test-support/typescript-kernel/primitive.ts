/**
 * One convex primitive (triangle or parallelogram) on the screen: its edges, bounds, and planes of nearness and attributes.
 *
 * Edge functions are computed from homogeneous vertices (Olano and Greer, "Triangle scan conversion using 2D
 * homogeneous coordinates", 1997), so primitives need no clipping at the sides of the view; the near and far planes are
 * two more edges. Every step is odd in the edge's coefficients, so two primitives that share an edge get exactly
 * negated values, and each sample belongs to exactly one of them.
 */
import type { KernelMemory } from '../../src/soft/kernel.js';
import { DRAW, FRAME, LIGHT_STEPS, SCREEN_VERTEX_BYTES, SURFACE } from '../../src/soft/layout.js';

/** Pixels by which the bounds of a primitive are widened. */
const REACH = 1 / 64;
const MAX_EDGES = 6;

/** Holds one primitive at a time; each kernel reuses one instance. */
export class Primitive {
  /** a, b and c of every edge: a*x + b*y + c > 0 inside. */
  readonly edge = new Float64Array(MAX_EDGES * 3);
  edges = 0;
  /** The plane of nearness: how near the primitive is at x, y. */
  nearnessX = 0;
  nearnessY = 0;
  nearness0 = 0;
  /** Bounds in pixels. */
  minX = 0;
  maxX = 0;
  minY = 0;
  maxY = 0;
  /** Address of the frame that it is drawn in. */
  frame = 0;
  readonly #memory: KernelMemory;
  #call = 0;
  /** Vertices counterclockwise on a screen whose y axis points down: x, y, w, nearness, u, v, r, g, b. */
  readonly #corner = [0, 0, 0, 0];
  #corners = 3;
  /** Planes that, weighted by the vertex values of an attribute, sum to the attribute's plane. */
  readonly #weight = new Float64Array(9);
  /** Index of this primitive's record; -1 until it is visible somewhere. */
  #surface = -1;

  constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  /** @returns False if the primitive cannot cover a sample. */
  setUp(frame: number, call: number, primitive: number): boolean {
    this.frame = frame;
    this.#call = call;
    this.#surface = -1;
    const { i32, f64 } = this.#memory;
    const vertices = i32[(this.frame + FRAME.vertices) >> 2]!;
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
    if (i32[(this.frame + FRAME.orthographic) >> 2]!) {
      const [d0, d1, d2] = [f64[p0 + 3]!, f64[p1 + 3]!, f64[p2 + 3]!];
      this.nearnessX = d0 * weight[0]! + d1 * weight[3]! + d2 * weight[6]!;
      this.nearnessY = d0 * weight[1]! + d1 * weight[4]! + d2 * weight[7]!;
      this.nearness0 = d0 * weight[2]! + d1 * weight[5]! + d2 * weight[8]!;
    } else {
      this.nearnessX = weight[0]! + weight[3]! + weight[6]!;
      this.nearnessY = weight[1]! + weight[4]! + weight[7]!;
      this.nearness0 = weight[2]! + weight[5]! + weight[8]!;
    }
    return this.#setUpEdges();
  }

  /** Sets the pixel bounds of the part in front of the near plane. @returns False if they contain no sample. */
  #bound(): boolean {
    const { i32, f64 } = this.#memory;
    const frame = this.frame;
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
    this.minX = minX;
    this.maxX = maxX;
    this.minY = minY;
    this.maxY = maxY;
    return true;
  }

  #setUpEdges(): boolean {
    const { f64 } = this.#memory;
    this.edges = 0;
    for (let index = 0; index < this.#corners; index += 1) {
      const from = this.#corner[index]!;
      const to = this.#corner[index + 1 < this.#corners ? index + 1 : 0]!;
      const [x0, y0, w0] = [f64[from]!, f64[from + 1]!, f64[from + 2]!];
      const [x1, y1, w1] = [f64[to]!, f64[to + 1]!, f64[to + 2]!];
      this.#addEdge(y0 * w1 - w0 * y1, w0 * x1 - x0 * w1, x0 * y1 - y0 * x1);
    }
    const nearest = f64[(this.frame + FRAME.nearNearness) >> 3]!;
    const farthest = f64[(this.frame + FRAME.farNearness) >> 3]!;
    const orthographic = this.#memory.i32[(this.frame + FRAME.orthographic) >> 2]!;
    const near = f64[(this.frame + FRAME.near) >> 3]!;
    const far = f64[(this.frame + FRAME.far) >> 3]!;
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
    if (before > 0) this.#addEdge(-this.nearnessX, -this.nearnessY, nearest - this.nearness0);
    if (beyond > 0) this.#addEdge(this.nearnessX, this.nearnessY, this.nearness0 - farthest);
    return true;
  }

  /** a*x + b*y + c > 0 inside; scaled so that the value approximates the distance in pixels. */
  #addEdge(a: number, b: number, c: number): void {
    const length = Math.abs(a) + Math.abs(b);
    const scale = length > 0 ? 1 / length : 1;
    const at = this.edges * 3;
    this.edge[at] = a * scale;
    this.edge[at + 1] = b * scale;
    this.edge[at + 2] = c * scale;
    this.edges += 1;
  }

  /** Index of this primitive's record, which is written when it first becomes visible. */
  record(): number {
    if (this.#surface >= 0) return this.#surface;
    const { i32, i16, u8, f64 } = this.#memory;
    const frame = this.frame;
    const call = this.#call;
    const number = i32[(frame + FRAME.primitiveCount) >> 2]!;
    i32[(frame + FRAME.primitiveCount) >> 2] = number + 1;
    this.#surface = number;
    const address = i32[(frame + FRAME.primitives) >> 2]! + number * SURFACE.size;
    const weight = this.#weight;
    const to = address >> 3;
    f64[to] = this.nearnessX;
    f64[to + 1] = this.nearnessY;
    f64[to + 2] = this.nearness0;
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
    const encoding = i32[(frame + FRAME.encoding) >> 2]!;
    let shaded = 0;
    for (let channel = 6; channel < 9; channel += 1) {
      const value = f64[p0 + channel]!;
      if (f64[p1 + channel] !== value || f64[p2 + channel] !== value) shaded = 1;
      const factor = Math.floor(value * 32767 + 0.5);
      const byte = encoding ? u8[encoding + ((LIGHT_STEPS * factor + 0x4000) >> 15)]! : Math.floor(value * 255 + 0.5);
      u8[address + SURFACE.flatColor + channel - 6] = byte;
      i16[(address + SURFACE.flatFactor) / 2 + channel - 6] = factor;
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
