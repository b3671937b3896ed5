/** Titles, bullets and descriptions as in earlier versions; `shop-wording.ts` has those that shops write. */
import type { OptionGroup } from '../catalog/product.js';
import { DIGITS } from './asin.js';
import type { Draws } from './draws.js';
import type { Family } from './family.js';
import { ADJECTIVES, SENTENCES } from './words.js';

/** Texts that are kept with capital letters. */
const MOST_CAPITALS = 10_000;

const capitals = new Map<string, string>();

/** Capital first letters. Most texts come again: they are kept. */
function capital(text: string): string {
  const known = capitals.get(text);
  if (known !== undefined) return known;
  const changed = text.replace(/(^|[\s-])[a-z]/g, (letter) => letter.toUpperCase());
  if (capitals.size < MOST_CAPITALS) capitals.set(text, changed);
  return changed;
}

export function titleOf(
  { brand, adjectives, material, noun, audience }: Family,
  options: readonly OptionGroup[],
  color: string,
  draws: Draws,
): string {
  const model = `${DIGITS[10 + draws.below(26)]}${DIGITS[10 + draws.below(26)]}${draws.below(900) + 100}`;
  const parts = [`${brand} ${capital(adjectives.join(' '))} ${capital(material)} ${capital(noun)}`];
  parts.push(`${capital(draws.pick(ADJECTIVES))} ${capital(noun)} for ${capital(audience)}`);
  if (draws.chance(0.4)) parts.push(`Model ${model}`);
  const size = options.find(({ name }) => name !== 'color' && name !== 'design')?.values[0];
  const colored = options.some(({ name }) => name === 'color');
  const end = [colored && draws.chance(0.6) ? capital(color) : '', size && draws.chance(0.4) ? size : ''].filter(
    Boolean,
  );
  return parts.join(', ') + (end.length > 0 ? ` (${end.join(', ')})` : '');
}

const sentence = (text: string) => text[0]!.toUpperCase() + text.slice(1);

export function bulletsOf(
  { material, noun, adjectives, audience }: Family,
  attributes: readonly string[],
  draws: Draws,
): string[] {
  const bullets = attributes.slice(0, 4).map((attribute) => {
    const ends = [`a ${noun} you can count on`, `made of ${material}`, `for ${audience}`, `a ${adjectives[0]} ${noun}`];
    return `${sentence(attribute)}: ${draws.pick(ends)}`;
  });
  bullets.push(`${sentence(adjectives[0]!)} ${noun} of ${material}, made for ${audience}`);
  return bullets.slice(0, 5);
}

/** Sentences in pieces: text, name of what is filled in, text, … */
const TEMPLATES = SENTENCES.map((text) => text.split(/\{(\w+)\}/));

export function descriptionOf(family: Family, attributes: readonly string[], draws: Draws): string {
  const { brand, noun, material, adjectives, audience } = family;
  // Attributes that no bullet mentions.
  const said = attributes.slice(4).map((attribute) => `${sentence(attribute)}.`);
  const fill = (name: string): string => {
    switch (name) {
      case 'brand':
        return brand;
      case 'noun':
        return noun;
      case 'material':
        return material;
      case 'audience':
        return audience;
      case 'attribute':
        return draws.pick(attributes.length > 0 ? attributes : ['well made']);
      case 'adjective':
        return draws.pick(draws.chance(0.5) ? adjectives : ADJECTIVES);
      case 'model':
        return `${brand.slice(0, 2).toUpperCase()}${draws.below(90_000) + 10_000}`;
      case 'number':
        return String(draws.between(1, 60));
      default: // number2
        return String(draws.between(2, 900));
    }
  };
  const sentences = draws
    .some(TEMPLATES, draws.pickSkewed([4, 6, 3, 8, 2, 9, 5, 1, 0, 7]))
    .map((pieces) => `${sentence(pieces.map((piece, place) => (place % 2 ? fill(piece) : piece)).join(''))}.`);
  return [...sentences, ...said].join(' ');
}
