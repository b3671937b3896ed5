/** Listing of games, their order, and their grammar. */
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DATA, NEEDS_DATA } from '../../test-support/data.js';
import { SMALL } from '../../test-support/small-game.js';
import { household } from '../builder/household.js';
import { GameFileError } from '../errors.js';
import { householdTexts } from '../generator/household.js';
import { listGames } from './collection.js';
import { loadGame, parseGameFile } from './game-file.js';
import { renderAgain } from './grammar-version.js';
import { GameOrder } from './order.js';
import { FileSource } from './source.js';
import { taskOfGoal } from './task.js';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'vlgym-games-'));
  vi.stubEnv('VLGYM_CACHE', join(data, 'cache'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(data, { recursive: true, force: true });
});

const GAME = { pddl_domain: SMALL.domain, pddl_problem: SMALL.problem, grammar: SMALL.grammar, solvable: true };

/** Writes a trial folder; `undefined` omits a file, a string is written as it is. */
function trial(name: string, { split = 'train', type = 'pick_and_place_simple', game = GAME as unknown } = {}): string {
  const folder = join(data, 'json_2.1.1', split, name, 'trial_T1');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'traj_data.json'),
    JSON.stringify({ task_type: type, pddl_params: { object_target: 'Mug' } }),
  );
  const text = typeof game === 'string' ? game : JSON.stringify(game);
  if (game !== null) writeFileSync(join(folder, 'game.tw-pddl'), text);
  return folder;
}

describe('a listing', () => {
  it('accepts the games that the original accepts, sorted by path, and says why others are rejected', () => {
    const { solvable: _, ...silent } = GAME;
    trial('b-good');
    trial('a-good', { type: 'look_at_obj_in_light' });
    trial('with-movable-thing');
    trial('AppleSliced');
    trial('other-type', { type: 'pick_and_place_with_movable_recep' });
    trial('no-game', { game: null });
    trial('silent', { game: silent });
    trial('null', { game: { ...GAME, solvable: null } });
    trial('unsolvable', { game: { ...GAME, solvable: false } });
    trial('cut', { game: JSON.stringify(GAME).slice(0, 100) });
    mkdirSync(join(data, 'json_2.1.1/train/empty/trial'), { recursive: true });
    const { games, rejected } = listGames({ data });
    expect(games.map(({ id, taskType }) => [id, taskType])).toEqual([
      ['a-good/trial_T1', 'look_at_obj_in_light'],
      ['b-good/trial_T1', 'pick_and_place_simple'],
    ]);
    expect(Object.fromEntries(rejected.map(({ folder, reason }) => [folder.split('/').at(-2), reason]))).toEqual({
      'with-movable-thing': 'path-movable',
      AppleSliced: 'path-sliced',
      'other-type': 'task-type',
      'no-game': 'no-game-file',
      silent: 'solvable-unknown',
      null: 'solvable-unknown',
      unsolvable: 'unsolvable',
      cut: 'broken',
    });
    expect(listGames({ data, taskTypes: ['look_at_obj_in_light'] }).games).toHaveLength(1);
  });

  it('is empty below a folder with a forbidden word in its name, as in the original', () => {
    trial('good');
    const renamed = join(data, 'movable');
    mkdirSync(renamed);
    trial('../../movable/json_2.1.1/train/good');
    expect(listGames({ data: renamed }).games).toEqual([]);
  });

  it('comes from its cache until a file changes', () => {
    const folder = trial('good');
    const first = listGames({ data });
    expect(listGames({ data })).toEqual(first);
    const broken = join(folder, 'game.tw-pddl');
    writeFileSync(broken, '{'.repeat(10));
    expect(listGames({ data }).rejected[0]?.reason).toBe('broken');
    writeFileSync(broken, JSON.stringify(GAME));
    utimesSync(broken, 1, 1);
    expect(listGames({ data }).games).toHaveLength(1);
    // Same size, same time: the cache is trusted.
    writeFileSync(broken, JSON.stringify(GAME).replace('true', 'tru '));
    utimesSync(broken, 1, 1);
    expect(listGames({ data }).games).toHaveLength(1);
    expect(listGames({ data, cache: false }).games).toEqual([]);
  });

  it('works without a cache that is damaged or cannot be written', () => {
    trial('good');
    vi.stubEnv('VLGYM_CACHE', join(data, 'json_2.1.1/train/good/trial_T1/game.tw-pddl'));
    expect(listGames({ data }).games).toHaveLength(1);
  });

  it.skipIf(!DATA)(`of the shared data has 24, 18 and 18 games and three left out${NEEDS_DATA}`, () => {
    const lists = (['train', 'valid_seen', 'valid_unseen'] as const).map((split) => listGames({ data: DATA!, split }));
    expect(lists.map(({ games }) => games.length)).toEqual([24, 18, 18]);
    expect(lists.flatMap(({ rejected }) => rejected.map(({ reason }) => reason)).sort()).toEqual([
      'path-movable',
      'path-sliced',
      'unsolvable',
    ]);
    const types = lists.flatMap(({ games }) => games.map(({ taskType }) => taskType));
    for (const type of new Set(types)) expect(types.filter((other) => other === type)).toHaveLength(10);
  });
});

describe('a file', () => {
  it.each([
    ['cut', JSON.stringify(GAME).slice(0, 200), 'INVALID_GAME', /not JSON/],
    ['foreign', '{"name": "package"}', 'INVALID_GAME', /pddl_domain/],
    ['a list', '[]', 'INVALID_GAME', /not a JSON object/],
    ['marked unsolvable', { ...GAME, solvable: false }, 'UNSOLVABLE_GAME', /unsolvable/],
    [
      'with an unknown construct',
      { ...GAME, pddl_domain: GAME.pddl_domain.replace('(:types', '(:derived') },
      'UNSUPPORTED_PDDL',
      /":derived"/,
    ],
  ])('that is %s is refused, and the error names it', (_, game, code, message) => {
    const folder = trial('game', { game });
    expect(() => loadGame(folder)).toThrow(
      expect.objectContaining({ code, file: join(folder, 'game.tw-pddl'), message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ['the object', [/\(objectType mug\S* MugType\)/gi, ''], 'mug', /mug is missing/],
    ['the place', [/\(receptacleType cabinet\S* CabinetType\)/gi, ''], 'cabinet', /cabinet is missing/],
    ['what the place accepts', [/\(canContain CabinetType MugType\)/gi, ''], 'cabinet', /no cabinet accepts a mug/],
    ['the machine', [/\(receptacleType sink\S* SinkBasinType\)/gi, ''], 'sinkbasin', /sinkbasin is missing/],
    ['what can be treated', [/\(cleanable mug\S*\)/gi, ''], 'mug', /no mug is cleanable/],
  ] as const)('marked unsolvable says that it lacks %s', (_, [facts, nothing], refused, reason) => {
    const { domain, problem, grammar } = householdTexts(
      household({
        rooms: [{ receptacles: ['CounterTop', 'SinkBasin', 'Cabinet'] }],
        objects: [{ type: 'Mug', in: 'CounterTop' }],
        task: { type: 'pick_clean_then_place_in_recep', object: 'Mug', receptacle: 'Cabinet' },
      }),
    );
    const lacking = { pddl_domain: domain, pddl_problem: problem.replace(facts, nothing), grammar };
    const folder = trial('lacking', { game: { ...lacking, solvable: false } });
    expect(() => loadGame(folder)).toThrow(
      expect.objectContaining({
        code: 'UNSOLVABLE_GAME',
        value: refused,
        message: expect.stringMatching(reason),
        hint: expect.stringContaining('allowUnsolvable'),
      }),
    );
  });

  it('that does not exist is refused', () => {
    expect(() => loadGame(join(data, 'x'))).toThrow(GameFileError);
  });

  it('with unknown keys is accepted, and one marked unsolvable on request', () => {
    const folder = trial('game', { game: { ...GAME, solvable: false, vlgym: 1 } });
    expect(loadGame(folder, { allowUnsolvable: true }).actions).toHaveLength(5);
  });

  it('is compiled once for all environments of a process until it changes', () => {
    const folder = trial('a');
    const load = () => new FileSource({ data }).load('a/trial_T1').game;
    const first = load();
    expect(load()).toBe(first);
    writeFileSync(join(folder, 'game.tw-pddl'), JSON.stringify({ ...GAME, walkthrough: [] }));
    expect(load()).not.toBe(first);
  });

  it('does not affect other games of its source', () => {
    trial('a', { game: { ...GAME, pddl_problem: '(' } });
    trial('b');
    const source = new FileSource({ data });
    expect(() => source.load('a/trial_T1')).toThrow(expect.objectContaining({ code: 'INVALID_GAME' }));
    expect(source.load('b/trial_T1').taskType).toBe('pick_and_place_simple');
    expect(() => source.load('c')).toThrow(expect.objectContaining({ code: 'UNKNOWN_GAME' }));
    expect(() => new FileSource({ data, split: 'valid_seen' }).next()).toThrow(
      expect.objectContaining({ code: 'NO_GAMES' }),
    );
  });
});

describe('the order of games', () => {
  it.each([
    [
      3,
      7,
      [
        [2, 1, 0],
        [2, 1, 0],
        [0, 1, 2],
      ],
    ],
    [
      10,
      42,
      [
        [8, 1, 5, 0, 7, 2, 9, 4, 3, 6],
        [8, 1, 3, 2, 0, 7, 4, 6, 9, 5],
      ],
    ],
  ])('of %i games from seed %i is that of NumPy', (count, seed, cycles) => {
    const order = new GameOrder(count, seed);
    for (const cycle of cycles) expect(cycle.map(() => order.next())).toEqual(cycle);
  });

  it.skipIf(!DATA)(`agrees with all recorded shuffles${NEEDS_DATA}`, () => {
    const vectors = JSON.parse(readFileSync(join(DATA!, 'golden/game-order.json'), 'utf8'));
    for (const { n, seed, cycles, first32, second32 } of vectors) {
      const order = new GameOrder(n, seed);
      const cycle = () => Array.from({ length: n }, () => order.next());
      const expected = cycles ?? [first32, second32];
      for (const part of expected) expect(cycle().slice(0, part.length)).toEqual(part);
    }
  });

  it('continues from a saved state', () => {
    const order = new GameOrder(9, 1);
    for (let index = 0; index < 12; index += 1) order.next();
    const other = new GameOrder(9);
    other.setState(JSON.parse(JSON.stringify(order.getState())));
    expect(Array.from({ length: 20 }, () => other.next())).toEqual(Array.from({ length: 20 }, () => order.next()));
  });
});

describe('newer grammars', () => {
  const old = {
    domain: '(define (domain d))',
    problem: 'p',
    grammar: 'x {\n "rhs": "Your task is to: put a mug in desk." put {o} in/on {r} }',
  };

  it('of the patched archive replace the old verbs and add help', () => {
    const { domain, grammar } = renderAgain(old, 'patched-2.1.2');
    expect(grammar).toContain('move {o} to {r}');
    expect(grammar).toContain('action help');
    expect(domain).toMatch(/^\(define \(domain d\)\(:action help[\s\S]*\)\n\)$/);
    expect(renderAgain({ ...old, domain, grammar }, 'patched-2.1.2')).toEqual({ ...old, domain, grammar });
  });

  it('of 0.5.0 keep the task sentence and need its files', () => {
    const logic = { domain: 'd', grammar: '"Your task is to: UNKNOWN GOAL."' };
    expect(renderAgain(old, 'v0.5.0', logic)).toEqual({
      domain: 'd',
      problem: 'p',
      grammar: '"Your task is to: put a mug in desk."',
    });
    expect(() => renderAgain(old, 'v0.5.0')).toThrow(/logic/);
  });

  it.skipIf(!DATA)(`keep original games playable${NEEDS_DATA}`, () => {
    const [record] = listGames({ data: DATA!, cache: false }).games;
    const { texts } = parseGameFile(readFileSync(record!.file, 'utf8'));
    expect(renderAgain(texts, 'embedded')).toBe(texts);
    expect(new FileSource({ data: DATA!, grammarVersion: 'v0.5.0' }).load(record!.id).game.actions).toHaveLength(15);
  });
});

it('reads the task from a goal, and none from a goal of unknown form', () => {
  const atom = (predicate: string, ...terms: string[]) => ({ kind: 'atom', predicate, terms }) as const;
  const parts = [
    atom('objecttype', '?o', 'mugtype'),
    atom('receptacletype', '?r', 'desktype'),
    atom('inreceptacle', '?o', '?r'),
  ];
  expect(taskOfGoal({ kind: 'and', parts: [...parts, atom('ishot', '?o')] })).toEqual({
    type: 'pick_heat_then_place_in_recep',
    object: 'mugtype',
    receptacle: 'desktype',
  });
  expect(taskOfGoal({ kind: 'and', parts: [atom('opened', 'box')] })).toBeUndefined();
});
