/** The world in BALROG's sentences; balrog-ai/BALROG (MIT), `balrog/environments/crafter/env.py`. `golden.test.ts` pins them. */
import type { Game } from '../world/game.js';
import { ITEMS, MATERIALS, MOST, NOTHING, VITALS } from '../world/rules.js';
import { KINDS } from '../world/things.js';
import type { World } from '../world/world.js';

const NAMES = ['None', ...MATERIALS, ...KINDS] as const;
const COLUMNS = 9;
const ROWS = 7;
const [CENTER_X, CENTER_Y] = [4, 3];

/** The material or the kind of thing at a place; `nothing` outside the map. */
export function nameAt(world: World, x: number, y: number): string {
  const material = world.material(x, y);
  if (material === NOTHING) return 'nothing';
  return world.objectAt(x, y)?.kind ?? NAMES[material]!;
}

/** The nearest of each kind, the cell ahead, and whether the player sleeps or is dead. */
export function describeView(game: Game): string {
  const { player } = game;
  const status = player.sleeping
    ? 'You are sleeping, and will not be able take actions until energy is full.\n\n\n\n'
    : game.isDead
      ? 'You died.\n\n\n\n'
      : '';
  const nearest = nearestOfEach(game);
  const seen = nearest.map(([name, place]) => `- ${name} ${place}`).join('\n');
  const view = seen === '' ? 'You see nothing away from you.' : `You see:\n${seen}`;
  return `${status}${view}\n\nYou face ${facing(game)} at your front.`;
}

/** Vitals, and what the player carries. */
export function describeInventory({ player }: Game): string {
  const { inventory } = player;
  const status = VITALS.map((name) => `- ${name}: ${inventory[name]}/${MOST}`).join('\n');
  const carried = ITEMS.filter((name) => !VITALS.includes(name) && inventory[name] !== 0);
  const list = carried.map((name) => `- ${name}: ${inventory[name]}`).join('\n');
  const items = list === '' ? 'You have nothing in your inventory.' : `Your inventory:\n${list}`;
  return `Your status:\n${status}\n\n${items}`;
}

/** The part of the map that is described: a slice of Python, which is empty if it begins left of the map or above it. */
function slice(from: number, count: number, length: number): readonly [start: number, stop: number] {
  const start = from < 0 ? Math.max(from + length, 0) : from;
  return [start, Math.max(start, Math.min(from + count, length))];
}

function viewOf({ world, player }: Game) {
  const [left, right] = slice(player.x - CENTER_X, COLUMNS, world.width);
  const [top, bottom] = slice(player.y - CENTER_Y, ROWS, world.height);
  return { left, top, columns: right - left, rows: bottom - top };
}

function facing(game: Game): string {
  const { left, top, columns, rows } = viewOf(game);
  const [x, y] = [CENTER_X + game.player.look[0], CENTER_Y + game.player.look[1]];
  return x < columns && y < rows ? nameAt(game.world, left + x, top + y) : 'nothing';
}

/** Among equally near ones the first counts, column by column. */
function nearestOfEach(game: Game): (readonly [name: string, place: string])[] {
  const { left, top, columns, rows } = viewOf(game);
  const nearest = new Map<string, { away: number; dx: number; dy: number }>();
  for (let column = 0; column < columns; column += 1) {
    for (let row = 0; row < rows; row += 1) {
      const name = nameAt(game.world, left + column, top + row);
      if (name === 'player') continue;
      const [dx, dy] = [column - CENTER_X, row - CENTER_Y];
      const away = Math.abs(dx) + Math.abs(dy);
      const known = nearest.get(name);
      if (!known) nearest.set(name, { away, dx, dy });
      else if (away < known.away) Object.assign(known, { away, dx, dy });
    }
  }
  return [...nearest].map(([name, place]) => [name, placeInWords(place)]);
}

function placeInWords({ away, dx, dy }: { readonly away: number; readonly dx: number; readonly dy: number }): string {
  const down = dy < 0 ? ['north'] : dy > 0 ? ['south'] : [];
  const across = dx < 0 ? ['west'] : dx > 0 ? ['east'] : [];
  return `${away} step${away > 1 ? 's' : ''} to your ${[...down, ...across].join('-')}`;
}
