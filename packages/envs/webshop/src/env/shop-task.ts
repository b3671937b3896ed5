/** Opens the shop and goals that options describe, equally for both environments, so that equal seeds give equal visits. */
import { InvalidOptionError } from '@vlgym/core';
import type { z } from 'zod';
import { GoalDrawer } from '../goals/draw-goal.js';
import { chosenPart, contentPart, type GoalPart, type SplitPart, splitPart } from '../goals/splits.js';
import type { Shop } from '../shop/shop.js';
import { type CatalogOption, openShop } from './open-shop.js';
import type { shopOptions } from './options.js';

type ShopTaskOptions = z.output<ReturnType<typeof z.object<typeof shopOptions>>>;

/** Defaults of an environment. */
export interface ShopDefaults {
  readonly catalog?: CatalogOption;
  readonly goals?: ShopTaskOptions['goals'];
  readonly goalDraw: 'parity' | 'fixed';
  readonly searchShortcuts: boolean;
}

export interface ShopTask {
  readonly shop: Shop;
  readonly part: GoalPart;
  /** Draws a goal of `part`, as its position there. */
  readonly drawer: GoalDrawer;
  /** Call once when the environment closes. Does not close a shop that the caller opened. */
  readonly release: () => void;
}

/**
 * @param open  An open shop, in place of the options that describe one.
 * @throws {InvalidOptionError | EmptySplitError} The part has no goals, or a goal does not exist.
 */
export function shopTask(options: ShopTaskOptions, defaults: ShopDefaults, open?: Shop): ShopTask {
  const { catalog = defaults.catalog, split = 'all', splitScheme = 'webshop', goalIndices } = options;
  const { goals = defaults.goals, goalDraw = defaults.goalDraw } = options;
  const { goalSeed, priceSeed, priceBounds, limitGoals, productsPerPage, showAttributes, fuzzy, cart } = options;
  const { searchShortcuts = defaults.searchShortcuts } = options;
  const goalOptions = { goals, goalSeed, priceSeed, priceBounds, limitGoals, goalDraw };
  const shopOptions = defined({ ...goalOptions, productsPerPage, showAttributes, fuzzy, cart, searchShortcuts });
  const { shop, release } = open ? { shop: open, release: () => {} } : openShop(catalog, shopOptions);
  try {
    for (const goal of goalIndices ?? []) checkedGoal('goalIndices', goal, shop);
    const part = goalIndices ? chosenPart(goalIndices) : partOf(shop, split, splitScheme);
    if (part.size === 0) {
      const has = `${shop.goals.length} goals, too few for the part "${split}" of "${splitScheme}"`;
      throw new InvalidOptionError('split', split, `a part with goals; the catalog has ${has}`);
    }
    // The original's bug (`parity`) applies to the whole list only.
    const whole = split === 'all' && !goalIndices;
    if (whole && goalDraw === shop.draws.draw) return { shop, part, drawer: shop.draws, release };
    const weighted = Array.from({ length: part.size }, (_, place) => shop.goals[part.at(place)]!);
    return { shop, part, drawer: new GoalDrawer(weighted, whole ? goalDraw : 'fixed'), release };
  } catch (error) {
    release();
    throw error;
  }
}

function partOf({ goals }: Shop, split: SplitPart, scheme: NonNullable<ShopTaskOptions['splitScheme']>): GoalPart {
  if (scheme !== 'content') return splitPart(scheme, split, goals.length);
  if (split === 'all') return splitPart('webshop', split, goals.length);
  if (split === 'dev')
    throw new InvalidOptionError('split', split, "'train', 'test' or 'all' with `splitScheme: 'content'`");
  return contentPart(split, goals);
}

/** @throws {InvalidOptionError} The goal does not exist. */
export function checkedGoal(option: string, goal: unknown, { goals }: Shop): number {
  if (typeof goal === 'number' && Number.isInteger(goal) && goal >= 0 && goal < goals.length) return goal;
  throw new InvalidOptionError(option, goal, `the index of one of ${goals.length} goals`);
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
