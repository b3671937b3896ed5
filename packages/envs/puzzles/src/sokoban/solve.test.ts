/** The expert finds what a plain breadth-first search finds, in rooms as they come and in rooms that random play has spoiled. */
import { Generator } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SokobanGame } from './game.js';
import { generateRoom } from './generate.js';
import { generatorsOf, SOKOBAN_LEVELS } from './levels.js';
import { isBox, PLAYER, type Room, TARGET, WALL } from './room.js';
import { SokobanEnv } from './sokoban-env.js';
import { search, solve } from './solve.js';

function roomOf(size: { rows: number; columns: number; boxes: number; walk?: number }, seed: number): Room {
  const generators = generatorsOf(seed);
  for (;;) {
    const drawn = generateRoom(size, generators);
    if ('room' in drawn) return drawn.room;
  }
}

/** VAGEN's search: breadth first, over all states. */
function plainSearch({ columns, fixed, state }: Room, player: number): number[] | undefined {
  const boxes = Array.from(state.keys()).filter((cell) => isBox(state[cell]));
  const queue = [{ player, boxes, actions: [] as number[] }];
  const seen = new Set<string>();
  for (const node of queue) {
    const key = `${node.player} ${node.boxes}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (node.boxes.every((box) => fixed[box] === TARGET)) return node.actions;
    for (const [index, shift] of [-columns, columns, -1, 1].entries()) {
      const [to, beyond] = [node.player + shift, node.player + 2 * shift];
      const isPush = node.boxes.includes(to);
      if (fixed[to] === WALL || (isPush && (fixed[beyond] === WALL || node.boxes.includes(beyond)))) continue;
      const moved = node.boxes.map((box) => (box === to ? beyond : box)).sort((a, b) => a - b);
      queue.push({ player: to, boxes: moved, actions: [...node.actions, index + 1] });
    }
  }
  return undefined;
}

describe('the expert of Sokoban', () => {
  it('finds the solution of a plain search, or proves that there is none', () => {
    let lost = 0;
    const anyPlay = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.nat(1e6), fc.integer({ min: 1, max: 2 }), anyPlay, (seed, boxes, actions) => {
        const game = new SokobanGame(roomOf({ rows: 6, columns: 7, boxes }, seed), boxes);
        for (const action of actions) game.play(action);
        const wanted = plainSearch(game, game.player);
        if (!wanted) lost += 1;
        expect(search(game, game.player)).toEqual(wanted ? { actions: wanted, isWhole: false } : { isWhole: true });
      }),
      { numRuns: 150, seed: 1 },
    );
    expect(lost).toBeGreaterThan(5);
  });

  // that of Sokoban-v1 and that of Sokoban-v2 were too large for a plain search
  it.each(Object.entries(SOKOBAN_LEVELS))('solves a room of %s', (_, level) => {
    const room = roomOf(level, 1);
    const game = new SokobanGame(room, level.boxes);
    for (const action of solve(room, room.state.indexOf(PLAYER))!) game.play(action);
    expect(game.isSolved).toBe(true);
  });

  it('knows after every step whether there is a solution, and says why not', () => {
    const env = new SokobanEnv({ rows: 7, columns: 7, boxes: 2, look: 'tiny', tileSize: 1 });
    const game = { rows: 7, columns: 7 };
    const rng = new Generator(2);
    let lost = 0;
    for (let seed = 0; seed < 6; seed += 1) {
      env.reset({ seed });
      for (let step = 0; step < 40; step += 1) {
        const saved = (env.snapshot().state as { game: { fixed: string; state: string } }).game;
        const cells = (digits: string) => Uint8Array.from(digits, Number);
        const room = { ...game, fixed: cells(saved.fixed), state: cells(saved.state) };
        const wanted = solve(room, room.state.indexOf(PLAYER))?.[0];
        expect(env.oracle()).toBe(wanted);
        if (wanted === undefined) {
          lost += 1;
          expect(env.oracleReason()).toBe('a box stands where it can no longer be pushed to a target');
        }
        if (env.step(rng.integers(9)).terminated) break;
      }
    }
    expect(lost).toBeGreaterThan(10);
  });
});
