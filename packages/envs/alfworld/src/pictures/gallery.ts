/** Geometries of all models, made when they are first needed and shared by every scene of a thread. */
import { BufferGeometry, Float32BufferAttribute } from 'three';
import type { Receptacle } from './floor-plan.js';
import { FROST, SPARKLE, STEAM } from './models/effects.js';
import type { Furniture, Rest } from './models/furniture-look.js';
import { OBJECT_MODELS, RECEPTACLE_MODELS } from './models/index.js';
import type { ObjectLook } from './models/object-look.js';
import { box, type Extent, extentOf, type Shape } from './models/solids.js';
import type { Dimensions } from './sight.js';

/** Geometry with colors in its vertices: what light falls on, and what shines by itself. */
export interface Cast {
  readonly lit: BufferGeometry | undefined;
  readonly glowing: BufferGeometry | undefined;
  /** Extents in meters. */
  readonly size: readonly [width: number, height: number, depth: number];
}

export type EffectName = 'steam' | 'frost' | 'sparkle';

const EFFECTS: Readonly<Record<EffectName, Shape>> = { steam: STEAM, frost: FROST, sparkle: SPARKLE };
const PLAIN: ObjectLook = { sliced: false, hanging: false, lit: false };
/** Furniture is made to measure: a long-lived process must not keep every size it ever saw. */
const MOST_KEPT = 2048;

const UNKNOWN = [0.1, 0.1, 0.1] as const;

const casts = new Map<string, Cast>();
const solids = new Map<string, readonly Extent[]>();
const furniture = new Map<string, Furniture>();

export function objectCast(kind: string, look: ObjectLook): Cast | undefined {
  const model = Object.hasOwn(OBJECT_MODELS, kind) ? OBJECT_MODELS[kind] : undefined;
  if (!model) return undefined;
  return kept(casts, `${kind} ${look.sliced} ${look.hanging} ${look.lit}`, () => cast(model(look)));
}

export function receptacleCast(receptacle: Receptacle, open: boolean): Cast {
  return kept(casts, keyOf(receptacle, open), () => cast(furnitureOf(receptacle, open).shape));
}

export function effectCast(name: EffectName): Cast {
  return kept(casts, name, () => cast(EFFECTS[name]));
}

export const DIMENSIONS: Dimensions = {
  restOf: (receptacle, open): Rest => furnitureOf(receptacle, open).rest,
  solidsOf: (receptacle) =>
    kept(solids, keyOf(receptacle, receptacle.isOpen), () =>
      furnitureOf(receptacle, receptacle.isOpen).shape.map((piece) => extentOf([piece])),
    ),
  radiusOf(kind) {
    const [width, , depth] = objectCast(kind, PLAIN)?.size ?? UNKNOWN;
    return Math.max(width, depth) / 2;
  },
  heightOf: (kind) => (objectCast(kind, PLAIN)?.size ?? UNKNOWN)[1],
};

export function cast(shape: Shape): Cast {
  const { low, high } = extentOf(shape);
  return {
    lit: geometry(shape.filter((piece) => !piece.glows)),
    glowing: geometry(shape.filter((piece) => piece.glows)),
    size: [high[0] - low[0], high[1] - low[1], high[2] - low[2]],
  };
}

function furnitureOf(receptacle: Receptacle, open: boolean): Furniture {
  return kept(furniture, keyOf(receptacle, open), () => {
    const { kind, width, depth, y, surface, standsAlone, hollow } = receptacle;
    const model = Object.hasOwn(RECEPTACLE_MODELS, kind) ? RECEPTACLE_MODELS[kind] : undefined;
    if (model) return model({ width, depth, y, surface, open, standsAlone, hollow });
    // a class that nobody has heard of is still there
    return {
      shape: box(0x9a9a9a, [width, surface, depth]),
      rest: { y: surface, at: [0, 0], size: [width * 0.8, depth * 0.8] },
    };
  });
}

function keyOf({ kind, width, depth, y, surface, standsAlone, hollow }: Receptacle, open: boolean): string {
  const numbers = [width, depth, y, surface].map((value) => value.toFixed(3));
  return `${kind} ${numbers.join(' ')} ${standsAlone} ${hollow} ${open}`;
}

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key);
  if (found === undefined) {
    found = make();
    if (map.size >= MOST_KEPT) map.clear();
    map.set(key, found);
  }
  return found;
}

/** Neighbors share their corners: the renderer moves and lights every vertex of what is in view in every frame. */
function geometry(shape: Shape): BufferGeometry | undefined {
  if (shape.length === 0) return undefined;
  const [positions, normals, colors, index]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const piece of shape) {
    const { color } = piece;
    const first = positions.length / 3;
    for (let at = 0; at < piece.positions.length; at += 3) {
      let vertex = positions.length / 3 - 1;
      const oldest = Math.max(first, vertex - NEIGHBORS);
      while (
        vertex >= oldest &&
        !(same(positions, vertex, piece.positions, at) && same(normals, vertex, piece.normals, at))
      )
        vertex -= 1;
      if (vertex < oldest) {
        vertex = positions.length / 3;
        positions.push(piece.positions[at]!, piece.positions[at + 1]!, piece.positions[at + 2]!);
        normals.push(piece.normals[at]!, piece.normals[at + 1]!, piece.normals[at + 2]!);
        colors.push((color >> 16) / 255, ((color >> 8) & 255) / 255, (color & 255) / 255);
      }
      index.push(vertex);
    }
  }
  const made = new BufferGeometry();
  made.setAttribute('position', new Float32BufferAttribute(positions, 3));
  made.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  made.setAttribute('color', new Float32BufferAttribute(colors, 3));
  made.setIndex(index);
  return made;
}

/** How far back a corner is looked for. */
const NEIGHBORS = 6;

function same(kept: readonly number[], vertex: number, given: readonly number[], at: number): boolean {
  return (
    kept[3 * vertex] === given[at] && kept[3 * vertex + 1] === given[at + 1] && kept[3 * vertex + 2] === given[at + 2]
  );
}
