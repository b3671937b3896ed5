/**
 * A seeded household with a solvable task: positions of objects, the goal, and the texts of the game.
 *
 * Procedure: `docs/specs/alfworld.md` 18.1. Split, task type, and seed determine it. Households are solvable
 * by construction; tests solve 1,500 of them.
 */
import { checkedInteger, checkedOneOf, Generator, GymError } from '@vlgym/core';
import { SeedSequence } from '@vlgym/core/random';
import { Game, type GameTexts } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { planToGoal } from '../experts/planner.js';
import { isTaskType, TASK_TYPES, type TaskType } from '../games/task.js';
import { arrange } from './contents.js';
import { GENERATED_SPLITS, type GeneratedSplit, type Household, type Target } from './household-types.js';
import { DENSITIES, type Density, type Layout, layoutOf, ROOM_TYPES, type RoomType } from './layout.js';
import { HOUSEHOLD_DOMAIN, householdGrammar } from './logic.js';
import { drawWeighted } from './object-placer.js';
import { writeProblem } from './problem.js';
import { accepts } from './rules.js';
import { ROOMS, TASKS } from './tables.generated.js';

/** Incremented when a seed gives another household than before. */
export const GENERATOR_VERSION = 2;

/** Layouts per room type. */
const SEEN_LAYOUTS = 100;
const UNSEEN_LAYOUTS = 25;

export interface HouseholdChoice {
  readonly split: GeneratedSplit;
  readonly taskType: TaskType;
  /** Integer, 0 or more. */
  readonly seed: number;
  /** Number of receptacles and objects; default `light`. */
  readonly density?: Density | undefined;
}

/** @throws {InvalidOptionError} Unknown split, task type or density, or the seed is not an integer of 0 or more. */
export function generateHousehold({ split, taskType, seed, density = 'light' }: HouseholdChoice): Household {
  checkedOneOf('split', split, GENERATED_SPLITS);
  checkedOneOf('taskType', taskType, TASK_TYPES);
  checkedInteger('seed', seed, 0);
  checkedOneOf('density', density, DENSITIES);
  const isLight = density === 'light';
  const words = [GENERATOR_VERSION, GENERATED_SPLITS.indexOf(split), TASK_TYPES.indexOf(taskType), seed];
  const rng = new Generator(new SeedSequence(isLight ? words : [...words, DENSITIES.indexOf(density)]));
  for (;;) {
    const room = drawRoom(taskType, rng);
    const isUnseen = split === 'unseen';
    const number = isUnseen ? SEEN_LAYOUTS + rng.integers(UNSEEN_LAYOUTS) : rng.integers(SEEN_LAYOUTS);
    const layout = layoutOf(room, number, density);
    const target = drawTarget(taskType, layout, rng);
    if (target === undefined) continue; // no target fits this layout
    return {
      id: `${split}/${taskType}/${seed}${isLight ? '' : `/${density}`}`,
      split,
      seed,
      layout,
      target,
      things: arrange(layout, target, density, rng),
      sentence: drawSentence(target, rng),
    };
  }
}

/** @throws {GymError} `UNKNOWN_GAME` */
export function parseHouseholdId(id: string): HouseholdChoice {
  const [split, taskType, number, density, ...more] = id.split('/');
  const seed = Number(number);
  const isKnown =
    GENERATED_SPLITS.includes(split as GeneratedSplit) &&
    isTaskType(taskType) &&
    (density === undefined || density === 'published');
  if (!isKnown || more.length > 0 || !/^\d{1,15}$/.test(number ?? '')) {
    throw new GymError(`Unknown household "${id}".`, {
      code: 'UNKNOWN_GAME',
      value: id,
      expected: '<train, seen or unseen>/<task type>/<seed>, for published density with /published at its end',
    });
  }
  return { split: split as GeneratedSplit, taskType: taskType as TaskType, seed, ...(density && { density }) };
}

export function householdTexts(household: Household): GameTexts {
  return {
    domain: HOUSEHOLD_DOMAIN,
    problem: writeProblem(household),
    grammar: householdGrammar(household.sentence),
  };
}

/** Commands that solve the household. */
export function walkthroughOf(household: Household): readonly string[] | undefined {
  return planToGoal(new Play(new Game(householdTexts(household))));
}

function drawRoom(taskType: TaskType, rng: Generator): RoomType {
  const weights = TASKS[taskType]!.rooms;
  return drawWeighted(
    ROOM_TYPES.map((room) => [room, weights[room] ?? 0] as const),
    rng,
  )!;
}

/** Draws an object and receptacle that ALFWorld pairs in this task and the layout has; else any pair that fits. */
function drawTarget(type: TaskType, layout: Layout, rng: Generator): Target | undefined {
  const has = new Set(layout.receptacles.map((receptacle) => receptacle.type));
  const objects = Object.keys(ROOMS[layout.room]!.objects);
  const device = DEVICES[type];
  if (device !== undefined && !has.has(device)) return undefined;
  const pairs = Object.entries(TASKS[type]!.targets).flatMap(([object, places]) => {
    if (!objects.includes(object)) return [];
    return Object.entries(places).flatMap(([place, count]) => {
      const target = { type, object, receptacle: place, lamp: '' };
      if (type === 'look_at_obj_in_light') {
        return place === 'DeskLamp' ? [[{ ...target, receptacle: '', lamp: place }, count] as const] : [];
      }
      const startsElsewhere = [...has].some((other) => other !== place && accepts(other, object));
      return has.has(place) && accepts(place, object) && startsElsewhere ? [[target, count] as const] : [];
    });
  });
  return drawWeighted(pairs, rng);
}

const DEVICES: Readonly<Partial<Record<TaskType, string>>> = {
  pick_clean_then_place_in_recep: 'SinkBasin',
  pick_heat_then_place_in_recep: 'Microwave',
  pick_cool_then_place_in_recep: 'Fridge',
};

type Sentence = (object: string, place: string) => string;

const SENTENCES: Readonly<Record<TaskType, readonly [Sentence, Sentence]>> = {
  pick_and_place_simple: [(o, r) => `put a ${o} in ${r}`, (o, r) => `put some ${o} on ${r}`],
  look_at_obj_in_light: [(o, l) => `look at ${o} under the ${l}`, (o, l) => `examine the ${o} with the ${l}`],
  pick_clean_then_place_in_recep: [
    (o, r) => `put a clean ${o} in ${r}`,
    (o, r) => `clean some ${o} and put it in ${r}`,
  ],
  pick_heat_then_place_in_recep: [(o, r) => `put a hot ${o} in ${r}`, (o, r) => `heat some ${o} and put it in ${r}`],
  pick_cool_then_place_in_recep: [(o, r) => `put a cool ${o} in ${r}`, (o, r) => `cool some ${o} and put it in ${r}`],
  pick_two_obj_and_place: [(o, r) => `put two ${o} in ${r}`, (o, r) => `find two ${o} and put them in ${r}`],
};

/** The first of the two sentences for a task, without a full stop. */
export function usualSentence({ type, object, receptacle, lamp }: Target): string {
  return SENTENCES[type][0](object.toLowerCase(), (receptacle || lamp).toLowerCase());
}

function drawSentence({ type, object, receptacle, lamp }: Target, rng: Generator): string {
  const sentence = SENTENCES[type][rng.integers(2)]!;
  return sentence(object.toLowerCase(), (receptacle || lamp).toLowerCase());
}
