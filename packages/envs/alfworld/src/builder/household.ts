/**
 * `household({ rooms, objects, task })`: a custom household, checked completely when it is made.
 *
 * Rules of classes: `classes.ts`; layout: `furnish.ts`. What a plan leaves open follows from its seed. Whether the task can be done
 * is not a matter of trust: the planner does it once.
 */
import { contentDigest, Generator, GymError, InvalidOptionError } from '@vlgym/core';
import { SeedSequence } from '@vlgym/core/random';
import { Game } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { planToGoal } from '../experts/planner.js';
import { whyUnsolvable } from '../experts/why-unsolvable.js';
import { LAMP_PLACES } from '../generator/furniture.js';
import { GENERATOR_VERSION, householdTexts, usualSentence } from '../generator/household.js';
import type { Household, Target, Thing } from '../generator/household-types.js';
import type { Layout, Receptacle } from '../generator/layout.js';
import { ObjectPlacer } from '../generator/object-placer.js';
import { accepts, type OwnRules } from '../generator/rules.js';
import { PLACED } from '../generator/tables.generated.js';
import { ownRules } from './classes.js';
import { type Furnished, furnish } from './furnish.js';
import { type CheckedPlan, type HouseholdPlan, parsePlan } from './plan.js';

/** A household with the plan from which it was made. */
export interface OwnHousehold extends Household {
  readonly plan: HouseholdPlan;
}

/** At the start, objects on one receptacle; all fit on the smallest. */
const MAX_ON_RECEPTACLE = 20;
const MAX_OBJECTS = 200;

/** Households by their plans: environments of a group are made of the same ones. */
const made = new WeakMap<object, OwnHousehold>();

/**
 * Builds a household from a plan: rooms with furniture, objects, and one of the six kinds of task.
 *
 * Play it with `createAlfworld({ households: [it] })`, write it as files of ALFWorld with `writeHousehold`. The same plan gives the
 * same household.
 *
 * @example
 * const kitchen = household({
 *   rooms: [{ receptacles: ['Fridge', 'CounterTop', 'SinkBasin', { type: 'Cabinet', count: 2 }] }],
 *   objects: [{ type: 'Mug', in: 'Fridge' }],
 *   task: { type: 'pick_clean_then_place_in_recep', object: 'Mug', receptacle: 'Cabinet' },
 * });
 * @throws {UnknownOptionError | InvalidOptionError}  With the path of what is wrong, e.g. `objects.2.in`.
 * @throws {GymError}  `UNSOLVABLE_HOUSEHOLD`: the task cannot be done, and why; `SOLVED_HOUSEHOLD`: nothing is left to do.
 */
export function household(plan: HouseholdPlan): OwnHousehold {
  const known = typeof plan === 'object' && plan !== null ? made.get(plan) : undefined;
  if (known) return known;
  const checked = parsePlan(plan);
  const own = structuredClone(plan);
  const rules = ownRules(checked);
  const digest = contentDigest(JSON.stringify(checked));
  const rng = new Generator(new SeedSequence([GENERATOR_VERSION, 1, checked.seed ?? 0]));
  const furnished = furnish(checked, rng);
  const target = targetOf(checked);
  const result: OwnHousehold = {
    id: `own/${checked.name ?? digest}`,
    split: 'train',
    seed: Number.parseInt(digest.slice(0, 8), 16),
    layout: layoutOf(furnished),
    things: arrange(checked, furnished, rules, rng),
    target,
    sentence: checked.task.sentence ?? usualSentence(target),
    rules,
    plan: own,
  };
  checkSolvable(result);
  made.set(plan, result);
  return result;
}

function targetOf({ task: { type, object, receptacle, lamp } }: CheckedPlan): Target {
  if (type === 'look_at_obj_in_light') {
    if (receptacle !== undefined)
      throw new InvalidOptionError(
        'task.receptacle',
        receptacle,
        `no value for ${type}`,
        'the task is done where the lamp stands',
      );
    return { type, object, receptacle: '', lamp: lamp ?? 'DeskLamp' };
  }
  if (lamp !== undefined)
    throw new InvalidOptionError('task.lamp', lamp, `no value for ${type}`, 'lamps are for `look_at_obj_in_light`');
  if (receptacle === undefined)
    throw new InvalidOptionError(
      'task.receptacle',
      receptacle,
      'the class of the receptacle to put it in',
      'name one of your `rooms`',
    );
  return { type, object, receptacle, lamp: '' };
}

/** The scene number tells layouts apart, as those of ALFWorld's rooms do; task keys are made of it. */
function layoutOf({ width, depth, receptacles, areas, start }: Furnished): Layout {
  const furniture = receptacles.map(({ id }) => id).sort();
  const scene = 100_000 + (Number.parseInt(contentDigest(furniture.join('\n')).slice(0, 12), 16) % 900_000_000);
  const { room } = areas[0]!;
  return { room, number: 0, density: 'light', width, depth, receptacles, start, scene, areas };
}

function arrange({ objects }: CheckedPlan, furnished: Furnished, rules: OwnRules, rng: Generator): readonly Thing[] {
  const placer = new ObjectPlacer({ receptacles: furnished.receptacles }, rng);
  const load = new Map<Receptacle, number>();
  let all = 0;
  for (const [index, { type, in: label, count = 1 }] of objects.entries()) {
    const option = `objects.${index}`;
    const places = furnished.named.get(label) ?? [];
    if (places.length === 0) {
      const expected = `a class or name of the receptacles in \`rooms\`: ${[...furnished.named.keys()].join(', ')}`;
      throw new InvalidOptionError(
        `${option}.in`,
        label,
        expected,
        `add a ${label} to a room, or put the ${type} elsewhere`,
      );
    }
    const fitting = places.filter((place) => mayStart(place.type, type, rules));
    if (fitting.length === 0) throw refused(option, type, places[0]!.type, furnished, rules);
    all += count;
    if (all > MAX_OBJECTS)
      throw new InvalidOptionError(
        `${option}.count`,
        count,
        `at most ${MAX_OBJECTS} objects in all`,
        'put fewer objects in',
      );
    for (let left = count; left > 0; left -= 1) {
      const free = fitting.filter((place) => (load.get(place) ?? 0) < MAX_ON_RECEPTACLE);
      if (free.length === 0)
        throw new InvalidOptionError(
          `${option}.count`,
          count,
          `at most ${MAX_ON_RECEPTACLE} objects on one receptacle`,
          `put fewer objects on ${label}`,
        );
      const place = rng.choice(free);
      load.set(place, (load.get(place) ?? 0) + 1);
      placer.putOn(type, place);
    }
  }
  return placer.things;
}

/** Where an object can be put, and where ALFWorld's own games have it at the start. */
function mayStart(receptacle: string, type: string, rules: OwnRules): boolean {
  if (accepts(receptacle, type, rules)) return true;
  if (type === 'DeskLamp' && (LAMP_PLACES as readonly string[]).includes(receptacle)) return true;
  return Object.values(PLACED).some(({ objects }) => Object.hasOwn(objects[type] ?? {}, receptacle));
}

function refused(option: string, type: string, receptacle: string, { receptacles }: Furnished, rules: OwnRules) {
  const here = [...new Set(receptacles.map((place) => place.type))].filter((place) => mayStart(place, type, rules));
  const expected =
    here.length > 0
      ? `a receptacle that accepts ${type}: ${here.join(', ')}`
      : `a receptacle that accepts ${type}; none of \`rooms\` does`;
  return new InvalidOptionError(
    `${option}.in`,
    receptacle,
    expected,
    `${receptacle} does not accept ${type}: put it elsewhere, or add "${type}" to \`accepts\` of the ${receptacle}`,
  );
}

function checkSolvable(made: OwnHousehold): void {
  const { target, id } = made;
  const play = new Play(new Game(householdTexts(made)));
  const task = [target.type, target.object, target.receptacle || target.lamp].join(' ');
  const why = whyUnsolvable(play);
  if (why) {
    throw new GymError(`The task of household "${id}" cannot be done: ${why.reason}.`, {
      code: 'UNSOLVABLE_HOUSEHOLD',
      value: why.refused,
      expected: `a household in which "${task}" can be done`,
      hint: why.hint,
    });
  }
  if (play.won) {
    throw new GymError(`The task of household "${id}" is done at the start.`, {
      code: 'SOLVED_HOUSEHOLD',
      value: task,
      expected: 'something left to do',
      hint: `let the ${target.object} start elsewhere than in the ${target.receptacle}`,
    });
  }
  if (planToGoal(play) === undefined) {
    throw new GymError(`The planner found no way to do the task of household "${id}".`, {
      code: 'UNSOLVABLE_HOUSEHOLD',
      value: task,
      expected: 'a household in which the task can be done',
      hint: 'report the plan as a bug: everything that the task needs is there',
    });
  }
}
