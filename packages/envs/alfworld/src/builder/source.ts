/** Custom households as a source of games, in the order of ALFWorld's files: a shuffle of the seed per cycle. */
import { drawInSplit, Generator, GymError, InvalidOptionError, type Split } from '@vlgym/core';
import { Game } from '../engine/game.js';
import { GameOrder } from '../games/order.js';
import type { GameSource, LoadedGame, Naming } from '../games/source.js';
import { householdKey } from '../games/task-key.js';
import { householdTexts } from '../generator/household.js';
import { floorPlanOf } from '../generator/layout.js';
import { household, type OwnHousehold } from './household.js';
import type { HouseholdPlan } from './plan.js';

/** Compiled games, shared by all environments of a process that have the same household. */
const compiled = new WeakMap<OwnHousehold, Game>();

export class OwnSource implements GameSource {
  readonly #households: ReadonlyMap<string, OwnHousehold>;
  readonly #ids: readonly string[];
  readonly #contentSplit: Split | undefined;
  #order: GameOrder;

  /**
   * @param given  At least one, as plans or as `household` makes them.
   * @param contentSplit  Play only households whose task keys belong to this split.
   * @throws {GymError} As `household`; the message names the entry.
   */
  constructor(given: readonly (HouseholdPlan | OwnHousehold)[], contentSplit: Split | undefined) {
    const households = new Map<string, OwnHousehold>();
    for (const [index, each] of given.entries()) {
      const made = built(each, index);
      if (households.has(made.id)) {
        throw new InvalidOptionError(
          `households.${index}.name`,
          made.id,
          'a household that is not there twice',
          'give each a `name` of its own',
        );
      }
      households.set(made.id, made);
    }
    this.#households = households;
    this.#ids = [...households.keys()];
    this.#contentSplit = contentSplit;
    this.#order = new GameOrder(this.#ids.length);
  }

  seed(seed: number): void {
    this.#order = new GameOrder(this.#ids.length, seed);
  }

  /** @throws {EmptySplitError} */
  next(naming: Naming = {}): LoadedGame {
    const draw = () => this.#ids[this.#order.next()]!;
    const keyOf = (id: string) => taskKeyOf(this.#households.get(id)!);
    return this.load(drawInSplit(this.#contentSplit, draw, keyOf, 2 * this.#ids.length), naming);
  }

  load(id: string, { nameSeed }: Naming = {}): LoadedGame {
    const made = this.#households.get(id);
    if (made === undefined) {
      throw new GymError(`Unknown household "${id}".`, {
        code: 'UNKNOWN_GAME',
        value: id,
        expected: `one of ${this.#ids.length} households, e.g. "${this.#ids[0]}"`,
        hint: 'take an id from `info.game`, or add the household to `households`',
      });
    }
    const game =
      nameSeed === undefined ? gameOf(made) : new Game(householdTexts(made), { shuffleNames: new Generator(nameSeed) });
    const { split, target, layout } = made;
    return {
      id,
      game,
      taskType: target.type,
      split,
      taskKey: taskKeyOf(made),
      ...(layout.areas && { areas: layout.areas }),
    };
  }

  save(): unknown {
    return this.#order.getState();
  }

  restore(state: unknown): void {
    const order = new GameOrder(this.#ids.length);
    order.setState(state);
    this.#order = order;
  }
}

/** Also from what `household` returned in another process, where only the plan is to be trusted. */
function built(given: HouseholdPlan | OwnHousehold, index: number): OwnHousehold {
  try {
    return household(typeof given === 'object' && given !== null && 'plan' in given ? given.plan : given);
  } catch (cause) {
    if (!GymError.isInstance(cause)) throw cause;
    const { code, value, expected, hint } = cause;
    const [message = ''] = cause.message.split('\n');
    throw new GymError(`households.${index}: ${message}`, { code, value, expected, hint, cause });
  }
}

const taskKeyOf = ({ layout, target }: OwnHousehold): string => householdKey(floorPlanOf(layout), target);

function gameOf(made: OwnHousehold): Game {
  let game = compiled.get(made);
  if (game === undefined) {
    game = new Game(householdTexts(made));
    compiled.set(made, game);
  }
  return game;
}
