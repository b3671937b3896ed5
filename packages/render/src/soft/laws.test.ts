/** Geometric laws of pictures, checked against independent arithmetic. */
import fc from 'fast-check';
import {
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Scene,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { drawTexture, polygon, randomNumbers } from '../fixtures/scenes.js';
import { createSoftRenderer } from './soft-renderer.js';

const renderer = createSoftRenderer({ outputColorSpace: 'srgb-linear' });
const white = new MeshBasicMaterial({ side: DoubleSide });

/** Covered samples of each pixel, 0 to 4. */
function counts(geometry: BufferGeometry, camera: PerspectiveCamera, width: number, height: number): number[] {
  const scene = new Scene();
  const mesh = new Mesh(geometry, white);
  mesh.frustumCulled = false;
  scene.add(mesh);
  const { rgba } = renderer.render(scene, camera, { width, height, rgba: true });
  return Array.from({ length: width * height }, (_, pixel) => Math.round(rgba[pixel * 4 + 3]! / 63.75));
}

/** A fan of triangles around a point in view, with a ring of points out of view, at random depths. */
function fan(random: () => number, triangles: number): BufferGeometry {
  const points = [new Vector3(random() - 0.5, random() - 0.5, -1 - random() * 2)];
  for (let index = 0; index < triangles; index += 1) {
    const angle = ((index + random() * 0.5) / triangles) * 2 * Math.PI;
    const depth = 1 + random() * 2;
    points.push(new Vector3(Math.cos(angle) * 9 * depth, Math.sin(angle) * 9 * depth, -depth));
  }
  const geometry = new BufferGeometry().setFromPoints(points);
  geometry.setIndex(
    Array.from({ length: triangles }, (_, index) => [0, index + 1, ((index + 1) % triangles) + 1]).flat(),
  );
  return geometry;
}

describe('coverage', () => {
  const camera = new PerspectiveCamera(60, 1, 0.1, 100);

  it('of a rectangle that fills the picture is exactly 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 70 }), fc.nat(), (width, height, seed) => {
        const random = randomNumbers(seed);
        const [x, y] = [5 + random(), 5 + random()];
        const corners = [
          [-x, -y, -2],
          [x, -y, -2],
          [x, y, -2],
          [-x, y, -2],
        ];
        const all = counts(
          polygon(
            corners,
            [[], [], [], []].map(() => [0, 0]),
          ),
          camera,
          width,
          height,
        );
        expect(all.every((count) => count === 4)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('assigns each sample to exactly one of the triangles that meet at edges and corners', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 5, max: 12 }), (seed, triangles) => {
        const geometry = fan(randomNumbers(seed), triangles);
        const sum = new Array<number>(33 * 29).fill(0);
        for (let index = 0; index < triangles; index += 1) {
          geometry.setDrawRange(index * 3, 3);
          counts(geometry, camera, 33, 29).forEach((count, pixel) => {
            sum[pixel]! += count;
          });
        }
        expect(sum.every((count) => count === 4)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('assigns samples exactly on an edge to one side', () => {
    // With vertices at multiples of 1/8 pixel, edges run exactly through samples.
    const flat = new OrthographicCamera(0, 16, 16, 0, 0.1, 10);
    const random = randomNumbers(3);
    for (let round = 0; round < 30; round += 1) {
      const at = () => 4 + Math.floor(random() * 64) / 8;
      const middle = [at(), at(), -1];
      const corners = [
        [0, 0, -1],
        [16, 0, -1],
        [16, 16, -1],
        [0, 16, -1],
      ];
      const sum = new Array<number>(256).fill(0);
      corners.forEach((corner, index) => {
        const next = corners[(index + 1) % 4]!;
        const triangle = polygon(
          [middle, corner, next],
          [
            [0, 0],
            [0, 0],
            [0, 0],
          ],
        );
        counts(triangle, flat as unknown as PerspectiveCamera, 16, 16).forEach((count, pixel) => {
          sum[pixel]! += count;
        });
      });
      expect(sum.every((count) => count === 4)).toBe(true);
    }
  });

  it('of a triangle is its area', () => {
    const random = randomNumbers(5);
    const flat = new OrthographicCamera(0, 64, 64, 0, 0.1, 10);
    for (let round = 0; round < 10; round += 1) {
      const corners = Array.from({ length: 3 }, () => [4 + random() * 56, 4 + random() * 56, -1]);
      const [a, b, c] = corners as [number[], number[], number[]];
      const area = Math.abs((b[0]! - a[0]!) * (c[1]! - a[1]!) - (c[0]! - a[0]!) * (b[1]! - a[1]!)) / 2;
      const all = counts(
        polygon(corners, [
          [0, 0],
          [0, 0],
          [0, 0],
        ]),
        flat as unknown as PerspectiveCamera,
        64,
        64,
      );
      const covered = all.reduce((sum, count) => sum + count, 0) / 4;
      // The error of counting samples grows with the outline, not with the area.
      expect(Math.abs(covered - area)).toBeLessThan(8);
    }
  });
});

/** Where the ray through a pixel's center meets a plane: the point and its distance along the view axis. */
function meet(camera: PerspectiveCamera, x: number, y: number, size: readonly [number, number], plane: number[]) {
  const top = Math.tan(((camera.fov / 2) * Math.PI) / 180);
  const direction = new Vector3(
    ((2 * (x + 0.5)) / size[0] - 1) * top * camera.aspect,
    (1 - (2 * (y + 0.5)) / size[1]) * top,
    -1,
  );
  const [a, b, c, d] = plane as [number, number, number, number];
  const distance = -d / (a * direction.x + b * direction.y + c * direction.z);
  return { distance, point: direction.multiplyScalar(distance) };
}

describe('depth', () => {
  it('equals the depth of the plane at the center of each pixel', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = randomNumbers(seed);
        const camera = new PerspectiveCamera(40 + random() * 60, 1.3, 0.05, 200);
        // A large triangle through three points around the view axis.
        const points = [0, 1, 2].map((corner) => {
          const angle = ((corner + random() * 0.3) / 3) * 2 * Math.PI;
          return new Vector3(Math.cos(angle) * 80, Math.sin(angle) * 80, -3 - random() * 30);
        });
        const normal = points[1]!.clone().sub(points[0]!).cross(points[2]!.clone().sub(points[0]!)).normalize();
        const plane = [normal.x, normal.y, normal.z, -normal.dot(points[0]!)];
        const scene = new Scene();
        scene.add(new Mesh(new BufferGeometry().setFromPoints(points), white));
        const { depth } = renderer.render(scene, camera, { width: 39, height: 30, depth: true });
        for (let pixel = 0; pixel < depth.length; pixel += 7) {
          const { distance } = meet(camera, pixel % 39, Math.floor(pixel / 39), [39, 30], plane);
          if (depth[pixel] === 200) continue; // next to the triangle
          expect(Math.abs(depth[pixel]! / distance - 1)).toBeLessThan(1e-5);
        }
        expect(depth.filter((value) => value < 200).length).toBeGreaterThan(depth.length / 4);
      }),
      { numRuns: 60 },
    );
  });

  it('of an orthographic camera is the distance from the camera, and far where nothing is drawn', () => {
    const camera = new OrthographicCamera(-1, 1, 1, -1, 0.5, 10);
    const scene = new Scene();
    const corners = [
      [-1, -1, -4],
      [0, -1, -4],
      [0, 1, -6],
      [-1, 1, -6],
    ];
    scene.add(
      new Mesh(
        polygon(corners, [
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
        ]),
        white,
      ),
    );
    const { depth } = renderer.render(scene, camera, { width: 4, height: 4, depth: true });
    expect([...depth]).toEqual([5.75, 5.75, 10, 10, 5.25, 5.25, 10, 10, 4.75, 4.75, 10, 10, 4.25, 4.25, 10, 10]);
  });
});

describe('a texture', () => {
  /** Brightness rises linearly with u. Clamped, so that the filter keeps it linear away from the ends. */
  const gradient = (width: number, height: number) => {
    const texture = drawTexture(
      width,
      height,
      (x) => new Array(3).fill((x * 255) / (width - 1)) as [number, number, number],
    );
    texture.wrapS = ClampToEdgeWrapping;
    return texture;
  };
  const brightness = (u: number, width: number) => ((u * width - 0.5) * 255) / (width - 1);

  it.each([
    ['enlarged', 16, 16],
    ['at its size', 64, 64],
    ['diminished', 256, 256],
    ['reduced, with sides that are not powers of two', 300, 35],
  ])('stays a straight line in perspective, %s', (_, width, height) => {
    const camera = new PerspectiveCamera(60, 1, 0.05, 100);
    const scene = new Scene();
    const corners = [
      [-3, -1, -1],
      [3, -1, -1],
      [3, -1, -9],
      [-3, -1, -9],
    ];
    const uvs = corners.map(([x, , z]) => [x! / 6 + 0.5, -z! / 8]);
    scene.add(new Mesh(polygon(corners, uvs), new MeshBasicMaterial({ map: gradient(width, height) })));
    const { rgb, instances } = renderer.render(scene, camera, { width: 64, height: 64, rgb: true, instances: true });
    expect(instances.every((id) => id === 0)).toBe(true);
    let checked = 0;
    for (let y = 39; y < 64; y += 1) {
      for (let x = 2; x < 62; x += 1) {
        const { point } = meet(camera, x, y, [64, 64], [0, 1, 0, 1]);
        const u = point.x / 6 + 0.5;
        if (point.z > -1.2 || point.z < -8 || u < 0.2 || u > 0.8) continue;
        // Texels are whole numbers in every mipmap level.
        expect(Math.abs(rgb[(y * 64 + x) * 3]! - brightness(u, width))).toBeLessThan(1.6);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(300);
  });

  it('with much finer detail than pixels shows its mean', () => {
    const board = drawTexture(256, 256, (x, y) => ((x + y) % 2 === 0 ? [255, 200, 0] : [0, 100, 50]));
    const scene = new Scene();
    const corners = [
      [-2, -2, -1],
      [2, -2, -1],
      [2, 2, -1],
      [-2, 2, -1],
    ];
    const uvs = [
      [0, 0],
      [40, 0],
      [40, 40],
      [0, 40],
    ];
    scene.add(new Mesh(polygon(corners, uvs), new MeshBasicMaterial({ map: board })));
    const { rgb } = renderer.render(scene, new PerspectiveCamera(60, 1, 0.05, 100), { width: 16, height: 16 });
    for (let at = 0; at < rgb.length; at += 3) expect([...rgb.subarray(at, at + 3)]).toEqual([128, 150, 25]);
  });

  it('is drawn upright: v = 0 at the first row of bytes, u to the right', () => {
    const texture = drawTexture(2, 2, (x, y) => [x * 255, y * 255, 0]);
    texture.magFilter = 1003;
    texture.minFilter = 1003;
    const scene = new Scene();
    const corners = [
      [-1, -1, -1],
      [1, -1, -1],
      [1, 1, -1],
      [-1, 1, -1],
    ];
    const uvs = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ];
    scene.add(new Mesh(polygon(corners, uvs), new MeshBasicMaterial({ map: texture })));
    const { rgb } = renderer.render(scene, new OrthographicCamera(-1, 1, 1, -1, 0.1, 2), { width: 2, height: 2 });
    expect([...rgb]).toEqual([0, 255, 0, 255, 255, 0, 0, 0, 0, 255, 0, 0]);
  });
});

describe('the near plane', () => {
  it('clips only the parts behind it', () => {
    const camera = new PerspectiveCamera(60, 1, 0.5, 100);
    const scene = new Scene();
    const floor = polygon(
      [
        [-50, -1, 40],
        [50, -1, 40],
        [50, -1, -40],
        [-50, -1, -40],
      ],
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    );
    scene.add(new Mesh(floor, white));
    const { depth } = renderer.render(scene, camera, { width: 32, height: 32, depth: true });
    for (let y = 0; y < 32; y += 1) {
      const { distance } = meet(camera, 16, y, [32, 32], [0, 1, 0, 1]);
      const expected = distance > 0 && distance < 40 ? distance : 100;
      expect(Math.abs(depth[y * 32 + 16]! - expected)).toBeLessThan(1e-4 * expected);
    }
  });
});

it('reads attributes in all forms of three.js: interleaved, normalized, indexed or not', () => {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array([-9, -9, -1, 9, -9, -1, 0, 9, -1]), 3));
  geometry.setAttribute('color', new BufferAttribute(new Uint8Array([255, 0, 51, 255, 0, 51, 255, 0, 51]), 3, true));
  const scene = new Scene();
  scene.add(new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true })));
  const { rgb } = renderer.render(scene, new PerspectiveCamera(60, 1, 0.1, 9), { width: 1, height: 1 });
  expect([...rgb]).toEqual([255, 0, 51]);
});
