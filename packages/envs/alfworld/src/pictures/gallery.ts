/** Geometries of all models, built on first use and shared by every scene of a thread. */
import { BufferGeometry, Float32BufferAttribute } from 'three';
import type { Receptacle } from './geometry.js';
import { FROST, SPARKLE, STEAM } from './models/effects.js';
import type { Furniture, Rest } from './models/furniture-look.js';
import { OBJECT_MODELS, RECEPTACLE_MODELS } from './models/index.js';
import type { ObjectLook } from './models/object-look.js';
import { box, type Extent, extentOf, type Shape } from './models/solids.js';
import { contactShadow, type ShadowForm } from './shadows.js';
import type { Dimensions } from './sight.js';

/** Geometry with vertex colors: a part that is lit, and a part that glows. */
export interface Cast {
  readonly lit: BufferGeometry | undefined;
  readonly glowing: BufferGeometry | undefined;
  /** Extents in meters. */
  readonly size: readonly [width: number, height: number, depth: number];
}

/** A soft shadow on a surface of this color, a disc or a square of radius 1 in the plane y = 0. */
export function shadowCast(tone: number, form: ShadowForm): Cast {
  return known(objects, `shadow ${form} ${tone}`, () => cast([contactShadow(tone, form)]));
}

export type EffectName = 'steam' | 'frost' | 'sparkle';

const EFFECTS: Readonly<Record<EffectName, Shape>> = { steam: STEAM, frost: FROST, sparkle: SPARKLE };
const PLAIN: ObjectLook = { sliced: false, hanging: false, lit: false };
/**
 * Furniture comes in any size: a long-lived process must not keep all of them. A household has about 25, open or closed;
 * with its meshes in the renderer a piece takes 12 kB.
 */
const MAX_CACHED = 256;
const PLAIN_COLORS = [0xc0504d, 0x4f81bd, 0x9bbb59, 0x8064a2, 0x4bacc6, 0xf79646] as const;
/** Size of a class without a model, in meters. */
const UNKNOWN_SIZE = [0.1, 0.1, 0.1] as const;

/** Objects and effects: some hundred at most. */
const objects = new Map<string, Cast>();
const receptacles = new Map<string, Cast>();
const solids = new Map<string, readonly Extent[]>();
const furniture = new Map<string, Furniture>();

export function objectCast(kind: string, look: ObjectLook): Cast | undefined {
  const model = Object.hasOwn(OBJECT_MODELS, kind) ? OBJECT_MODELS[kind] : undefined;
  if (!model) return undefined;
  return known(objects, `${kind} ${look.sliced} ${look.hanging} ${look.lit}`, () => cast(model(look)));
}

/** A box in a color of its own, for a class without a model in a game that we made; others are not drawn. */
export function plainCast(kind: string): Cast {
  return known(objects, `plain ${kind}`, () => {
    const sum = [...kind].reduce((total, letter) => total + letter.charCodeAt(0), 0);
    return cast(box(PLAIN_COLORS[sum % PLAIN_COLORS.length]!, UNKNOWN_SIZE));
  });
}

export function receptacleCast(receptacle: Receptacle, open: boolean): Cast {
  return cached(receptacles, keyOf(receptacle, open), () => cast(furnitureOf(receptacle, open).shape));
}

export function effectCast(name: EffectName): Cast {
  return known(objects, name, () => cast(EFFECTS[name]));
}

export const DIMENSIONS: Dimensions = {
  restOf: (receptacle, open): Rest => furnitureOf(receptacle, open).rest,
  solidsOf: (receptacle) =>
    cached(solids, keyOf(receptacle, receptacle.isOpen), () =>
      furnitureOf(receptacle, receptacle.isOpen).shape.map((piece) => extentOf([piece])),
    ),
  radiusOf(kind) {
    const [width, , depth] = objectCast(kind, PLAIN)?.size ?? UNKNOWN_SIZE;
    return Math.max(width, depth) / 2;
  },
  heightOf: (kind) => (objectCast(kind, PLAIN)?.size ?? UNKNOWN_SIZE)[1],
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
  return cached(furniture, keyOf(receptacle, open), () => {
    const { kind, width, depth, y, surface, standsAlone, hollow, fronts } = receptacle;
    const model = Object.hasOwn(RECEPTACLE_MODELS, kind) ? RECEPTACLE_MODELS[kind] : undefined;
    if (model) {
      const hingedRight = isHingedRight(receptacle);
      return model({ width, depth, y, surface, open, standsAlone, hollow, fronts, hingedRight });
    }
    // An unknown class is drawn as a plain block.
    return {
      shape: box(0x9a9a9a, [width, surface, depth]),
      rest: { y: surface, at: [0, 0], size: [width * 0.8, depth * 0.8] },
    };
  });
}

/** The door of a cabinet swings to the side where the agent does not stand. */
function isHingedRight({ kind, approach }: Receptacle): boolean {
  return kind === 'cabinet' && approach[0] < -0.05;
}

function keyOf(receptacle: Receptacle, open: boolean): string {
  const { kind, width, depth, y, surface, standsAlone, hollow, fronts = [] } = receptacle;
  const numbers = [width, depth, y, surface, ...fronts.flat()].map((value) => value.toFixed(3));
  return `${kind} ${numbers.join(' ')} ${standsAlone} ${hollow} ${isHingedRight(receptacle)} ${open}`;
}

function known<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key);
  if (found === undefined) {
    found = make();
    map.set(key, found);
  }
  return found;
}

/** As `known`, for what comes in any size. */
function cached<T>(map: Map<string, T>, key: string, make: () => T): T {
  if (map.size >= MAX_CACHED && !map.has(key)) map.clear();
  return known(map, key, make);
}

/** Merges equal vertices: the renderer transforms and lights every visible vertex in every frame. */
function geometry(shape: Shape): BufferGeometry | undefined {
  if (shape.length === 0) return undefined;
  const [positions, normals, colors, index]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const piece of shape) {
    const { color, shades } = piece;
    const first = positions.length / 3;
    for (let offset = 0; offset < piece.positions.length; offset += 3) {
      const shade = shades ? shades[offset / 3]! : 1;
      let vertex = positions.length / 3 - 1;
      const oldest = Math.max(first, vertex - NEIGHBORS);
      // Equal positions of a shaded piece have equal shades.
      while (
        vertex >= oldest &&
        !(equalAt(positions, vertex, piece.positions, offset) && equalAt(normals, vertex, piece.normals, offset))
      )
        vertex -= 1;
      if (vertex < oldest) {
        vertex = positions.length / 3;
        positions.push(piece.positions[offset]!, piece.positions[offset + 1]!, piece.positions[offset + 2]!);
        normals.push(piece.normals[offset]!, piece.normals[offset + 1]!, piece.normals[offset + 2]!);
        for (const shift of [16, 8, 0]) colors.push((((color >> shift) & 255) / 255) * shade);
      }
      index.push(vertex);
    }
  }
  const buffer = new BufferGeometry();
  buffer.setAttribute('position', new Float32BufferAttribute(positions, 3));
  buffer.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  buffer.setAttribute('color', new Float32BufferAttribute(colors, 3));
  buffer.setIndex(index);
  return buffer;
}

/** Number of earlier vertices that are compared. */
const NEIGHBORS = 6;

function equalAt(left: readonly number[], vertex: number, right: readonly number[], offset: number): boolean {
  const first = 3 * vertex;
  return (
    left[first] === right[offset] && left[first + 1] === right[offset + 1] && left[first + 2] === right[offset + 2]
  );
}
