/**
 * The reward of a purchase, 0 to 1, and its parts.
 *
 * reward = type * (attribute matches + option matches + price ok) / (goal attributes + goal options + 1).
 * Rules follow `princeton-nlp/WebShop`, `web_agent_site/engine/goal.py` (MIT), including its oddities;
 * `test/golden/webshop-reward.json.gz` pins 200 cases.
 */
import { checkNames, names } from '@vlgym/core/internal';
import type { Product } from '../catalog/product.js';
import type { Goal } from '../goals/goal.js';
import { pythonRepr } from '../python/text.js';
import { COLORS, normalizeColor } from './colors.js';
import type { NounTagger } from './nouns.js';
import { type FuzzyBackend, tokenSetRatio } from './token-set-ratio.js';

/** Names as in the published code. reward = r_type * (r_att*w_att + r_option*w_option + r_price*w_price). */
export type RewardParts = {
  /** Factor for the kind of product: 1, 0.5, 0.1, or 0. */
  r_type: number;
  r_att: number;
  w_att: number;
  query_match: boolean;
  category_match: boolean;
  /** Share of the goal's nouns in the bought product's name; 0.2 if the goal's name has none. */
  title_score: number;
  /** Present only if the goal asks for options. */
  r_option?: number;
  w_option?: number;
  r_price: boolean;
  w_price: number;
};

export interface Purchase {
  readonly product: RewardProduct;
  readonly goal: RewardGoal;
  /** Price drawn for the product, dollars. */
  readonly price: number;
  /** Chosen options, name → value. */
  readonly options: ReadonlyMap<string, string>;
}

/** The fields of a product that the reward uses. */
export type RewardProduct = Pick<
  Product,
  'title' | 'query' | 'productCategory' | 'attributes' | 'bulletPoints' | 'description' | 'nouns'
>;
/** The fields of a goal that the reward uses. */
export type RewardGoal = Pick<
  Goal,
  'name' | 'query' | 'productCategory' | 'attributes' | 'goalOptions' | 'priceUpper' | 'nouns'
>;

export interface RewardOptions {
  readonly nouns: NounTagger;
  /** Default `difflib`, as installed by WebShop's pinned requirements. */
  readonly backend?: FuzzyBackend | undefined;
}

export interface Reward {
  /** 0 to 1. */
  readonly reward: number;
  readonly parts: RewardParts;
}

/** Scores above this count as equal. */
const ALIKE = 85;

const REWARD_OF_OPTIONS = names<RewardOptions>({ nouns: 0, backend: 0 });

export function rewardOf({ product, goal, price, options }: Purchase, given: RewardOptions): Reward {
  checkNames('options', given, REWARD_OF_OPTIONS);
  const { nouns, backend } = given;

  const type = typeReward(product, goal, nouns);
  const attributes = attributeMatches(product, goal.attributes, backend);
  const wanted = goal.goalOptions;
  const matched = optionMatches([...options.values()], wanted, backend);
  const optionCount = Array.isArray(wanted) ? wanted.length : (wanted as ReadonlyMap<string, string>).size;
  const priceOk = price <= goal.priceUpper;
  const total = goal.attributes.length + optionCount + 1;
  const parts: RewardParts = {
    r_type: type.r_type,
    r_att: goal.attributes.length === 0 ? 0 : attributes / goal.attributes.length,
    w_att: goal.attributes.length / total,
    query_match: type.query_match,
    category_match: type.category_match,
    title_score: type.title_score,
    ...(optionCount > 0 && { r_option: matched / optionCount, w_option: optionCount / total }),
    r_price: priceOk,
    w_price: 1 / total,
  };
  return { reward: ((attributes + matched + (priceOk ? 1 : 0)) / total) * type.r_type, parts };
}

/** Factor for the kind of product (`docs/specs/webshop.md` 7.1): the same query without a common noun gives 0. */
function typeReward(product: RewardProduct, goal: RewardGoal, tagger: NounTagger) {
  const query_match = product.query === goal.query;
  const bought = levels(product.productCategory);
  const category_match = [...levels(goal.productCategory)].filter((level) => bought.has(level)).length >= 2;

  const wanted = goal.nouns ?? tagger(goal.name);
  const has = new Set(product.nouns ?? tagger(product.title));
  const common = [...new Set(wanted)].filter((noun) => has.has(noun)).length;
  const title_score = wanted.length === 0 ? 0.2 : common / wanted.length;

  let r_type = query_match || category_match || title_score > 0.2 ? 1 : 0.5;
  if (title_score < 0.1) r_type = 0.1;
  if (title_score === 0) r_type = 0;
  return { r_type, query_match, category_match, title_score };
}

const levels = (path: string) => new Set(path.split('\u203a').map((level) => level.trim()));

function attributeMatches(product: RewardProduct, wanted: readonly string[], backend?: FuzzyBackend): number {
  const title = product.title.toLowerCase();
  const bullets = product.bulletPoints.join(' ').toLowerCase();
  const description = product.description.toLowerCase();
  return wanted.filter(
    (attribute) =>
      product.attributes.some((candidate) => tokenSetRatio(candidate, attribute, backend) > ALIKE) ||
      title.includes(attribute) ||
      bullets.includes(attribute) ||
      description.includes(attribute),
  ).length;
}

function optionMatches(chosen: readonly string[], wanted: Goal['goalOptions'], backend?: FuzzyBackend): number {
  const have = chosen.map(normalizeColor);
  const want = Array.isArray(wanted)
    ? wanted.map(normalizeColor)
    : [...(wanted as ReadonlyMap<string, string>)].map(pairText);
  return want.filter((option) => have.some((value) => tokenSetRatio(value, option, backend) > ALIKE)).length;
}

/** A pair becomes a color only if its name or value *is* one; otherwise Python's text of the tuple is compared. */
function pairText([name, value]: readonly [string, string]): string {
  const color = COLORS.find((candidate) => candidate === name || candidate === value);
  return color ?? `(${pythonRepr(name)}, ${pythonRepr(value)})`;
}
