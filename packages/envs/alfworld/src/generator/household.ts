/**
 * A seeded household with a solvable task: positions of objects, the goal, and the texts of the game.
 *
 * Procedure: `docs/specs/alfworld.md` 18.1. Split, task type, and seed determine it. Households are solvable
 * by construction; tests check thousands of them.
 */
import { checkedInteger, checkedOneOf, Generator, GymError, SeedSequence } from '@vlgym/core';
import { Game, type GameTexts } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { planToGoal } from '../experts/planner.js';
import { isTaskType, TASK_TYPES, type TaskType } from '../games/task.js';
import { LAMP_PLACES } from './furniture.js';
import { GENERATED_SPLITS, type GeneratedSplit, type Household, type Target, type Thing } from './household-types.js';
import {
  cents,
  drawCount,
  type Layout,
  layoutOf,
  type Receptacle,
  ROOM_TYPES,
  type RoomType,
  thorId,
} from './layout.js';
import { HOUSEHOLD_DOMAIN, householdGrammar } from './logic.js';
import { writeProblem } from './problem.js';
import { CAN_CONTAIN, PROPERTIES, ROOMS, TASKS } from './tables.generated.js';

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
}

/** @throws {InvalidOptionError} Unknown split or task type, or the seed is not an integer of 0 or more. */
export function generateHousehold({ split, taskType, seed }: HouseholdChoice): Household {
  checkedOneOf('split', split, GENERATED_SPLITS);
  checkedOneOf('taskType', taskType, TASK_TYPES);
  checkedInteger('seed', seed, 0);
  const rng = new Generator(
    new SeedSequence([GENERATOR_VERSION, GENERATED_SPLITS.indexOf(split), TASK_TYPES.indexOf(taskType), seed]),
  );
  for (;;) {
    const room = drawRoom(taskType, rng);
    const isUnseen = split === 'unseen';
    const number = isUnseen ? SEEN_LAYOUTS + rng.integers(UNSEEN_LAYOUTS) : rng.integers(SEEN_LAYOUTS);
    const layout = layoutOf(room, number);
    const target = drawTarget(taskType, layout, rng);
    if (target === undefined) continue; // no target fits this layout
    return {
      id: `${split}/${taskType}/${seed}`,
      split,
      seed,
      layout,
      target,
      things: arrange(layout, target, rng),
      sentence: drawSentence(target, rng),
    };
  }
}

/** @throws {GymError} `UNKNOWN_GAME` */
export function parseHouseholdId(id: string): HouseholdChoice {
  const [split, taskType, number, ...more] = id.split('/');
  const seed = Number(number);
  const isKnown = GENERATED_SPLITS.includes(split as GeneratedSplit) && isTaskType(taskType);
  if (!isKnown || more.length > 0 || !/^\d{1,15}$/.test(number ?? '')) {
    throw new GymError(`Unknown household "${id}".`, {
      code: 'UNKNOWN_GAME',
      value: id,
      expected: '<train, seen or unseen>/<task type>/<seed>',
    });
  }
  return { split: split as GeneratedSplit, taskType: taskType as TaskType, seed };
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

/** Maximum number of objects per class. */
const MAX_PER_CLASS = 3;

function arrange(layout: Layout, target: Target, rng: Generator): Thing[] {
  const room = ROOMS[layout.room]!;
  const placer = new ObjectPlacer(layout, rng);
  const wanted = target.type === 'pick_two_obj_and_place' ? 2 : 1;
  for (const [type, [presence, min, mean, max]] of Object.entries(room.objects)) {
    if (!PROPERTIES.pickupable!.includes(type)) continue;
    const isTarget = type === target.object;
    const isThere = rng.random() < presence || isTarget;
    const count = drawCount(rng, min, mean, Math.min(max, MAX_PER_CLASS));
    if (!isThere) continue;
    // No target object starts where it has to go.
    const forbidden = isTarget ? target.receptacle : '';
    for (let index = 0; index < Math.max(count, isTarget ? wanted : 0); index += 1) {
      placer.put(type, room.places[type] ?? {}, forbidden);
    }
  }
  const hasLamps = layout.room === 'Bedroom' || layout.room === 'LivingRoom';
  if (hasLamps && (target.lamp !== '' || rng.random() < 0.6)) placer.putLamp();
  return placer.things;
}

class ObjectPlacer {
  readonly things: Thing[] = [];
  readonly #layout: Layout;
  readonly #rng: Generator;
  readonly #ids = new Set<string>();

  constructor(layout: Layout, rng: Generator) {
    this.#layout = layout;
    this.#rng = rng;
  }

  /** Puts an object on a receptacle that accepts it, weighted by ALFWorld's statistics; nowhere if none accepts it. */
  put(type: string, weights: Readonly<Record<string, number>>, forbidden: string): void {
    const places = this.#layout.receptacles.filter((place) => place.type !== forbidden && accepts(place.type, type));
    const usual = places.filter((place) => (weights[place.type] ?? 0) > 0);
    const count = (place: Receptacle) => places.filter((other) => other.type === place.type).length;
    const place =
      usual.length > 0
        ? drawWeighted(
            usual.map((receptacle) => [receptacle, weights[receptacle.type]! / count(receptacle)] as const),
            this.#rng,
          )
        : places.length > 0
          ? this.#rng.choice(places)
          : undefined;
    if (place) this.#add(type, place);
  }

  putLamp(): void {
    const tables = LAMP_PLACES.flatMap((type) => this.#layout.receptacles.filter((place) => place.type === type));
    this.#add('DeskLamp', tables[0]!);
  }

  #add(type: string, receptacle: Receptacle): void {
    const [x, , z] = receptacle.position;
    const [width, depth] = receptacle.size;
    const [along, across] = receptacle.pose.rotation % 2 === 0 ? [width, depth] : [depth, width];
    const offset = (size: number) => (this.#rng.random() - 0.5) * Math.max(size - 0.15, 0.05);
    for (;;) {
      const position = [cents(x + offset(along)), cents(receptacle.surface + 0.05), cents(z + offset(across))] as const;
      const id = thorId(type, position);
      if (this.#ids.has(id)) continue;
      this.#ids.add(id);
      this.things.push({ type, id, position, receptacle });
      return;
    }
  }
}

function accepts(receptacle: string, object: string): boolean {
  return CAN_CONTAIN[receptacle]?.includes(object) ?? false;
}

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

function drawSentence({ type, object, receptacle, lamp }: Target, rng: Generator): string {
  const sentence = SENTENCES[type][rng.integers(2)]!;
  return sentence(object.toLowerCase(), (receptacle || lamp).toLowerCase());
}

function drawWeighted<T>(weighted: readonly (readonly [T, number])[], rng: Generator): T | undefined {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  let left = rng.random() * total;
  for (const [item, weight] of weighted) {
    left -= weight;
    if (left < 0) return item;
  }
  return weighted.findLast(([, weight]) => weight > 0)?.[0];
}
