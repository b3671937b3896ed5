/** Objects of a household at the start. */
import type { Generator } from '@vlgym/core';
import type { Target, Thing } from './household-types.js';
import type { Density } from './layout.js';
import { drawCount, type Layout, type Receptacle } from './layout.js';
import { ObjectPlacer } from './object-placer.js';
import { PLACED, PROPERTIES, ROOMS } from './tables.generated.js';

/** Puts objects into a room, enough of the target among them; none of these starts where it has to go. */
export function arrange(layout: Layout, target: Target, density: Density, rng: Generator): readonly Thing[] {
  const placer = new ObjectPlacer(layout, rng);
  if (density === 'published') fillAsPublished(placer, layout, target, rng);
  else fillLightly(placer, layout, target, rng);
  return placer.things;
}

const wantedOf = ({ type }: Target): number => (type === 'pick_two_obj_and_place' ? 2 : 1);

/** Maximum number of objects per class of `light` households. */
const MAX_PER_CLASS = 3;

function fillLightly(placer: ObjectPlacer, layout: Layout, target: Target, rng: Generator): void {
  const room = ROOMS[layout.room]!;
  const wanted = wantedOf(target);
  for (const [type, [presence, min, mean, max]] of Object.entries(room.objects)) {
    if (!PROPERTIES.pickupable!.includes(type)) continue;
    const isTarget = type === target.object;
    const isThere = rng.random() < presence || isTarget;
    const count = drawCount(rng, min, mean, Math.min(max, MAX_PER_CLASS));
    if (!isThere) continue;
    // No target object starts where it has to go.
    const forbidden = isTarget ? target.receptacle : '';
    for (let index = 0; index < Math.max(count, isTarget ? wanted : 0); index += 1) {
      placer.put(type, room.places[type] ?? {}, forbidden);
    }
  }
  const hasLamps = layout.room === 'Bedroom' || layout.room === 'LivingRoom';
  if (hasLamps && (target.lamp !== '' || rng.random() < 0.6)) placer.putLamp();
}

/**
 * As many objects of each class, on the same classes of receptacles, as in the training games of ALFWorld (PLACED), scenery
 * included. What those games declare but put nowhere (a plunger on the floor) is left out: no text shows it.
 */
function fillAsPublished(placer: ObjectPlacer, layout: Layout, target: Target, rng: Generator): void {
  const { objects: counts } = ROOMS[layout.room]!;
  const { objects, games } = PLACED[layout.room]!;
  for (const type of new Set([...Object.keys(objects), target.object, target.lamp].filter((name) => name !== ''))) {
    const isTarget = type === target.object;
    const seen = objects[type] ?? {};
    const number = drawNumber(rng, counts[type], Object.values(seen).reduce((sum, count) => sum + count, 0) / games);
    const needed = isTarget ? wantedOf(target) : type === target.lamp ? 1 : 0;
    const weighted = weightsOf(layout, seen).filter(([place]) => !isTarget || place.type !== target.receptacle);
    for (let index = 0; index < Math.max(number, needed); index += 1) {
      if (weighted.length > 0) placer.putAmong(type, weighted);
      else if (type === target.lamp) placer.putLamp();
      else if (isTarget) placer.put(type, {}, target.receptacle);
    }
  }
}

/**
 * The number of objects of a class on receptacles.
 *
 * @param counts  Counts of the objects that a room declares; `undefined` for scenery.
 * @param expected  Mean number of those that lie on a receptacle.
 */
function drawNumber(
  rng: Generator,
  counts: readonly [presence: number, min: number, mean: number, max: number] | undefined,
  expected: number,
): number {
  if (counts === undefined) return Math.floor(expected) + (rng.random() < expected % 1 ? 1 : 0);
  const [presence, min, mean, max] = counts;
  const isThere = rng.random() < presence;
  const declared = drawCount(rng, min, mean, max);
  if (!isThere) return 0;
  const share = expected / (presence * mean);
  return Array.from({ length: declared }, () => rng.random()).filter((chance) => chance < share).length;
}

/** Receptacles that can contain the object, weighted by its frequency in their class among the rooms that have the class. */
function weightsOf(layout: Layout, seen: Readonly<Record<string, number>>): (readonly [Receptacle, number])[] {
  const presences = ROOMS[layout.room]!.receptacles;
  return layout.receptacles.flatMap((place) => {
    const count = seen[place.type] ?? 0;
    if (count === 0) return [];
    const equal = layout.receptacles.filter(({ type }) => type === place.type).length;
    return [[place, count / (presences[place.type]?.[0] ?? 1) / equal] as const];
  });
}
