/**
 * Joins pairs of triangles that form one parallelogram, in every attribute, into one primitive. Walls, floors and the
 * faces of boxes then have no diagonal, and half as many edges to process.
 */

/** Maximum relative deviation of four vertices from a parallelogram. */
const TOLERANCE = 1e-6;

/**
 * @param vertices   Records of `stride` floats.
 * @param triangles  Vertex indices, three per triangle; only consecutive triangles are joined.
 * @returns Four vertex indices per primitive, in order around it; the last one is -1 for a triangle.
 */
export function joinTriangles(vertices: Float32Array, stride: number, triangles: Int32Array): Int32Array {
  const primitives: number[] = [];
  for (let at = 0; at < triangles.length; at += 3) {
    const joined = at + 3 < triangles.length && join(vertices, stride, triangles, at);
    if (joined) {
      primitives.push(...joined);
      at += 3;
    } else {
      primitives.push(triangles[at]!, triangles[at + 1]!, triangles[at + 2]!, -1);
    }
  }
  return Int32Array.from(primitives);
}

function join(vertices: Float32Array, stride: number, triangles: Int32Array, at: number): number[] | undefined {
  for (let first = 0; first < 3; first += 1) {
    const [a, b, c] = [0, 1, 2].map((offset) => triangles[at + ((first + offset) % 3)]!) as [number, number, number];
    for (let second = 0; second < 3; second += 1) {
      const [d, e, f] = [0, 1, 2].map((offset) => triangles[at + 3 + ((second + offset) % 3)]!) as [
        number,
        number,
        number,
      ];
      // The first triangle's edge from b to c is the second's edge from c to b, and f lies opposite a.
      if (same(vertices, stride, c, d) && same(vertices, stride, b, e) && opposite(vertices, stride, a, f, b, c)) {
        return [a, b, f, c];
      }
    }
  }
  return undefined;
}

function same(vertices: Float32Array, stride: number, one: number, other: number): boolean {
  if (one === other) return true;
  for (let offset = 0; offset < stride; offset += 1) {
    if (vertices[one * stride + offset] !== vertices[other * stride + offset]) return false;
  }
  return true;
}

/** True if the diagonals a-f and b-c bisect each other, in all attributes. */
function opposite(vertices: Float32Array, stride: number, a: number, f: number, b: number, c: number): boolean {
  for (let offset = 0; offset < stride; offset += 1) {
    const values = [a, f, b, c].map((index) => vertices[index * stride + offset]!) as [number, number, number, number];
    const size = Math.max(...values.map(Math.abs), Math.max(...values) - Math.min(...values));
    if (Math.abs(values[0] + values[1] - values[2] - values[3]) > TOLERANCE * size) return false;
  }
  return true;
}
