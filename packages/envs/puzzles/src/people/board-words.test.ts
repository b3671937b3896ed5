/** Puzzles for people who do not see them, and reasons in their words. */
import { make } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import '../index.js';
import { lakeEnd, lakeRefusal, lakeWords, roomWords, sokobanRefusal } from './board-words.js';

/** A room as `boardOf` writes it. */
function room(...rows: string[]) {
  const columns = rows[0]!.length;
  const letters = rows.join('');
  const fixed = Uint8Array.from(letters, (letter) => ({ '#': 0, O: 2, '√': 2, S: 2 })[letter] ?? 1);
  const state = Uint8Array.from(letters, (letter) => '#_O√XPS'.indexOf(letter)).map((cell) => (cell === 6 ? 5 : cell));
  return { room: { rows: rows.length, columns, fixed, state }, player: state.indexOf(5) };
}

it('a room of Sokoban is told cell by cell', () => {
  const { room: told, player } = room('#######', '#S_X_O#', '###√__#', '#######');
  expect(roomWords(told, player)).toBe(
    'You are in row 2, column 2, on a target. Boxes: row 2, column 4. Boxes on targets: row 3, column 4. ' +
      'Targets without a box: row 2, columns 2 and 6. Cells that are no wall: row 2, columns 2 to 6; row 3, columns 4 to 6.',
  );
});

describe('a step of Sokoban that would change nothing', () => {
  const { room: small, player } = room('#######', '#_PXX_#', '##X#X_#', '#_____#', '#######');
  const shifts = { up: -7, down: 7, left: -1, right: 1 };
  it.each([
    ['up', true, 'A wall is in the way.'],
    ['left', true, undefined],
    ['right', true, 'Two boxes in a row cannot be pushed.'],
    ['right', false, 'A box is in the way, and "move" does not push.'],
    ['down', true, undefined],
  ] as const)('%s, pushing %s: %s', (way, pushes, reason) => {
    expect(sokobanRefusal(small, player, shifts[way], pushes)).toBe(reason);
  });

  it('a box at a wall', () => {
    const { room: tight, player: at } = room('#####', '#PX##', '#####');
    expect(sokobanRefusal(tight, at, 1, true)).toBe('The box cannot move: a wall is behind it.');
  });
});

it('a lake is told with its holes, and where it ends', () => {
  const lake = { cells: 'SFHFFFHHG', columns: 3, position: 3 };
  expect(lakeWords(lake)).toBe(
    'The lake has 3 rows and 3 columns. You are in row 2, column 1. Goal: row 3, column 3. Holes: row 1, column 3; row 3, columns 1 and 2.',
  );
  expect(lakeRefusal(lake, 'left')).toBe('The lake ends there.');
  expect(lakeRefusal(lake, 'up')).toBeUndefined();
  expect(['G', 'H', 'F'].map(lakeEnd)).toEqual(['You are at the goal.', 'You fell into a hole.', undefined]);
});

it('the expert of Sokoban says why it has no action', async () => {
  const env = await make('Sokoban-small-v0', { options: { rows: 5, columns: 5, boxes: 1 } });
  await env.reset({ seed: 1 });
  expect(env.oracleReason?.()).toBeUndefined();
  const snapshot = structuredClone(await env.unwrapped.snapshot()) as { kind: string; state: { game: object } };
  const { room: stuck } = room('#####', '#X_P#', '#___#', '#__O#', '#####');
  Object.assign(snapshot.state.game, {
    fixed: [...stuck.fixed].join(''),
    state: [...stuck.state].join(''),
  });
  env.unwrapped.restore(snapshot);
  expect(env.oracle?.()).toBeUndefined();
  expect(env.oracleReason?.()).toBe('a box stands where it can no longer be pushed to a target');
  await env.close();
});

it.each(['vagen/Sokoban-v0', 'vagen/FrozenLake-v0', 'FrozenLake-v1'])('%s says where one is', async (id) => {
  const env = await make(id as 'vagen/Sokoban-v0');
  await env.reset({ seed: 2 });
  expect(env.unwrapped.describeState()).toMatch(/You are in row \d+, column \d+/);
  await env.close();
});
