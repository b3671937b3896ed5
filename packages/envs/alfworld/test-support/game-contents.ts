/**
 * Objects in one of ALFWorld's games at the start, read from its PDDL problem.
 *
 * Counts objects that are in or on a receptacle: the problems also declare windows, taps and lamps that no text ever shows.
 */
import { readFileSync } from 'node:fs';
import type { RoomType } from '../src/generator/layout.js';

export interface GameContents {
  readonly room: RoomType;
  /** The class of each object and receptacle. */
  readonly objects: readonly string[];
  readonly receptacles: readonly string[];
}

/** @param file  A `game.tw-pddl`. */
export function readGameContents(file: string): GameContents {
  const { pddl_problem: problem } = JSON.parse(readFileSync(file, 'utf8')) as { pddl_problem: string };
  const placed = new Set([...problem.matchAll(/\(inReceptacle (\S+) /g)].map(([, id]) => id!));
  const ids = (kind: string) =>
    [...problem.matchAll(new RegExp(`^\\s*(\\w+) - ${kind}\\b`, 'gm'))].map(([, id]) => id!);
  const classes = (list: readonly string[]) => list.map((id) => id.split('_bar_')[0]!);
  const receptacles = classes(ids('receptacle'));
  return { room: roomWith(receptacles), objects: classes(ids('object').filter((id) => placed.has(id))), receptacles };
}

function roomWith(receptacles: readonly string[]): RoomType {
  if (receptacles.includes('Fridge')) return 'Kitchen';
  if (receptacles.includes('Toilet')) return 'Bathroom';
  return receptacles.includes('Bed') ? 'Bedroom' : 'LivingRoom';
}
