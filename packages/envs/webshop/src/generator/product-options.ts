/** The choices of a product: attributes, groups of options, their pictures. */
import type { OptionGroup } from '../catalog/product.js';
import type { Draws } from './draws.js';
import type { Family } from './family.js';
import type { OptionKind } from './kinds.js';
import { type PictureSpec, pictureSpec } from './picture-spec.js';
import { ATTRIBUTES, OPTION_VALUES, PATTERNS, type Pattern } from './words.js';

export function attributesOf({ kind }: Family, draws: Draws): string[] {
  const count = draws.chance(0.06) ? 0 : draws.between(1, 6);
  const pool = draws.some(ATTRIBUTES[kind.category], count);
  return draws.chance(0.5) ? [...pool, draws.pick(ATTRIBUTES.all)] : pool;
}

/** Option groups with another name on the page. */
const PAGE_NAMES: Readonly<Partial<Record<OptionKind, string>>> = { volume: 'size', measure: 'size' };

export function optionsOf({ kind }: Family, draws: Draws): OptionGroup[] {
  return kind.options.flatMap((name) => {
    if (draws.chance(0.15)) return [];
    const values = OPTION_VALUES[name];
    const count = Math.min(values.length, draws.pickSkewed([2, 3, 3, 4, 4, 5, 6, 8, 12, 1]));
    const taken = new Set(draws.some(values, count));
    return [{ name: PAGE_NAMES[name] ?? name, values: values.filter((value) => taken.has(value)) }];
  });
}

export function packOf(options: readonly OptionGroup[]): number {
  const packs: OptionKind = 'item package quantity';
  return Number(options.find(({ name }) => name === packs)?.values[0] ?? 1);
}

export function designs(draws: Draws): Record<string, Pattern> {
  const patterns = draws.some(PATTERNS, 3);
  return Object.fromEntries(patterns.map((pattern, index) => [`design ${'abc'[index]}`, pattern]));
}

export function optionImages(
  options: readonly OptionGroup[],
  patterns: Readonly<Record<string, Pattern>>,
  about: PictureSpec,
): Record<string, string> {
  const images: Record<string, string> = {};
  for (const { name, values } of options) {
    for (const value of values) {
      if (name === 'color') images[value] = pictureSpec({ ...about, color: value });
      else if (name === 'item package quantity') images[value] = pictureSpec({ ...about, pack: Number(value) });
      else if (name === 'design') images[value] = pictureSpec({ ...about, pattern: patterns[value]! });
    }
  }
  return images;
}
