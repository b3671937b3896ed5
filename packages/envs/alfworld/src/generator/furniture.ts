/**
 * Size and position of furniture in meters, with the height that appears in an object's id.
 *
 * Heights follow the medians of ALFWorld's rooms; sizes are ours.
 */

export interface FurnitureShape {
  /** Size along the wall. */
  readonly width: number;
  /** Size from the wall into the room. */
  readonly depth: number;
  /** Height in the id, above the floor. */
  readonly y: number;
  /** Height of the surface on which objects rest, above the floor. */
  readonly surface: number;
  /** `floor`: along a wall; `wall`: hung on it; `counter`: on a counter top, or along a wall without one. */
  readonly place: 'floor' | 'wall' | 'counter';
  /** Vertical distance between several above each other. */
  readonly stack?: number;
}

const floor = (width: number, depth: number, surface: number, y = 0): FurnitureShape => ({
  width,
  depth,
  y,
  surface,
  place: 'floor',
});

export const SHAPES: Readonly<Record<string, FurnitureShape>> = {
  ArmChair: floor(1, 0.9, 0.45),
  BathtubBasin: floor(1.5, 0.75, 0.3, 0.29),
  Bed: floor(1.75, 1.25, 0.6),
  Cabinet: { width: 0.5, depth: 0.5, y: 1.77, surface: 1.6, place: 'wall' },
  Cart: floor(0.5, 0.5, 0.8),
  CoffeeMachine: { width: 0.5, depth: 0.4, y: 0.9, surface: 1, place: 'counter' },
  CoffeeTable: floor(1, 0.6, 0.45),
  CounterTop: floor(1.5, 0.6, 0.95, 0.95),
  Desk: floor(1.25, 0.6, 0.75),
  DiningTable: floor(1.5, 0.9, 0.8),
  Drawer: { width: 0.5, depth: 0.5, y: 0.75, surface: 0.7, place: 'floor', stack: 0.23 },
  Dresser: floor(1, 0.5, 0.9),
  Fridge: floor(0.75, 0.75, 1),
  GarbageCan: floor(0.5, 0.4, 0.3),
  HandTowelHolder: { width: 0.5, depth: 0.1, y: 1.64, surface: 1.5, place: 'wall' },
  LaundryHamper: floor(0.5, 0.5, 0.5, 0.01),
  Microwave: { width: 0.5, depth: 0.45, y: 0.93, surface: 1.05, place: 'counter' },
  Ottoman: floor(0.75, 0.5, 0.4, 0.01),
  Safe: floor(0.5, 0.5, 0.35),
  Shelf: { width: 0.75, depth: 0.3, y: 1.5, surface: 1.5, place: 'floor', stack: 0.45 },
  SideTable: floor(0.5, 0.5, 0.6),
  SinkBasin: floor(0.75, 0.55, 0.8, 0.89),
  Sofa: floor(1.75, 0.9, 0.45),
  StoveBurner: { width: 0.375, depth: 0.6, y: 0.93, surface: 0.95, place: 'floor' },
  TVStand: floor(1.25, 0.5, 0.55),
  Toaster: { width: 0.375, depth: 0.3, y: 0.9, surface: 1.1, place: 'counter' },
  Toilet: floor(0.75, 0.75, 0.8),
  ToiletPaperHanger: { width: 0.25, depth: 0.1, y: 0.91, surface: 0.9, place: 'wall' },
  TowelHolder: { width: 0.75, depth: 0.1, y: 1.36, surface: 1.3, place: 'wall' },
};

/** A class beyond the table: half a meter each way, along a wall. */
const OWN_SHAPE = floor(0.5, 0.5, 0.5);

export function shapeOf(type: string): FurnitureShape {
  return Object.hasOwn(SHAPES, type) ? SHAPES[type]! : OWN_SHAPE;
}

/** Furniture that a lamp can stand on. */
export const LAMP_PLACES = ['Desk', 'SideTable', 'Dresser', 'TVStand', 'CoffeeTable', 'DiningTable', 'Shelf'] as const;
