/** Appliances and cupboards. */
import {
  carcass,
  door,
  EYE_LEVEL,
  type Furniture,
  type FurnitureLook,
  type FurnitureModels,
} from './furniture-look.js';
import { ball, box, cylinder, glowing, move, shape, turn, turned } from './solids.js';

const WHITE = 0xf4f5f3;
const STEEL = 0xb9c1ca;
const BLACK = 0x25262a;
const WOOD = 0xb07c48;

/** Light, so that what is in a cabinet stands out. */
const LINING = 0xe9d9bc;
const BOARD = 0xd2a76c;

function cabinet({ width, depth, y, open, standsAlone, hingedRight = false }: FurnitureLook): Furniture {
  const height = 0.6;
  // The floor of a high cabinet is barely above the eye, so that its contents are visible from below.
  const base = Math.max(0.02, Math.min(y - height / 2, EYE_LEVEL + 0.07));
  // The agent looks up at a high cabinet and down at a low one: objects rest where they are visible.
  const isHigh = y > 1.3;
  const board = isHigh ? Math.max(base + 0.02, Math.min(y - 0.08, EYE_LEVEL + 0.04)) : base + 0.02;
  const handle = (hingedRight ? -1 : 1) * (width / 2 - 0.05);
  const panel = shape(
    box(WOOD, [width - 0.01, height - 0.01, 0.025], [0, base + 0.005, 0]),
    box(0xc9945c, [width - 0.12, height - 0.13, 0.008], [0, base + 0.065, 0.022]),
    box(STEEL, [0.02, 0.12, 0.03], [handle, base + height / 2 - 0.06, 0.02]),
  );
  return {
    shape: shape(
      carcass(0x9a6a3a, LINING, [width, height, depth], base, open),
      open && board > base + 0.02 ? box(BOARD, [width - 0.04, 0.015, depth - 0.06], [0, board - 0.015, 0]) : [],
      standsAlone && !isHigh && base > 0.03 ? box(0x7d5a36, [width - 0.02, base, depth - 0.06], [0, 0, -0.03]) : [],
      door(panel, width, depth, open, hingedRight, 2.3),
    ),
    rest: { y: board + 0.005, at: [0, depth / 2 - 0.13], size: [width - 0.14, 0.14], tone: isHigh ? BOARD : LINING },
  };
}

function drawer({ width, depth, y, open, standsAlone }: FurnitureLook): Furniture {
  const height = 0.2;
  const base = Math.max(0.01, y - height / 2);
  const out = open ? 0.3 : 0;
  const front = depth / 2 + out;
  const body = 0x7d5a36;
  const panel = shape(
    box(0xd6ab72, [width - 0.015, height - 0.015, 0.025], [0, base + 0.007, front - 0.01]),
    box(BLACK, [width * 0.4, 0.02, 0.03], [0, base + height * 0.55, front + 0.015]),
  );
  const tray = shape(
    box(0xf0dcb8, [width - 0.06, 0.012, depth - 0.03], [0, base + 0.02, out]),
    ...[-1, 1].map((side) =>
      box(0xb98f58, [0.012, height - 0.06, depth - 0.03], [(side * (width - 0.06)) / 2, base + 0.02, out]),
    ),
  );
  return {
    shape: shape(
      carcass(body, 0x3b2a18, [width, height, depth - 0.03], base, open),
      standsAlone && base > 0.03 ? box(body, [width - 0.02, base, depth - 0.08], [0, 0, -0.03]) : [],
      panel,
      open ? tray : [],
    ),
    rest: { y: base + 0.035, at: [0, depth / 2 + 0.14], size: [width - 0.16, 0.2], tone: 0xf0dcb8 },
  };
}

/** Notes and magnets distinguish a fridge from a wall when only its door is visible. */
const NOTES = shape(
  box(0xfff27a, [0.13, 0.13, 0.004], [-0.12, 1.2, 0.054]),
  box(0xff9ac2, [0.11, 0.11, 0.004], [0.04, 1.09, 0.054]),
  box(0xffffff, [0.16, 0.2, 0.004], [-0.14, 0.88, 0.054]),
  ...[0.92, 0.96, 1, 1.03].map((y) => box(0x8a93a0, [0.12, 0.008, 0.004], [-0.14, y, 0.056])),
  ...[
    [0xe0453a, -0.12, 1.31],
    [0x3a8fe0, 0.04, 1.18],
    [0x3fae58, -0.14, 1.06],
  ].map(([color, x, y]) => ball(color!, [0.018, 0.018, 0.012], [x!, y!, 0.06], 4, 8)),
);

function fridge({ width, depth, open }: FurnitureLook): Furniture {
  const height = 1.75;
  const split = 0.62;
  const panel = (low: number, high: number) =>
    shape(
      box(0xd3d8de, [width - 0.01, high - low - 0.012, 0.05], [0, low + 0.006, 0.005]),
      box(0x7c848d, [0.025, (high - low) * 0.55, 0.05], [width / 2 - 0.07, low + (high - low) * 0.2, 0.05]),
    );
  const inside = 0xe8f4fb;
  return {
    shape: shape(
      carcass(0xaeb5bd, inside, [width, height, depth], 0, open),
      ...(open ? [0.98, 1.36] : []).map((y) => box(0x9fc4d8, [width - 0.05, 0.012, depth - 0.1], [0, y, -0.03])),
      box(0xaeb5bd, [width, split - 0.02, depth], [0, 0.02, 0]),
      move(panel(0.03, split), [0, 0, depth / 2]),
      door(
        shape(
          panel(split, height),
          NOTES,
          box(inside, [width - 0.08, height - split - 0.1, 0.01], [0, split + 0.05, -0.008]),
          box(WHITE, [width - 0.16, 0.07, 0.07], [0, split + 0.2, -0.05]),
        ),
        width,
        depth,
        open,
      ),
    ),
    rest: { y: 0.995, at: [0, depth * 0.1], size: [width - 0.2, depth * 0.55], tone: 0x9fc4d8 },
  };
}

function microwave({ width, depth, y, open }: FurnitureLook): Furniture {
  const [h, w] = [0.3, width * 0.74];
  const left = -(width - w) / 2;
  const panel = shape(
    box(0x3b3e44, [w, h - 0.01, 0.025], [0, y + 0.005, 0]),
    box(0x11151a, [w - 0.1, h - 0.1, 0.006], [0, y + 0.05, 0.024]),
    box(STEEL, [0.018, h - 0.08, 0.03], [w / 2 - 0.025, y + 0.04, 0.025]),
  );
  const keys = [0, 1, 2].flatMap((row) =>
    [0, 1].map((column) =>
      box(
        0xd7dbe0,
        [0.025, 0.02, 0.006],
        [width / 2 - (width - w) / 2 - 0.018 + column * 0.036, y + 0.06 + row * 0.04, depth / 2],
      ),
    ),
  );
  return {
    shape: shape(
      move(carcass(0x8f969e, 0xf2e7b0, [w, h, depth], y, open), [left, 0, 0]),
      box(0x8f969e, [width - w, h, depth], [w / 2, y, 0]),
      ...keys,
      glowing(box(0x35e07a, [width - w - 0.05, 0.035, 0.006], [w / 2, y + 0.21, depth / 2])),
      move(cylinder(0xcfe4ea, w * 0.36, 0.012, [0, y + 0.022, 0], w * 0.36, 16), [left, 0, 0]),
      move(door(panel, w, depth, open), [left, 0, 0]),
    ),
    rest: { y: y + 0.035, at: [left, 0.02], size: [w * 0.5, depth * 0.45], tone: 0xcfe4ea },
  };
}

function safe({ width, depth, y, open }: FurnitureLook): Furniture {
  const base = Math.max(0, y);
  const [w, h, d] = [Math.min(width, 0.5), 0.45, Math.min(depth, 0.45)];
  const dial = move(turn(cylinder(STEEL, 0.06, 0.03, [0, 0, 0], 0.05, 14), [Math.PI / 2, 0, 0]), [
    0,
    base + h * 0.55,
    0.03,
  ]);
  const panel = shape(
    box(0x30343b, [w - 0.02, h - 0.02, 0.05], [0, base + 0.01, 0]),
    dial,
    box(0xd8b13a, [0.09, 0.018, 0.03], [0, base + h * 0.25, 0.035]),
  );
  return {
    shape: shape(carcass(0x474d57, 0x8a2f2f, [w, h, d], base, open), door(panel, w, d, open)),
    rest: { y: base + 0.03, at: [0, 0.03], size: [w - 0.18, d - 0.2] },
  };
}

function toaster({ width, depth, y }: FurnitureLook): Furniture {
  const [w, h, d] = [Math.min(width, 0.3), 0.2, Math.min(depth, 0.18)];
  return {
    shape: shape(
      box(0xd04a3a, [w, h, d], [0, y + 0.015, 0], [0.9, 0.85]),
      ...[-1, 1].map((z) => box(BLACK, [w * 0.66, 0.004, 0.025], [0, y + h + 0.014, z * 0.032])),
      box(BLACK, [w, 0.02, d], [0, y, 0]),
      box(STEEL, [0.02, 0.02, 0.05], [w / 2, y + h * 0.7, 0]),
      box(STEEL, [0.004, 0.11, 0.015], [w / 2 - 0.005, y + 0.06, 0]),
    ),
    rest: { y: y + h + 0.02, at: [0, 0], size: [w * 0.5, 0.05] },
  };
}

function coffeeMachine({ y }: FurnitureLook): Furniture {
  return {
    shape: shape(
      box(BLACK, [0.24, 0.03, 0.32], [0, y, 0]),
      box(0x3a3d44, [0.24, 0.36, 0.12], [0, y, -0.1]),
      box(0x3a3d44, [0.24, 0.11, 0.28], [0, y + 0.26, -0.02], [0.95, 0.95]),
      box(STEEL, [0.2, 0.006, 0.16], [0, y + 0.03, 0.07]),
      cylinder(STEEL, 0.03, 0.05, [0, y + 0.21, 0.06]),
      glowing(box(0xff5a3a, [0.022, 0.022, 0.01], [-0.07, y + 0.32, 0.114])),
      glowing(box(0x54d06a, [0.022, 0.022, 0.01], [0.07, y + 0.32, 0.114])),
    ),
    rest: { y: y + 0.036, at: [0, 0.07], size: [0.06, 0.05] },
  };
}

function stoveBurner({ width, depth, y, standsAlone }: FurnitureLook): Furniture {
  const radius = Math.min(width, depth, 0.28) / 2 - 0.02;
  const coil = [0.35, 0.65, 0.95].map((share) => {
    const flat = turned(0x8a2f22, [
      [radius * share + 0.008, 0],
      [radius * share - 0.008, 0],
    ]);
    return move(flat, [0, y + 0.017, 0]);
  });
  const hob = shape(box(0xe6e7e6, [0.3, y, 0.34]), box(BLACK, [0.3, 0.014, 0.34], [0, y, 0]));
  const oven = shape(
    box(0xe6e7e6, [width, y, depth], [0, 0, 0]),
    box(BLACK, [width, 0.012, depth], [0, y, 0]),
    box(0x2b2d31, [width * 0.7, y * 0.4, 0.01], [0, y * 0.25, depth / 2]),
    box(STEEL, [width * 0.75, 0.025, 0.035], [0, y * 0.72, depth / 2 + 0.015]),
    move(turn(cylinder(BLACK, 0.03, 0.035), [Math.PI / 2, 0, 0]), [0, y * 0.88, depth / 2]),
  );
  return {
    shape: shape(standsAlone ? oven : hob, ...coil),
    rest: { y: y + 0.025, at: [0, 0], size: [0.05, 0.05] },
  };
}

export const APPLIANCES: FurnitureModels = {
  cabinet,
  coffeemachine: coffeeMachine,
  drawer,
  fridge,
  microwave,
  safe,
  stoveburner: stoveBurner,
  toaster,
};
