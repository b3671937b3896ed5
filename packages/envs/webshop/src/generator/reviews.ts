/**
 * Reviews of a generated product: they follow from the product, say only what it is, and are shown by themes alone.
 *
 * Catalogs of real products have none: nobody wrote them.
 */
import type { Product } from '../catalog/product.js';
import { textKey } from '../themes/theme.js';
import { Draws } from './draws.js';
import { parsePictureSpec } from './picture-spec.js';

export interface Review {
  readonly name: string;
  /** 1 to 5. */
  readonly stars: number;
  readonly title: string;
  readonly text: string;
}

export interface Opinion {
  /** Mean stars, one digit. */
  readonly rating: number;
  /** How many people have rated it; a few of them wrote reviews. */
  readonly count: number;
  readonly reviews: readonly Review[];
}

const list = (text: string) => text.split('|');

const NAMES = list(
  'Amara|Ben|Carla|Dinesh|Elin|Farid|Grace|Hugo|Ines|Jonas|Keiko|Liam|Marta|Nils|Olga|Pavel|Quinn|Rosa|Samir|Tess|Uma|Viktor|Wanda|Yusuf|Zoe',
);

/** Titles and texts by mood; `{noun}` is the product, `{trait}` something it has. */
const MOODS: Readonly<Record<'happy' | 'mixed' | 'sad', { titles: readonly string[]; texts: readonly string[] }>> = {
  happy: {
    titles: list('Exactly what I hoped for|Would buy again|Better than expected|Great value|A favorite already'),
    texts: list(
      'I have had this {noun} for a month and use it nearly every day. It really is {trait}.|' +
        'Arrived on time and looks just like the pictures. My sister has ordered one, too.|' +
        'I compared several before I chose this one, because it is {trait}. No regrets.|' +
        'A gift for my father, who is hard to please. He likes it.|' +
        'Good quality for the price. I was unsure at first, but it does what the page says.',
    ),
  },
  mixed: {
    titles: list('Good, with a small flaw|Fine for the price|Does its job|Not bad'),
    texts: list(
      'The {noun} is good, but the box was dented when it came.|' +
        'It is {trait}, as promised. The color is a little darker than on my screen.|' +
        'Does what it should. I had hoped for a bit more at this price.|' +
        'Nice overall; please read the sizes with care, I had to exchange mine once.',
    ),
  },
  sad: {
    titles: list('Not for me|Expected more|Sent it back'),
    texts: list(
      'Perhaps I had bad luck, but my {noun} did not last. The refund was quick.|' +
        'It took two weeks to arrive, and I needed it sooner.|' +
        'It is well made, yet not what I imagined. I returned it.',
    ),
  },
};

/** `undefined` for products that were not generated. */
export function opinionOf({ asin, query, attributes, mainImage }: Product): Opinion | undefined {
  if (!parsePictureSpec(mainImage)) return undefined;
  const draws = new Draws(textKey(asin), 13);
  const liked = 3.4 + 1.5 * draws.random();
  const count = Math.ceil(4 + 900 * draws.random() ** 3);
  const noun = query.replace(/^(?:women|men)'s /, '');
  const seen = new Set<string>();
  const reviews = draws.some(NAMES, draws.between(2, 4)).map((name): Review => {
    const stars = Math.min(5, Math.max(1, Math.round(liked + 1.6 * (draws.random() - 0.55))));
    const { titles, texts } = MOODS[stars >= 4 ? 'happy' : stars === 3 ? 'mixed' : 'sad'];
    const fresh = texts.filter((text) => !seen.has(text) && (attributes.length > 0 || !text.includes('{trait}')));
    const text = draws.pick(fresh.length > 0 ? fresh : texts.filter((each) => !each.includes('{trait}')));
    seen.add(text);
    const filled = text.replaceAll('{noun}', singular(noun)).replace('{trait}', () => draws.pick(attributes));
    return { name: `${name} ${'ABCDEFGHKLMNPRSTW'[draws.below(17)]}.`, stars, title: draws.pick(titles), text: filled };
  });
  return { rating: Math.round(10 * liked) / 10, count, reviews };
}

/** `lip balms` → `lip balm`; the queries of kinds end in few ways. */
function singular(words: string): string {
  if (/(?:ses|shes|ches|xes)$/.test(words)) return words.replace(/es$/, '');
  if (/(?:oes|trousers|headphones|chips)$/.test(words)) return words;
  return words.replace(/s$/, '');
}
