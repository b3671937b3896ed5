/**
 * The expert with full knowledge: finds a short plan from any state to the goal, or reports that none exists.
 *
 * Scripts for the six tasks (fetch, treat, put, light) are played on a copy, shortest estimate first, until one wins. A
 * breadth-first search handles the rest. The original's planner is a greedy search that takes minutes on kitchens, and
 * its hand-coded expert does not always win; this one replaces both.
 */
import { checkNames, names } from '@vlgym/core/internal';
import type { Play } from '../engine/play.js';
import { isHere } from './goal-conditions.js';
import { Household, type Treatment, treatmentOf } from './household.js';

export interface PlanOptions {
  /** Maximum number of commands that the fallback search may try on copies of the game; default 10,000, about a second. */
  readonly searchLimit?: number | undefined;
}

/** One step of a script; doors on the way are opened when it is played. */
type Move =
  | { readonly kind: 'be-at'; readonly receptacle: number }
  | { readonly kind: 'reach'; readonly receptacle: number }
  | { readonly kind: 'take' | 'put'; readonly object: number; readonly receptacle: number }
  | { readonly kind: 'treat'; readonly object: number; readonly receptacle: number; readonly verb: string }
  | { readonly kind: 'use'; readonly object: number };

/** Maximum number of scripts to try. Many objects give many scripts, but the best is always among the shortest. */
const MAX_SCRIPTS = 40;

const PLAN_TO_GOAL_OPTIONS = names<PlanOptions>({ searchLimit: 0 });

/**
 * Commands that win the game from here; empty if it is won.
 *
 * @returns `undefined` if no plan was found: no receptacle accepts what the agent holds, or the search hit its limit.
 */
export function planToGoal(play: Play, options: PlanOptions = {}): string[] | undefined {
  checkNames('options', options, PLAN_TO_GOAL_OPTIONS);
  const { searchLimit = 10_000 } = options;

  if (play.won) return [];
  if (isHandStuck(play)) return undefined;
  const scripts = [...scriptsFor(play)]
    .map((moves) => ({ moves, length: estimate(new Household(play), moves) }))
    .sort((a, b) => a.length - b.length)
    .slice(0, MAX_SCRIPTS);
  for (const { moves } of scripts) {
    const commands = playOut(play.fork(), moves);
    if (commands) return commands;
  }
  return search(play, searchLimit);
}

/** Whether the agent holds an object that no receptacle accepts, in a task that needs the hand for another. */
function isHandStuck(play: Play): boolean {
  const { task } = play.game;
  const house = new Household(play);
  const { held } = house;
  if (task === undefined || held === undefined) return false;
  if (task.type === 'look_at_obj_in_light' && house.objectsOf(task.object).includes(held)) return false;
  return !house.receptacles.some((receptacle) => house.canHold(receptacle, held));
}

function* scriptsFor(play: Play): Generator<readonly Move[]> {
  const { task } = play.game;
  if (task === undefined) return;
  const house = new Household(play);
  const objects = house.objectsOf(task.object);
  switch (task.type) {
    case 'look_at_obj_in_light':
      for (const lamp of house.objectsOf(task.lamp!)) {
        for (const receptacle of house.placesOf(lamp)) {
          for (const object of objects) {
            const fetch = fetching(house, object);
            if (!fetch) continue;
            const use: Move[] = house.is('istoggled', lamp) ? [] : [{ kind: 'use', object: lamp }];
            yield [...fetch, { kind: 'be-at', receptacle }, ...use];
            // A lamp that is on stays on, so the object may also be fetched afterwards.
            if (isHere(house, lamp)) yield [...use, ...fetch, { kind: 'be-at', receptacle }];
          }
        }
      }
      return;
    case 'pick_two_obj_and_place':
      for (const receptacle of house.receptaclesOf(task.receptacle!)) {
        const missing = objects
          .filter((object) => !house.isIn(object, receptacle))
          .sort((a, b) => Number(b === house.held) - Number(a === house.held));
        const needed = 2 - (objects.length - missing.length);
        if (needed <= 1) for (const object of missing) yield* bringing(house, object, receptacle);
        else {
          for (const [index, first] of missing.entries()) {
            for (const second of missing.slice(index + 1)) {
              for (const one of bringing(house, first, receptacle)) {
                for (const other of fetchesFromPlace(house, second)) {
                  yield [...one, ...other, { kind: 'put', object: second, receptacle }];
                }
              }
            }
          }
        }
      }
      return;
    default: {
      const treatment = treatmentOf(task.type);
      for (const receptacle of house.receptaclesOf(task.receptacle!)) {
        for (const object of objects) {
          if (treatment && !house.is(treatment.able, object)) continue;
          yield* bringing(house, object, receptacle, treatment);
        }
      }
    }
  }
}

/** Fetch, treat if still needed, put. */
function* bringing(house: Household, object: number, receptacle: number, treatment?: Treatment): Generator<Move[]> {
  const fetch = fetching(house, object);
  if (!fetch) return;
  const put: Move = { kind: 'put', object, receptacle };
  if (!treatment || house.is(treatment.property, object)) {
    yield [...fetch, put];
    return;
  }
  for (const device of treatment.devices.flatMap((className) => house.receptaclesOf(className))) {
    yield [...fetch, { kind: 'treat', object, receptacle: device, verb: treatment.verb }, put];
  }
}

/** Takes the object, after putting down any other object that the agent holds. */
function fetching(house: Household, object: number): Move[] | undefined {
  const { held } = house;
  if (held === object) return [];
  const [place] = nearestFirst(house, house.placesOf(object));
  if (place === undefined) return undefined;
  const take: Move[] = [
    { kind: 'reach', receptacle: place },
    { kind: 'take', object, receptacle: place },
  ];
  if (held === undefined) return take;
  const [spare] = nearestFirst(
    house,
    house.receptacles.filter((receptacle) => house.canHold(receptacle, held)),
    place,
  );
  return spare === undefined ? undefined : [{ kind: 'put', object: held, receptacle: spare }, ...take];
}

/** Like `fetching`, for an object that is fetched after another was put down. */
function fetchesFromPlace(house: Household, object: number): Move[][] {
  const [place] = nearestFirst(house, house.placesOf(object));
  if (place === undefined) return [];
  return [
    [
      { kind: 'reach', receptacle: place },
      { kind: 'take', object, receptacle: place },
    ],
  ];
}

/** Receptacles where the agent stands, then at `preferred`, then open ones, then closed ones. */
function nearestFirst(house: Household, receptacles: readonly number[], preferred?: number): number[] {
  const cost = (receptacle: number) =>
    (house.locationOf(receptacle) === house.location || receptacle === preferred ? 0 : 1) +
    (house.isClosed(receptacle) ? 1 : 0);
  return [...receptacles].sort((a, b) => cost(a) - cost(b));
}

/** Number of commands that a script needs, counting each door once. */
function estimate(house: Household, moves: readonly Move[]): number {
  let { location } = house;
  let commands = 0;
  const opened = new Set<number>();
  const goTo = (receptacle: number) => {
    if (house.locationOf(receptacle) !== location) commands += 1;
    location = house.locationOf(receptacle);
  };
  for (const move of moves) {
    if (move.kind !== 'use') goTo(move.receptacle);
    if (
      (move.kind === 'reach' || move.kind === 'put') &&
      house.isClosed(move.receptacle) &&
      !opened.has(move.receptacle)
    ) {
      opened.add(move.receptacle);
      commands += 1;
    }
    if (move.kind !== 'reach' && move.kind !== 'be-at') commands += 1;
  }
  return commands;
}

/** Plays a script. @returns The commands if they win. */
function playOut(play: Play, moves: readonly Move[]): string[] | undefined {
  const house = new Household(play);
  const commands: string[] = [];
  const send = (command: string | undefined): boolean => {
    if (command === undefined || !play.step(command).accepted) return false;
    commands.push(command);
    return true;
  };
  const goTo = (receptacle: number) =>
    house.locationOf(receptacle) === house.location || send(`go to ${house.name(receptacle)}`);
  const reach = (receptacle: number) =>
    goTo(receptacle) && (!house.isClosed(receptacle) || send(`open ${house.name(receptacle)}`));
  for (const move of moves) {
    if (play.won) break;
    if (!done(move)) return undefined;
  }
  return play.won ? commands : undefined;

  function done(move: Move): boolean {
    switch (move.kind) {
      case 'be-at':
        return goTo(move.receptacle);
      case 'reach':
        return reach(move.receptacle);
      case 'take':
        return send(`take ${house.name(move.object)} from ${house.name(move.receptacle)}`);
      case 'put':
        return reach(move.receptacle) && send(putCommand(play, house.name(move.object), house.name(move.receptacle)));
      case 'treat':
        return (
          goTo(move.receptacle) && send(`${move.verb} ${house.name(move.object)} with ${house.name(move.receptacle)}`)
        );
      case 'use':
        return send(`use ${house.name(move.object)}`);
    }
  }
}

/** `move O to R`, or `put O in/on R` in games with the old verbs. */
export function putCommand(play: Play, object: string, receptacle: string): string | undefined {
  return [`move ${object} to ${receptacle}`, `put ${object} in/on ${receptacle}`].find((command) =>
    play.operator(command),
  );
}

/** Whether the command changes nothing but which objects were examined. */
export function isIdle(command: string): boolean {
  return /^(look|inventory|help|examine .*)$/.test(command);
}

/** Breadth-first search over all commands that change something; finds a shortest plan within the limit. */
function search(start: Play, limit: number): string[] | undefined {
  const seen = new Set([stateKey(start)]);
  let tried = 0;
  let frontier: { readonly play: Play; readonly commands: string[] }[] = [{ play: start, commands: [] }];
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { play, commands } of frontier) {
      for (const command of play.admissible) {
        if (isIdle(command)) continue;
        if (tried >= limit) return undefined;
        tried += 1;
        const after = play.fork();
        after.step(command);
        if (after.won) return [...commands, command];
        const key = stateKey(after);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push({ play: after, commands: [...commands, command] });
      }
    }
    frontier = next;
  }
  return undefined;
}

/** Facts that the future depends on: all except which objects were examined and what was once true. */
function stateKey(play: Play): string {
  const { facts } = play.save();
  return JSON.stringify(Object.entries(facts).filter(([name]) => !/^(checked|not_)/.test(name)));
}
