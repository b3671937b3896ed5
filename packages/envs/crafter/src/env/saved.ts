/** A game as JSON data, and back. A damaged one is refused before it plays. */
import { numpyRandomState, option, savedCount } from '@vlgym/core';
import { z } from 'zod';
import { type Area, Game } from '../world/game.js';
import type { Stock } from '../world/player.js';
import { ACHIEVEMENTS, DIRECTIONS, ITEMS, MOST } from '../world/rules.js';
import { KINDS, Thing } from '../world/things.js';
import { World } from '../world/world.js';

/** Materials are letters, from `a` for water to `l` for a furnace. */
const FIRST_LETTER = 96;
/** More than any creature or plant counts. */
const MAX_TIMER = 1_000_000;
const STILL = -1;

const points = option.integer(0, MOST);

function shapeOf({ width, height }: Area) {
  const place = { x: option.integer(0, width - 1), y: option.integer(0, height - 1) };
  const letters = `${width * height} letters from a to l`;
  return z.strictObject({
    steps: savedCount,
    lastHealth: points,
    unlocked: z.array(option.oneOf(ACHIEVEMENTS)).max(ACHIEVEMENTS.length),
    random: numpyRandomState,
    materials: z
      .string()
      .length(width * height, { error: letters })
      .regex(/^[a-l]*$/, { error: letters }),
    player: z.strictObject({
      ...place,
      health: points,
      look: option.integer(0, 3),
      sleeping: option.boolean(),
      stock: z.array(points).length(ITEMS.length - 1),
      achievements: z.array(savedCount).length(ACHIEVEMENTS.length),
      body: z.strictObject({
        hunger: option.number(0, 100),
        thirst: option.number(0, 100),
        fatigue: option.number(-100, 100),
        recover: option.number(-100, 100),
        lastHealth: points,
      }),
    }),
    things: z
      .array(
        z.strictObject({
          ...place,
          kind: option.integer(1, KINDS.length - 1),
          health: points,
          timer: option.integer(0, MAX_TIMER),
          facing: option.integer(STILL, 3),
        }),
      )
      .max(width * height),
    chunks: z.array(z.tuple([savedCount, z.array(savedCount).max(width * height)])).max(width * height),
  });
}

type SavedGame = z.output<ReturnType<typeof shapeOf>>;

/** The schema of a saved game of this area. */
export const savedGame = (area: Area) =>
  shapeOf(area).refine((saved) => isSound(saved, area), {
    error: 'one thing in a cell, and each in the chunk of its cell',
  });

/** Whether no two things share a cell, and every thing is in one chunk, the right one. */
function isSound({ player, things, chunks }: SavedGame, { width, height }: Area): boolean {
  const all = [player, ...things];
  if (new Set(all.map(({ x, y }) => x * height + y)).size !== all.length) return false;
  const world = new World(width, height);
  const listed = chunks.flatMap(([, members]) => members);
  return (
    new Set(chunks.map(([key]) => key)).size === chunks.length &&
    listed.length === all.length &&
    new Set(listed).size === all.length &&
    chunks.every(([key, members]) =>
      members.every((index) => all[index] && world.chunkKey(all[index].x, all[index].y) === key),
    )
  );
}

const indexOf = ([dx, dy]: readonly [number, number]) => DIRECTIONS.findIndex(([x, y]) => x === dx && y === dy);

export function saveGame({ world, player, steps, lastHealth, unlocked }: Game): SavedGame {
  const index = new Map(world.objects.map((thing, at) => [thing, at]));
  return {
    steps,
    lastHealth,
    unlocked: [...unlocked],
    random: world.random.getState(),
    materials: String.fromCharCode(...world.materials.map((material) => FIRST_LETTER + material)),
    player: {
      x: player.x,
      y: player.y,
      health: player.health,
      look: indexOf(player.look),
      sleeping: player.sleeping,
      stock: Object.values(player.stock),
      achievements: Object.values(player.achievements),
      body: { ...player.body },
    },
    things: world.objects.slice(1).map(({ kind, x, y, health, timer, facing }) => ({
      kind: KINDS.indexOf(kind),
      x,
      y,
      health,
      timer,
      facing: indexOf(facing),
    })),
    chunks: [...world.chunks].map(([key, members]) => [key, [...members].map((thing) => index.get(thing)!)]),
  };
}

export function loadGame(saved: SavedGame, area: Area): Game {
  const game = new Game(area, 0, false);
  const { world, player } = game;
  const { look, stock, achievements, body, ...rest } = saved.player;
  Object.assign(player, rest, { look: DIRECTIONS[look]! });
  Object.assign(player.body, body);
  for (const [at, item] of ITEMS.slice(1).entries()) player.stock[item as keyof Stock] = stock[at]!;
  for (const [at, name] of ACHIEVEMENTS.entries()) player.achievements[name] = achievements[at]!;
  const things = saved.things.map(
    ({ kind, x, y, health, timer, facing }) =>
      new Thing(KINDS[kind]!, x, y, health, timer, facing === STILL ? undefined : DIRECTIONS[facing]),
  );
  world.materials.set(Uint8Array.from(saved.materials, (letter) => letter.charCodeAt(0) - FIRST_LETTER));
  world.load([player, ...things], saved.chunks);
  world.random.setState(saved.random);
  game.continueAt(saved.steps, saved.lastHealth, saved.unlocked);
  return game;
}
