/** Puts objects on the furniture of a layout, each with its own id and position. */
import type { Generator } from '@vlgym/core';
import { LAMP_PLACES } from './furniture.js';
import type { Thing } from './household-types.js';
import type { Layout, Receptacle } from './layout.js';
import { accepts } from './rules.js';
import { cents, thorId } from './thor-id.js';

export class ObjectPlacer {
  readonly things: Thing[] = [];
  readonly #layout: Pick<Layout, 'receptacles'>;
  readonly #rng: Generator;
  readonly #ids = new Set<string>();

  constructor(layout: Pick<Layout, 'receptacles'>, rng: Generator) {
    this.#layout = layout;
    this.#rng = rng;
  }

  /** Puts an object on a receptacle that accepts it, weighted by ALFWorld's statistics; nowhere if none accepts it. */
  put(type: string, weights: Readonly<Record<string, number>>, forbidden: string): void {
    const places = this.#layout.receptacles.filter((place) => place.type !== forbidden && accepts(place.type, type));
    const usual = places.filter((place) => (weights[place.type] ?? 0) > 0);
    const count = (place: Receptacle) => places.filter((other) => other.type === place.type).length;
    const place =
      usual.length > 0
        ? drawWeighted(
            usual.map((receptacle) => [receptacle, weights[receptacle.type]! / count(receptacle)] as const),
            this.#rng,
          )
        : places.length > 0
          ? this.#rng.choice(places)
          : undefined;
    if (place) this.#add(type, place);
  }

  /** Puts an object on one of these receptacles by their weights; nowhere if none has a weight. */
  putAmong(type: string, weighted: readonly (readonly [Receptacle, number])[]): void {
    const place = drawWeighted(weighted, this.#rng);
    if (place) this.#add(type, place);
  }

  /** Puts an object on this receptacle, whatever it accepts. */
  putOn(type: string, receptacle: Receptacle): void {
    this.#add(type, receptacle);
  }

  putLamp(): void {
    const tables = LAMP_PLACES.flatMap((type) => this.#layout.receptacles.filter((place) => place.type === type));
    this.#add('DeskLamp', tables[0]!);
  }

  #add(type: string, receptacle: Receptacle): void {
    const [x, , z] = receptacle.position;
    const [width, depth] = receptacle.size;
    const [along, across] = receptacle.pose.rotation % 2 === 0 ? [width, depth] : [depth, width];
    const offset = (size: number) => (this.#rng.random() - 0.5) * Math.max(size - 0.15, 0.05);
    for (;;) {
      const position = [cents(x + offset(along)), cents(receptacle.surface + 0.05), cents(z + offset(across))] as const;
      const id = thorId(type, position);
      if (this.#ids.has(id)) continue;
      this.#ids.add(id);
      this.things.push({ type, id, position, receptacle });
      return;
    }
  }
}

export function drawWeighted<T>(weighted: readonly (readonly [T, number])[], rng: Generator): T | undefined {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  let left = rng.random() * total;
  for (const [item, weight] of weighted) {
    left -= weight;
    if (left < 0) return item;
  }
  return weighted.findLast(([, weight]) => weight > 0)?.[0];
}
