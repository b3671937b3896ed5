/** A game of Sokoban as JSON data. */
import { z } from 'zod';
import { SokobanGame } from './game.js';
import { BOX, BOX_ON_TARGET, digits, PLAYER, TARGET } from './room.js';

export interface SavedGame {
  readonly fixed: string;
  readonly state: string;
  readonly steps: number;
  readonly boxesOnTarget: number;
}

/** @param size  Rows, columns and boxes of the environment; every saved room has them. */
export function savedGame({ rows, columns, boxes }: { rows: number; columns: number; boxes: number }) {
  const cells = (last: number) =>
    z
      .string()
      .length(rows * columns)
      .regex(new RegExp(`^[0-${last}]*$`), { error: `digits from 0 to ${last}` });
  return z
    .strictObject({
      fixed: cells(TARGET),
      state: cells(PLAYER),
      steps: z.int().min(0),
      boxesOnTarget: z.int().min(-boxes).max(boxes),
    })
    .refine(({ fixed, state }) => isSound(fixed, state, { rows, columns, boxes }), {
      error: `a room with walls around it, one player, ${boxes} boxes and as many targets`,
    });
}

function isSound(
  fixed: string,
  state: string,
  { rows, columns, boxes }: { rows: number; columns: number; boxes: number },
): boolean {
  const count = (text: string, digit: number) => text.split(String(digit)).length - 1;
  const isEdge = (at: number) =>
    at < columns || at >= (rows - 1) * columns || at % columns === 0 || at % columns === columns - 1;
  const fits = (under: number, on: number) => {
    if (on === PLAYER || on === BOX) return under > 0 && !(on === BOX && under === TARGET);
    return on === BOX_ON_TARGET ? under === TARGET : on === under;
  };
  return (
    count(state, PLAYER) === 1 &&
    count(fixed, TARGET) === boxes &&
    count(state, BOX) + count(state, BOX_ON_TARGET) === boxes &&
    Array.from(fixed).every((cell, at) => !(isEdge(at) && cell !== '0') && fits(Number(cell), Number(state[at])))
  );
}

export const saveGame = ({ fixed, state, steps, boxesOnTarget }: SokobanGame): SavedGame => ({
  fixed: digits(fixed),
  state: digits(state),
  steps,
  boxesOnTarget,
});

export function loadGame(
  saved: SavedGame,
  { rows, columns, boxes }: { rows: number; columns: number; boxes: number },
): SokobanGame {
  const cells = (text: string) => Uint8Array.from(text, Number);
  const game = new SokobanGame({ rows, columns, fixed: cells(saved.fixed), state: cells(saved.state) }, boxes);
  game.steps = saved.steps;
  game.boxesOnTarget = saved.boxesOnTarget;
  return game;
}
