/** Objects in the world, as data: the player, creatures, arrows, plants. */

/** In the order of their numbers in the map of everything, which follow those of the materials. */
export const KINDS = ['player', 'cow', 'zombie', 'skeleton', 'arrow', 'plant'] as const;
export type Kind = (typeof KINDS)[number];

export class Thing {
  removed = false;

  /**
   * @param health  Points left; 0 for arrows.
   * @param timer   Steps until a zombie hits or a skeleton shoots again; age of a plant.
   * @param facing  Direction of an arrow's flight.
   */
  constructor(
    readonly kind: Kind,
    public x: number,
    public y: number,
    public health: number,
    public timer = 0,
    readonly facing: readonly [number, number] = [0, 0],
  ) {}

  hurt(damage: number): void {
    this.health = Math.max(0, this.health - damage);
  }

  /** Steps along both axes. */
  distanceTo(x: number, y: number): number {
    return Math.abs(x - this.x) + Math.abs(y - this.y);
  }

  /** Eating a plant feeds only when it is ripe. */
  get isRipe(): boolean {
    return this.timer > 300;
  }
}

const INITIAL_HEALTH = { cow: 3, zombie: 5, skeleton: 3, arrow: 0, plant: 1 } as const;

export const newThing = (
  kind: Exclude<Kind, 'player'>,
  x: number,
  y: number,
  facing?: readonly [number, number],
): Thing => new Thing(kind, x, y, INITIAL_HEALTH[kind], 0, facing);
