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

/** Without arrays: worlds are built for every episode, and these loops then made most of its garbage. */
function join(vertices: Float32Array, stride: number, triangles: Int32Array, at: number): number[] | undefined {
  for (let first = 0; first < 3; first += 1) {
    const a = triangles[at + first]!;
    const b = triangles[at + ((first + 1) % 3)]!;
    const c = triangles[at + ((first + 2) % 3)]!;
    for (let second = 0; second < 3; second += 1) {
      const d = triangles[at + 3 + second]!;
      const e = triangles[at + 3 + ((second + 1) % 3)]!;
      const f = triangles[at + 3 + ((second + 2) % 3)]!;
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
    const atA = vertices[a * stride + offset]!;
    const atF = vertices[f * stride + offset]!;
    const atB = vertices[b * stride + offset]!;
    const atC = vertices[c * stride + offset]!;
    const most = Math.max(atA, atF, atB, atC);
    const least = Math.min(atA, atF, atB, atC);
    const size = Math.max(most, -least, most - least);
    if (Math.abs(atA + atF - atB - atC) > TOLERANCE * size) return false;
  }
  return true;
}
