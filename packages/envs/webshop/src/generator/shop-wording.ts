/** Titles, bullets and descriptions as shops write them: the wording `shop` of the generator. Our own words. */
import type { OptionGroup } from '../catalog/product.js';
import type { Draws } from './draws.js';
import type { Category } from './kinds.js';

/** The subject of a product's texts. */
export interface Subject {
  readonly brand: string;
  readonly noun: string;
  readonly material: string;
  readonly adjective: string;
  readonly audience: string;
  readonly category: Category;
  readonly attributes: readonly string[];
  readonly options: readonly OptionGroup[];
  /** Color of the picture. */
  readonly color: string;
}

const list = (text: string) => text.split('|');
const sentence = (text: string) => text[0]!.toUpperCase() + text.slice(1);
const capital = (text: string) => text.replace(/(^|[\s-])[a-z]/g, (letter) => letter.toUpperCase());

/** Words in capitals, none of them twice: `synthetic hair` and `hair extension` are `Synthetic Hair Extension`. */
function named(...parts: readonly string[]): string {
  return capital([...new Set(parts.join(' ').split(' '))].join(' '));
}

const LETTERS = 'ABCDEFGHJKLMNPRSTVWX';

/** `Allaley Berry Trail Mix, Sugar Free & Cold Pressed, 4 oz` */
export function shopTitle(subject: Subject, draws: Draws): string {
  const { brand, noun, material, adjective, audience, attributes, category } = subject;
  const name = named(material, noun);
  const traits = draws.some(attributes, draws.between(1, 2)).map(capital);
  const model = `${LETTERS[draws.below(20)]}${LETTERS[draws.below(20)]}-${draws.below(90) + 10}`;
  const head = draws.pick([
    `${brand} ${name}`,
    `${brand} ${named(adjective, material, noun)}`,
    category === 'electronics'
      ? `${brand} ${model} ${capital(noun)}, ${capital(material)}`
      : `${brand} ${named(adjective, material, noun)}`,
    category === 'grocery' || category === 'beauty' ? `${brand} ${name}` : `${brand} ${name} for ${capital(audience)}`,
  ]);
  const parts = [
    head,
    ...(traits.length > 0 ? [traits.join(draws.chance(0.5) ? ' & ' : ', ')] : []),
    ...endOf(subject, draws),
  ];
  return parts.join(', ');
}

/** The first color and size, as most titles name them. */
function endOf({ options, color }: Subject, draws: Draws): string[] {
  const size = options.find(({ name }) => !['color', 'design', 'item package quantity'].includes(name))?.values[0];
  const pack = options.find(({ name }) => name === 'item package quantity')?.values[0];
  return [
    ...(size && draws.chance(0.6) ? [capital(size)] : []),
    ...(pack && pack !== '1' ? [`Pack of ${pack}`] : []),
    ...(options.some(({ name }) => name === 'color') && draws.chance(0.7) ? [capital(color)] : []),
  ];
}

/** Ends of a bullet after what it names; `{noun}`, `{material}` and `{audience}` are filled in. */
const BENEFITS: Readonly<Record<Category, readonly string[]>> = {
  beauty: list(
    'gentle enough for every morning|a little goes a long way|tested for many weeks before it went on sale|fits into any routine',
  ),
  electronics: list(
    'set up in a few minutes|works with what you already own|made for long days at the desk and on the road|no surprises when you need it',
  ),
  fashion: list(
    'keeps its shape after many washes|easy to combine with what you have|made to be worn all day|a detail that you notice at once',
  ),
  garden: list(
    'at home in a flat as in a house|stands up to daily life|easy to live with, easy to love|a small change that makes a room',
  ),
  grocery: list(
    'nothing that does not belong there|good at breakfast and good at midnight|easy to share, hard to put down|packed the day it is made',
  ),
};

export function shopBullets({ attributes, category, noun, material, adjective }: Subject, draws: Draws): string[] {
  const ends = draws.some(BENEFITS[category], 4);
  const bullets = attributes.slice(0, 4).map((attribute, index) => `${sentence(attribute)}: ${ends[index]!}`);
  return [...bullets, `${sentence(adjective)} ${noun} with ${material}`];
}

const OPENINGS: Readonly<Record<Category, readonly string[]>> = {
  beauty: list(
    'Good care should be simple. Our {noun} with {material} is made to be used every day|The {noun} with {material} from {brand} has a light feel and a clean finish',
  ),
  electronics: list(
    'The {brand} {noun} does one thing and does it well|Made of {material} and built to last, this {noun} is ready when you are',
  ),
  fashion: list(
    'A {noun} in {material} that feels as good as it looks|We cut this {noun} from {material} and finished every seam by hand',
  ),
  garden: list(
    'This {noun} in {material} brings a calm note into any room|A {noun} should be useful first. This one in {material} is handsome, too',
  ),
  grocery: list(
    'We make our {noun} with {material} in small kitchens, and we taste every batch|The {noun} with {material} from {brand} started as a family recipe',
  ),
};

const CARE: Readonly<Record<Category, readonly string[]>> = {
  beauty: list('Keep it in a cool, dry place|Try it on a small patch of skin first'),
  electronics: list('A short guide is in the box|Two years of warranty are included'),
  fashion: list('Between two sizes? Take the larger one|Colors may look a little different on your screen'),
  garden: list('Wipe it with a damp cloth|Please measure the place before you order'),
  grocery: list('Store it in a dry place|Best within three months after opening'),
};

const CLOSINGS = list(
  'Questions? Our small team answers within a day|A welcome gift for {audience}|Thank you for buying from a small maker',
);

export function shopDescription(subject: Subject, draws: Draws): string {
  const { category, attributes } = subject;
  const fill = (text: string) =>
    text.replace(
      /\{(brand|noun|material|audience)\}/g,
      (_, name: 'brand' | 'noun' | 'material' | 'audience') => subject[name],
    );
  // Attributes that no bullet names must stand here: search and the reward look for them.
  const said = attributes.slice(4).map((attribute) => sentence(attribute));
  const texts = [
    draws.pick(OPENINGS[category]),
    ...said,
    draws.pick(CARE[category]),
    ...draws.some(CLOSINGS, draws.below(3)),
  ];
  return texts.map((text) => `${fill(text)}.`).join(' ');
}
