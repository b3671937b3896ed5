/** Seats, beds, tables, and other furniture. */
import {
  EYE_LEVEL,
  type Furniture,
  type FurnitureLook,
  type FurnitureModels,
  frame,
  legs,
  onTop,
  panels,
} from './furniture-look.js';
import { ball, box, cylinder, type Shape, shape, turned } from './solids.js';

const OAK = 0xc9a06a;
const WALNUT = 0x6b4526;
const BLACK = 0x2a2b30;
const STEEL = 0xb4bbc4;

/** Seat, back and arms; cushions side by side. */
function seat({ width, depth, surface }: FurnitureLook, body: number, cushion: number, cushions: number): Furniture {
  const arm = 0.14;
  const inner = width - 2 * arm;
  const cushionWidth = inner / cushions;
  const cushionAt = (index: number) => -inner / 2 + cushionWidth * (index + 0.5);
  const places = Array.from({ length: cushions }, (_, index) => cushionAt(index));
  return {
    shape: shape(
      box(body, [width, surface - 0.12, depth], [0, 0.04, 0]),
      ...[-1, 1].map((side) => box(body, [arm, surface + 0.16, depth], [(side * (width - arm)) / 2, 0.04, 0])),
      box(body, [width, 0.9, 0.18], [0, 0.04, -depth / 2 + 0.09]),
      ...places.map((x) =>
        box(cushion, [cushionWidth - 0.02, 0.12, depth - 0.2], [x, surface - 0.12, 0.09], [0.96, 0.97]),
      ),
      ...places.map((x) =>
        box(cushion, [cushionWidth - 0.03, 0.36, 0.1], [x, surface + 0.02, -depth / 2 + 0.22], [0.94, 0.7]),
      ),
      ...[-1, 1].flatMap((x) =>
        [-1, 1].map((z) => box(BLACK, [0.06, 0.05, 0.06], [x * (width / 2 - 0.08), 0, z * (depth / 2 - 0.08)])),
      ),
    ),
    rest: { y: surface, at: [0, 0.14], size: [inner - 0.1, depth - 0.42], tone: cushion },
  };
}

function bed(look: FurnitureLook): Furniture {
  const { width, depth, surface } = look;
  const blanket = width * 0.62;
  return {
    shape: shape(
      box(WALNUT, [width, 0.12, depth], [0, Math.max(0.12, surface - 0.36), 0]),
      legs(WALNUT, width, depth, Math.max(0.12, surface - 0.36), 0.08),
      box(0xf4f1ea, [width - 0.06, 0.24, depth - 0.04], [0.02, surface - 0.24, 0], [0.99, 0.98]),
      box(0x3f66a8, [blanket, 0.2, depth], [(width - blanket) / 2, surface - 0.19, 0], [0.99, 0.99]),
      box(0x6f93cf, [0.16, 0.205, depth + 0.005], [width / 2 - blanket + 0.1, surface - 0.19, 0]),
      box(WALNUT, [0.08, 0.62, depth], [-width / 2, surface - 0.24, 0]),
      ball(0xffffff, [0.2, 0.08, depth * 0.3], [-width / 2 + 0.27, surface + 0.03, 0]),
    ),
    rest: { y: surface + 0.01, at: [0.22, 0.08], size: [width - 0.7, depth - 0.4], tone: 0x3f66a8 },
  };
}

function table(look: FurnitureLook, top: number, leg: number, more: Shape = []): Furniture {
  const { width, depth, surface } = look;
  return {
    shape: shape(
      box(top, [width, 0.05, depth], [0, surface - 0.05, 0]),
      legs(leg, width - 0.08, depth - 0.08, surface - 0.05, 0.06),
      more,
    ),
    rest: onTop(look, top),
  };
}

/** Rows and columns of painted drawer fronts on a body. */
function fronts(
  color: number,
  [width, depth, low, high]: readonly [number, number, number, number],
  columns: number,
  rows: number,
): Shape {
  const [w, h] = [width / columns, (high - low) / rows];
  return shape(
    ...Array.from({ length: columns * rows }, (_, index) => {
      const x = -width / 2 + w * ((index % columns) + 0.5);
      const y = low + h * Math.floor(index / columns);
      return shape(
        box(color, [w - 0.03, h - 0.03, 0.015], [x, y + 0.015, depth / 2]),
        box(STEEL, [0.035, 0.022, 0.025], [x, y + h / 2, depth / 2 + 0.02]),
      );
    }),
  );
}

function counterTop(look: FurnitureLook): Furniture {
  const { width, depth, surface, hollow, fronts: builtIn = [] } = look;
  const columns = Math.max(1, Math.round(width / 0.5));
  const body = shape(
    box(0xece7dc, [width, surface - 0.14, depth - 0.04], [0, 0.1, -0.02]),
    box(BLACK, [width - 0.04, 0.1, depth - 0.12], [0, 0, -0.04]),
    fronts(0xf8f4ea, [width, depth - 0.04, 0.12, surface - 0.06], columns, 1),
  );
  return {
    shape: shape(
      hollow
        ? shape(
            frame(0xece7dc, width, depth, surface - 0.04),
            panels(0xf0ebdf, [width, depth], surface - 0.04, builtIn),
          )
        : body,
      box(0x54575e, [width, 0.04, depth], [0, surface - 0.04, 0]),
    ),
    rest: onTop(look, 0x54575e, 0.06),
  };
}

function desk(look: FurnitureLook): Furniture {
  const { width, depth, surface, hollow } = look;
  const side = hollow ? 0.04 : Math.min(0.4, width / 3);
  return {
    shape: shape(
      box(OAK, [width, 0.045, depth], [0, surface - 0.045, 0]),
      box(0xb08850, [side, surface - 0.05, depth - 0.06], [-(width - side) / 2 + 0.02, 0, 0]),
      box(0xb08850, [0.05, surface - 0.05, depth - 0.06], [width / 2 - 0.04, 0, 0]),
      box(0xb08850, [width - 0.1, 0.3, 0.03], [0, surface - 0.35, -depth / 2 + 0.05]),
    ),
    rest: onTop(look, OAK),
  };
}

function sideTable(look: FurnitureLook): Furniture {
  const { width, depth, surface } = look;
  const radius = Math.min(width, depth) / 2;
  const isSquare = width > depth * 1.25 || depth > width * 1.25;
  if (isSquare) return table(look, 0xd98f52, 0xa5632c);
  return {
    shape: shape(
      cylinder(0xd98f52, radius, 0.04, [0, surface - 0.04, 0], radius, 20),
      cylinder(0xa5632c, 0.045, surface - 0.04),
      cylinder(0xa5632c, radius * 0.7, 0.03, [0, 0, 0], 0.05, 16),
    ),
    rest: onTop(look, 0xd98f52, 0.1),
  };
}

function dresser(look: FurnitureLook): Furniture {
  const { width, depth, surface, hollow } = look;
  const body = shape(
    box(0x8a4b2a, [width, surface, depth - 0.03], [0, 0, -0.015]),
    fronts(0xa9613a, [width, depth - 0.03, 0.06, surface - 0.04], 2, 3),
  );
  return {
    shape: shape(
      hollow ? frame(0x8a4b2a, width, depth, surface) : body,
      box(0x6e3a20, [width + 0.02, 0.035, depth], [0, surface - 0.035, 0]),
    ),
    rest: onTop(look, 0x6e3a20),
  };
}

function tvStand(look: FurnitureLook): Furniture {
  const { width, depth, surface } = look;
  return {
    shape: shape(
      box(BLACK, [width, 0.05, depth], [0, surface - 0.05, 0]),
      box(BLACK, [width, 0.06, depth]),
      ...[-1, 0, 1].map((x) => box(BLACK, [0.05, surface, depth - 0.02], [(x * (width - 0.05)) / 2, 0, 0])),
      box(0x494b55, [width, surface, 0.03], [0, 0, -depth / 2 + 0.02]),
      box(0x8d96a5, [width * 0.3, 0.07, depth * 0.6], [width * 0.22, 0.06, 0.05]),
    ),
    rest: onTop(look, BLACK),
  };
}

function cart(look: FurnitureLook): Furniture {
  const { width, depth, surface } = look;
  const tier = (y: number) =>
    shape(box(0xd9dee5, [width, 0.025, depth], [0, y, 0]), box(0x4a9fd0, [width, 0.04, 0.012], [0, y, depth / 2]));
  const wheels = [-1, 1].flatMap((x) =>
    [-1, 1].map((z) => ball(BLACK, [0.03, 0.035, 0.035], [x * (width / 2 - 0.04), 0.035, z * (depth / 2 - 0.04)])),
  );
  return {
    shape: shape(
      tier(surface - 0.025),
      tier(surface * 0.4),
      legs(STEEL, width - 0.02, depth - 0.02, surface + 0.06, 0.025),
      ...wheels,
    ),
    rest: onTop(look, 0xd9dee5),
  };
}

function shelf(look: FurnitureLook): Furniture {
  const { width, depth, standsAlone } = look;
  const y = standsAlone && look.y > 1.4 ? Math.max(look.y, EYE_LEVEL + 0.05) : look.y;
  return {
    shape: shape(
      box(0xd8b27a, [width, 0.03, depth], [0, y - 0.03, 0]),
      ...[-1, 1].map((side) => box(BLACK, [0.025, 0.12, depth * 0.8], [side * width * 0.36, y - 0.15, -depth * 0.08])),
    ),
    rest: { y, at: [0, 0], size: [width - 0.12, Math.max(0.05, depth - 0.1)], tone: 0xd8b27a },
  };
}

/** Open at the top; objects lie high enough to be visible. */
function bin(look: FurnitureLook, color: number, rim: number, height: number, woven: boolean): Furniture {
  const radius = Math.min(look.width, look.depth) / 2 - 0.03;
  const bands = woven
    ? [0.2, 0.4, 0.6, 0.8].map((share) =>
        cylinder(
          rim,
          radius * (0.86 + 0.14 * share) + 0.006,
          0.02,
          [0, height * share, 0],
          radius * (0.86 + 0.14 * share) + 0.006,
          14,
        ),
      )
    : [];
  return {
    shape: shape(
      turned(
        color,
        [
          [0, 0],
          [radius * 0.84, 0],
          [radius, height],
          [radius - 0.015, height],
        ],
        14,
      ),
      turned(
        0x1d1e21,
        [
          [radius - 0.015, height],
          [radius * 0.9, height - 0.1],
          [0, height - 0.1],
        ],
        14,
      ),
      turned(
        rim,
        [
          [radius, height - 0.03],
          [radius + 0.012, height - 0.02],
          [radius + 0.012, height],
          [radius - 0.015, height],
        ],
        14,
      ),
      ...bands,
    ),
    rest: { y: height - 0.1, at: [0, 0], size: [radius, radius] },
  };
}

export const FURNITURE: FurnitureModels = {
  armchair: (look) => seat(look, 0x8c3b3b, 0xb85656, 1),
  bed,
  cart,
  coffeetable: (look) =>
    table(
      look,
      WALNUT,
      0x4d3019,
      box(0x8d5e36, [look.width * 0.86, 0.03, look.depth * 0.8], [0, look.surface * 0.35, 0]),
    ),
  countertop: counterTop,
  desk,
  diningtable: (look) =>
    table(
      look,
      0xe0bd86,
      0xb98e54,
      box(0xc79a5c, [look.width - 0.06, 0.06, look.depth - 0.06], [0, look.surface - 0.11, 0]),
    ),
  dresser,
  garbagecan: (look) => bin(look, 0x5c636b, 0x8d959d, 0.42, false),
  laundryhamper: (look) => bin(look, 0xdcc08a, 0xb38f52, 0.58, true),
  ottoman: (look) => ({
    shape: shape(
      box(0x3d8f86, [look.width, look.surface - 0.06, look.depth], [0, 0.06, 0], [0.97, 0.97]),
      box(0x56b3a9, [look.width, 0.05, look.depth], [0, look.surface - 0.05, 0], [0.97, 0.97]),
      legs(BLACK, look.width - 0.06, look.depth - 0.06, 0.06),
    ),
    rest: onTop(look, 0x56b3a9),
  }),
  shelf,
  sidetable: sideTable,
  sofa: (look) => seat(look, 0x4c5f7d, 0x6d83a6, 3),
  tvstand: tvStand,
};
