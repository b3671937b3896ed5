/**
 * The parts that models of products are built of: turned bodies, boxes, rods, balls, cut outlines and tubes.
 *
 * Units are free: the studio scales a model to its frame. `y` points up, and a model faces `+z`.
 */
import {
  BoxGeometry,
  type BufferGeometry,
  CatmullRomCurve3,
  CylinderGeometry,
  ExtrudeGeometry,
  LatheGeometry,
  type Material,
  Mesh,
  Shape,
  SphereGeometry,
  TubeGeometry,
  Vector2,
  Vector3,
} from 'three';

export type Point = readonly [x: number, y: number];
export type Place = readonly [x: number, y: number, z: number];

/** Materials of a model. */
export interface Materials {
  /** The color and pattern of the product. */
  readonly body: Material;
  /** The color alone, without the pattern. */
  readonly plain: Material;
  /** A darker shade of the color. */
  readonly shade: Material;
  readonly white: Material;
  readonly black: Material;
  readonly metal: Material;
  readonly wood: Material;
  readonly cream: Material;
  readonly green: Material;
}

/** A model, and how it is looked at. */
export interface Model {
  readonly parts: readonly Mesh[];
  /** Degrees around the vertical axis; default 28. */
  readonly yaw?: number;
  /** Degrees from above; default 16. */
  readonly pitch?: number;
}

const ORIGIN: Place = [0, 0, 0];
const SEGMENTS = 40;

function part(geometry: BufferGeometry, material: Material, [x, y, z]: Place, [rx, ry, rz]: Place = ORIGIN): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.position.set(x, y, z);
  mesh.rotation.set(rx, ry, rz);
  return mesh;
}

/** A body turned around the vertical axis. @param profile  Radius and height, from the bottom up. */
export function turned(material: Material, profile: readonly Point[], place = ORIGIN, rotation = ORIGIN): Mesh {
  const outline = profile.flatMap(([radius, height], index) => {
    const point = new Vector2(radius, height);
    // A doubled point gives a sharp edge: shading is smooth along a profile.
    return index === 0 || index === profile.length - 1 ? [point] : [point, point.clone()];
  });
  return part(new LatheGeometry(outline, SEGMENTS), material, place, rotation);
}

/** @param place  The center. */
export function box(material: Material, size: Place, place = ORIGIN, rotation = ORIGIN): Mesh {
  return part(new BoxGeometry(...size), material, place, rotation);
}

/** A cylinder or cone. @param place  The center. */
export function rod(
  material: Material,
  [bottom, top, height]: Place,
  place = ORIGIN,
  rotation = ORIGIN,
  sides = 28,
): Mesh {
  return part(new CylinderGeometry(top, bottom, height, sides), material, place, rotation);
}

/** @param squash  Factors along the axes. */
export function ball(material: Material, radius: number, place = ORIGIN, squash: Place = [1, 1, 1]): Mesh {
  const mesh = part(new SphereGeometry(radius, 28, 18), material, place);
  mesh.scale.set(...squash);
  return mesh;
}

/** A flat outline with some thickness and soft edges. */
export function cut(material: Material, outline: readonly Point[], depth: number, place = ORIGIN, rotation = ORIGIN) {
  const bevel = Math.min(depth / 3, 0.05);
  const geometry = new ExtrudeGeometry(new Shape(outline.map(([x, y]) => new Vector2(x, y))), {
    depth: depth - 2 * bevel,
    bevelThickness: bevel,
    bevelSize: bevel,
    bevelSegments: 2,
  });
  geometry.translate(0, 0, bevel - depth / 2);
  return part(geometry, material, place, rotation);
}

/** An outline and its mirror image: only the right half is given, from the top down. */
export function mirrored(half: readonly Point[]): Point[] {
  return [...half, ...half.map(([x, y]): Point => [-x, y]).reverse()];
}

export function tube(material: Material, points: readonly Place[], radius: number, closed = false): Mesh {
  const curve = new CatmullRomCurve3(
    points.map((point) => new Vector3(...point)),
    closed,
  );
  return part(new TubeGeometry(curve, 16 * points.length, radius, 10, closed), material, ORIGIN);
}

/** Points of a circle or of a part of it, degrees. */
export function arc([x, y]: Point, radius: number | Point, from: number, to: number, steps = 16): Point[] {
  const [across, up] = typeof radius === 'number' ? [radius, radius] : radius;
  return Array.from({ length: steps + 1 }, (_, index) => {
    const angle = ((from + ((to - from) * index) / steps) * Math.PI) / 180;
    return [x + across * Math.cos(angle), y + up * Math.sin(angle)];
  });
}

/** A rectangle with round corners, around the origin. */
export function rounded(width: number, height: number, radius: number): Point[] {
  const [x, y] = [width / 2 - radius, height / 2 - radius];
  return [
    ...arc([x, y], radius, 0, 90, 6),
    ...arc([-x, y], radius, 90, 180, 6),
    ...arc([-x, -y], radius, 180, 270, 6),
    ...arc([x, -y], radius, 270, 360, 6),
  ];
}
