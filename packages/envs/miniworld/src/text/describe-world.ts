/**
 * Describes what the agent sees: entities in its picture, and distances to the walls in it.
 *
 * Numbers are as coarse as an estimate by eye. Nothing behind the agent or beside its field of view is told, nor textures, light
 * and sky, which no task asks for.
 */
import type { World } from '../world/world.js';
import { type Sight, sights, wallsInView } from './sights.js';

const MAX_LISTED = 40;
/** Distances are told in half meters up to here, farther ones in meters. */
const NEAR = 10;
const DEGREES = 5;
/** Rows of a picture of 80 x 60 that letters need to be read. */
const LEGIBLE = 5;
/** Places between the edges of the view, edges included, at which the distance of the wall is told. */
const WALLS = 5;

/** `You see: a red box 3 m away, 10 degrees to the left. …` */
export function describeWorld(world: World): string {
  const seen = sights(world).map(told);
  // in an order of what is told, because the order would tell more
  seen.sort((a, b) => a.meters - b.meters || b.degrees - a.degrees || (a.label < b.label ? -1 : 1));
  const listed = seen
    .slice(0, MAX_LISTED)
    .map(({ label, meters, degrees }) => `${label} ${meters} m away, ${direction(degrees)}`);
  if (seen.length > MAX_LISTED) listed.push(`${seen.length - MAX_LISTED} more things`);
  const walls = wallsInView(world, WALLS).map((meters) => (Number.isFinite(meters) ? `${rounded(meters)} m` : 'none'));
  const { carrying } = world.agent;
  return [
    listed.length > 0 ? `You see: ${listed.join('; ')}.` : 'You see nothing but walls.',
    `Walls, from the left edge of the view to the right edge: ${walls.join(', ')}.`,
    carrying ? `You carry ${carrying.label}.` : 'Your hands are empty.',
  ].join('\n');
}

function told({ entity, distance, bearing, letterRows }: Sight) {
  const isIllegible = letterRows !== undefined && letterRows < LEGIBLE;
  return {
    label: isIllegible ? 'a sign that is too far away to read' : entity.label,
    meters: rounded(distance),
    degrees: DEGREES * Math.round(bearing / DEGREES),
  };
}

const rounded = (meters: number): number => (meters < NEAR ? Math.round(2 * meters) / 2 : Math.round(meters));

function direction(degrees: number): string {
  if (degrees === 0) return 'straight ahead';
  return `${Math.abs(degrees)} degrees to the ${degrees > 0 ? 'left' : 'right'}`;
}
