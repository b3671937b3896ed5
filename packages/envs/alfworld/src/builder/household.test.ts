/** Custom households: what can be built can be won, and what cannot is refused with the path and the reason. */
import { checkEnv, GymError, make } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../register.js';
import { createAlfworld } from '../env/alfworld.js';
import { TASK_TYPES } from '../games/task.js';
import { SHAPES } from '../generator/furniture.js';
import { walkthroughOf } from '../generator/household.js';
import { CAN_CONTAIN, PROPERTIES } from '../generator/tables.generated.js';
import { household } from './household.js';
import { type HouseholdPlan, OWN_PROPERTIES, WALLS } from './plan.js';

/** Two rooms with a class of each kind that ALFWorld does not have. */
const FLAT = {
  name: 'flat',
  rooms: [
    {
      receptacles: [
        'Fridge',
        'SinkBasin',
        { type: 'CounterTop', count: 2 },
        'Microwave',
        { type: 'Cabinet', name: 'left', wall: 'north' },
        { type: 'DuckHouse', accepts: ['RubberDuck', 'Mug'], openable: true, wall: 'south', at: 0 },
      ],
    },
    { type: 'Bedroom', size: [5, 4], receptacles: ['Bed', { type: 'Desk', wall: 'east', at: 0.1 }] },
  ],
  objects: [
    { type: 'Mug', in: 'Fridge', count: 2 },
    { type: 'DeskLamp', in: 'Desk' },
    { type: 'RubberDuck', in: 'DuckHouse', properties: ['cleanable', 'heatable', 'coolable'] },
  ],
  task: { type: 'pick_clean_then_place_in_recep', object: 'RubberDuck', receptacle: 'DuckHouse' },
} as const satisfies HouseholdPlan;

/** The flat with something else in it. */
const flat = (change: object): HouseholdPlan => ({ ...FLAT, ...change }) as HouseholdPlan;

describe('a custom household', () => {
  it('meets the contract of every environment, also from plain data and a copy of another process', async () => {
    const other = { ...FLAT, name: 'other', task: { ...FLAT.task, type: 'pick_heat_then_place_in_recep' } } as const;
    const households = [FLAT, structuredClone(household(other))];
    for (const id of ['vlgym/ALFWorld-v1', 'vlgym/ALFWorld-v2'] as const) {
      const report = await checkEnv(() => make(id, { options: { households } }), { steps: 12 });
      expect(report.findings).toEqual([]);
    }
  });

  it.each(TASK_TYPES)('is won by both experts: %s', async (type) => {
    const isLamp = type === 'look_at_obj_in_light';
    const object = type === 'pick_two_obj_and_place' ? 'Mug' : 'RubberDuck';
    const receptacle = type === 'pick_and_place_simple' ? 'SinkBasin' : 'DuckHouse';
    const rooms = [
      { receptacles: [...FLAT.rooms[0].receptacles, { type: 'SinkBasin', accepts: ['RubberDuck'] }] },
      FLAT.rooms[1],
    ];
    const plan = flat({ rooms, task: { type, object, ...(!isLamp && { receptacle }) } });
    for (const expert of ['planner', 'hand-coded'] as const) {
      const env = await createAlfworld({ households: [plan], expert, maxSteps: 60 });
      expect(env.reset({ seed: 1 }).info).toMatchObject({ taskType: type, game: 'own/flat' });
      let last = env.step(env.oracle()!);
      while (!last.terminated && !last.truncated) last = env.step(env.oracle()!);
      expect(last.info.won, expert).toBe(true);
    }
  });

  it('says the sentence of its plan, and knows its new classes by name', async () => {
    const env = await createAlfworld({ households: [flat({ task: { ...FLAT.task, sentence: 'bathe the duck' } })] });
    expect(env.reset({ seed: 1 }).observation).toMatch(/a duckhouse 1[\s\S]*Your task is to: bathe the duck\.$/);
    env.step('go to duckhouse 1');
    expect(env.step('open duckhouse 1').observation).toContain('In it, you see a rubberduck 1');
    env.step('take rubberduck 1 from duckhouse 1');
    expect(env.step('go to sinkbasin 1').info.admissibleCommands).not.toContain('move rubberduck 1 to sinkbasin 1');
  });

  it('is the same for the same plan, and another for another seed', () => {
    const open = (seed: number) =>
      household(flat({ seed, objects: [...FLAT.objects, { type: 'Knife', in: 'CounterTop' }] }));
    expect(open(1)).toEqual(open(1));
    expect(open(1).things).not.toEqual(open(2).things);
    expect(household({ ...FLAT, name: undefined }).id).toMatch(/^own\/[0-9a-f]{16}$/);
  });

  it('stands where the plan says, right being right of the middle of a wall', () => {
    const at = (wall: (typeof WALLS)[number]) => {
      const rooms = [{ size: [8, 8], receptacles: ['CounterTop', { type: 'Desk', wall, at: 1 }] }] as const;
      const objects = [{ type: 'Book', in: 'Desk' }];
      const task = { type: 'pick_and_place_simple', object: 'Book', receptacle: 'CounterTop' } as const;
      return household({ rooms, objects, task }).layout.receptacles.find(({ type }) => type === 'Desk')!.position;
    };
    expect(WALLS.map(at)).toEqual([
      [1, 0, 3.7],
      [3.7, 0, -1],
      [-1, 0, -3.7],
      [-3.7, 0, 1],
    ]);
  });

  it('has rooms between separate walls, and new classes, in pictures', async () => {
    const env = await createAlfworld({ households: [FLAT], observation: 'both' });
    env.reset({ seed: 1 });
    env.step('go to bed 1');
    expect(env.visibleObjects()).toContain('bed 1');
    expect(env.visibleObjects()).not.toContain('fridge 1');
    env.step('go to duckhouse 1');
    expect(env.visibleObjects()).not.toContain('rubberduck 1');
    env.step('open duckhouse 1');
    expect(env.visibleObjects()).toEqual(expect.arrayContaining(['duckhouse 1', 'rubberduck 1']));
  });

  it('can be divided by its tasks, and played again by its id', async () => {
    const households = Array.from({ length: 12 }, (_, index) =>
      flat({ name: `flat-${index}`, rooms: [{ ...FLAT.rooms[0], size: [5 + index / 4, 5] }, FLAT.rooms[1]] }),
    );
    const keys = async (split: string) => {
      const env = await createAlfworld({ households, splitScheme: 'content', split });
      return new Set(Array.from({ length: 12 }, () => env.reset().info.taskKey));
    };
    const [train, test] = [await keys('train'), await keys('test')];
    expect(train.size).toBeGreaterThan(0);
    expect(test.size).toBeGreaterThan(0);
    expect([...train].filter((key) => test.has(key))).toEqual([]);
    const env = await createAlfworld({ households });
    expect(env.reset({ options: { game: 'own/flat-7' } }).info.game).toBe('own/flat-7');
    expect(() => env.reset({ options: { game: 'own/none' } })).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_GAME' }),
    );
  });
});

/** Plans of classes of ALFWorld and two new ones, most of which cannot be done. */
const someClass = fc.constantFrom(...Object.keys(SHAPES), 'DuckHouse');
const someObject = fc.constantFrom(...PROPERTIES.pickupable!, 'RubberDuck');
const fewReceptacles = fc.array(
  fc.record(
    {
      type: someClass,
      count: fc.integer({ min: 1, max: 4 }),
      wall: fc.constantFrom(...WALLS),
      accepts: fc.uniqueArray(someObject, { maxLength: 3 }),
    },
    { requiredKeys: ['type'] },
  ),
  { minLength: 1, maxLength: 8 },
);
const BASICS = ['CounterTop', 'SinkBasin', 'Microwave', 'Fridge', 'Desk'];
const DUCKS = ['RubberDuck', 'Mug', 'Book'];
const somePlan = fc
  .record({
    rooms: fc.array(fewReceptacles, { minLength: 1, maxLength: 3 }),
    objects: fc.array(fc.record({ type: someObject, count: fc.integer({ min: 1, max: 4 }), pick: fc.nat() }), {
      maxLength: 12,
    }),
    properties: fc.uniqueArray(fc.constantFrom(...OWN_PROPERTIES)),
    type: fc.constantFrom(...TASK_TYPES),
    pick: fc.nat(),
    seed: fc.nat({ max: 1000 }),
  })
  .map(({ rooms, objects, properties, type, pick, seed }): HouseholdPlan => {
    const own = { type: 'DuckHouse', accepts: DUCKS };
    const furniture = rooms.map((receptacles) => ({ receptacles: [...receptacles] as (string | { type: string })[] }));
    furniture[0]!.receptacles.push(...BASICS, own);
    const types = furniture.flatMap(({ receptacles }) =>
      receptacles.map((each) => (typeof each === 'string' ? each : each.type)),
    );
    const accepting = (object: string) =>
      types.filter((place) => (place === 'DuckHouse' ? DUCKS : (CAN_CONTAIN[place] ?? [])).includes(object));
    const placed = objects.flatMap(({ type: object, count, pick: draw }) => {
      const places = accepting(object);
      const properly = object === 'RubberDuck' ? { properties } : {};
      return places.length === 0 ? [] : [{ type: object, in: places[draw % places.length]!, count, ...properly }];
    });
    placed.push({ type: 'RubberDuck', in: 'DuckHouse', count: 1, properties });
    const target = placed[pick % placed.length]!.type;
    const places = accepting(target);
    const task = { type, object: target, receptacle: places[seed % places.length]! };
    const lamp = { type: 'DeskLamp', in: 'Desk' };
    return type === 'look_at_obj_in_light'
      ? { rooms: furniture, objects: [...placed, lamp], task: { type, object: target }, seed }
      : { rooms: furniture, objects: placed, task, seed };
  });

describe('random plans', () => {
  it('give households that the planner solves, or an error that says what to do', () => {
    const outcomes: string[] = [];
    fc.assert(
      fc.property(somePlan, (plan) => {
        try {
          const made = household(plan);
          expect(walkthroughOf(made)!.length).toBeGreaterThan(0);
          outcomes.push('built');
        } catch (error) {
          if (!GymError.isInstance(error)) throw error;
          expect(error.message).toMatch(/expected: .*\n {2}hint: ./);
          outcomes.push(error.code);
        }
      }),
      { numRuns: 80, seed: 5 },
    );
    expect(new Set(outcomes)).toEqual(new Set(['built', 'SOLVED_HOUSEHOLD', 'UNSOLVABLE_HOUSEHOLD', 'INVALID_OPTION']));
    expect(outcomes.filter((outcome) => outcome === 'built').length).toBeGreaterThan(20);
  });

  it('that are anything at all are refused as options are', () => {
    const plans = fc.oneof(
      fc.jsonValue(),
      fc.record({ rooms: fc.jsonValue(), objects: fc.jsonValue(), task: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(plans, (plan) => {
        expect(() => household(plan as never)).toThrow(GymError);
      }),
    );
  });
});

describe('a plan is refused', () => {
  const room = (...receptacles: unknown[]) => ({ rooms: [{ receptacles: ['CounterTop', ...receptacles] }] });
  const things = (...more: object[]) => ({ objects: [FLAT.objects[2], ...more] });
  const task = (change: object) => ({ task: { ...FLAT.task, ...change } });
  it.each<[string, object, string, RegExp]>([
    ['misspells a key', { room: [] }, 'UNKNOWN_OPTION', /"room".*did you mean "rooms"/s],
    [
      'misspells a key of a room',
      { rooms: [{ receptacles: ['Bed'], sise: [4, 4] }] },
      'UNKNOWN_OPTION',
      /"rooms\.0\.sise".*known: type, size/s,
    ],
    ['has no room', { rooms: [] }, 'INVALID_OPTION', /rooms.*list of 1 to 8 rooms/s],
    ['misspells a receptacle', room('Cabinett'), 'INVALID_OPTION', /receptacles\.1\.type.*perhaps Cabinet.*`accepts`/s],
    [
      'misspells an object',
      things({ type: 'Mugg', in: 'Fridge' }),
      'INVALID_OPTION',
      /objects\.1\.type.*perhaps Mug.*`properties`/s,
    ],
    [
      'spells a class as games do',
      { objects: [{ type: 'mug', in: 'Fridge' }] },
      'INVALID_OPTION',
      /objects\.0\.type.*capital letter/s,
    ],
    [
      'changes what ALFWorld says of an object',
      { objects: [{ type: 'Book', in: 'Bed', properties: ['cleanable'] }] },
      'INVALID_OPTION',
      /objects\.0\.properties.*ALFWorld/s,
    ],
    [
      'changes what ALFWorld says of a receptacle',
      room({ type: 'Fridge', openable: false }),
      'INVALID_OPTION',
      /openable.*ALFWorld/s,
    ],
    [
      'gives one class two sets of properties',
      {
        objects: [
          { type: 'Duck', in: 'Bed', properties: [] },
          { type: 'Duck', in: 'Bed', properties: ['cleanable'] },
        ],
      },
      'INVALID_OPTION',
      /objects\.1\.properties.*same/s,
    ],
    [
      'calls an object like a receptacle',
      { objects: [{ type: 'Cart', in: 'Bed', properties: [] }] },
      'INVALID_OPTION',
      /objects\.0\.type.*no class of receptacles/s,
    ],
    ['calls a receptacle a basin', room({ type: 'FootBasin', accepts: ['Mug'] }), 'INVALID_OPTION', /basin/],
    [
      'differs from a class in capitals',
      room({ type: 'Sidetable', accepts: ['Mug'] }),
      'INVALID_OPTION',
      /write SideTable/,
    ],
    [
      'accepts what does not exist',
      room({ type: 'Safe', accepts: ['Unicorn'] }),
      'INVALID_OPTION',
      /accepts\.0.*"Unicorn"/s,
    ],
    [
      'puts an object where it is not accepted',
      things({ type: 'Egg', in: 'Bed' }),
      'INVALID_OPTION',
      /objects\.1\.in.*accepts Egg: Fridge.*does not accept Egg.*`accepts`/s,
    ],
    [
      'puts an object nowhere',
      things({ type: 'Egg', in: 'Sofa' }),
      'INVALID_OPTION',
      /objects\.1\.in.*Fridge, SinkBasin/s,
    ],
    [
      'puts too much in one place',
      things(...Array.from({ length: 2 }, () => ({ type: 'Egg', in: 'Fridge', count: 20 }))),
      'INVALID_OPTION',
      /objects\.2\.count.*at most 20/s,
    ],
    [
      'has more than fits in its room',
      { rooms: [{ size: [4, 4], receptacles: [{ type: 'Bed', count: 4 }] }] },
      'INVALID_OPTION',
      /Bed.*4 x 4 m.*leave `size` out/s,
    ],
    [
      'has two things in one place',
      room({ type: 'Desk', wall: 'east', at: 0 }, { type: 'Sofa', wall: 'east', at: 0.1 }),
      'INVALID_OPTION',
      /receptacles\.2\.at.*overlap Desk/s,
    ],
    ['says where without a wall', room({ type: 'Desk', at: 0 }), 'INVALID_OPTION', /at.*without `wall`/s],
    [
      'has a machine and no counter',
      { rooms: [{ receptacles: ['Microwave', 'Bed'] }] },
      'INVALID_OPTION',
      /receptacles\.0\.type.*CounterTop/s,
    ],
    ['has an unknown task', task({ type: 'pick_and_throw' }), 'INVALID_OPTION', /task\.type.*pick_two_obj_and_place/s],
    ['has no place for the task', task({ receptacle: undefined }), 'INVALID_OPTION', /task\.receptacle/],
    ['has a lamp for another task', task({ lamp: 'DeskLamp' }), 'INVALID_OPTION', /task\.lamp/],
    [
      'has a sentence that a grammar would read',
      task({ sentence: 'put #task# {away}' }),
      'INVALID_OPTION',
      /task\.sentence/,
    ],
    ['lacks the object', task({ object: 'Egg' }), 'UNSOLVABLE_HOUSEHOLD', /egg is missing/],
    ['lacks the receptacle', task({ receptacle: 'Safe' }), 'UNSOLVABLE_HOUSEHOLD', /safe is missing/],
    [
      'lacks the machine',
      {
        rooms: [{ receptacles: ['CounterTop'] }],
        objects: [{ type: 'Egg', in: 'CounterTop' }],
        ...task({ object: 'Egg', receptacle: 'CounterTop' }),
      },
      'UNSOLVABLE_HOUSEHOLD',
      /sinkbasin is missing.*clean things/s,
    ],
    [
      'names a place that refuses the object',
      task({ receptacle: 'Bed' }),
      'UNSOLVABLE_HOUSEHOLD',
      /no bed accepts a rubberduck/,
    ],
    [
      'names an object that cannot be treated so',
      {
        objects: [{ type: 'Duck', in: 'DuckHouse', properties: [] }],
        ...room({ type: 'DuckHouse', accepts: ['Duck'] }),
        ...task({ object: 'Duck' }),
      },
      'UNSOLVABLE_HOUSEHOLD',
      /no duck is cleanable/,
    ],
    [
      'needs two of what is there once',
      task({ type: 'pick_two_obj_and_place' }),
      'UNSOLVABLE_HOUSEHOLD',
      /only one rubberduck/,
    ],
    [
      'needs a lamp that is not there',
      { ...things(FLAT.objects[0]), task: { type: 'look_at_obj_in_light', object: 'Mug' } },
      'UNSOLVABLE_HOUSEHOLD',
      /desklamp is missing/,
    ],
    ['is done at the start', task({ type: 'pick_and_place_simple' }), 'SOLVED_HOUSEHOLD', /done at the start/],
  ])('that %s', (_, change, code, message) => {
    const refusal = (() => {
      try {
        household(flat(change));
      } catch (error) {
        return error as GymError;
      }
    })()!;
    expect(refusal).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(refusal.hint ?? refusal.expected).toBeTruthy();
  });

  it('with its number among several, and with options that choose households', async () => {
    const bad = flat({ task: { ...FLAT.task, object: 'Egg' } });
    const refused = (options: object) => expect(createAlfworld(options)).rejects;
    await refused({ households: [FLAT, bad] }).toThrow(/households\.1: .*egg is missing/s);
    await refused({ households: [FLAT, FLAT] }).toThrow(/households\.1\.name/);
    await refused({ households: [] }).toThrow(/one or more households/);
    await refused({ households: [FLAT], density: 'light' }).toThrow(/Invalid density/);
    await refused({ households: [FLAT], split: 'seen' }).toThrow(/splitScheme/);
    await expect(make('alfworld/AlfredTWEnv-v0', { options: { households: [FLAT] } as never })).rejects.toThrow(
      /another environment/,
    );
  });
});
