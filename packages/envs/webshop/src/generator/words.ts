/** The vocabulary of the generated shop. Our own words. */
import type { Category, OptionKind } from './kinds.js';

const list = (text: string): readonly string[] => text.split('|');

/** Color name → fill color. */
export const COLORS: Readonly<Record<string, string>> = {
  black: '#222222',
  white: '#f4f4f0',
  grey: '#8c8c8c',
  red: '#c0282d',
  'navy blue': '#1f2f5f',
  'sky blue': '#7db9e8',
  'forest green': '#2f6b3a',
  'mint green': '#98d8b8',
  olive: '#7a7a32',
  yellow: '#f0cf3c',
  orange: '#e8822a',
  purple: '#6c3d91',
  lavender: '#b9a5dd',
  pink: '#ee9bbd',
  'rose gold': '#c98f85',
  brown: '#7b4b2a',
  beige: '#dcc9a5',
  burgundy: '#6d1a2e',
  teal: '#1f8583',
  cream: '#f3e8ca',
};

export const PATTERNS = ['plain', 'striped', 'dotted', 'checked'] as const;
export type Pattern = (typeof PATTERNS)[number];

export const OPTION_VALUES: Readonly<Record<OptionKind, readonly string[]>> = {
  color: Object.keys(COLORS),
  size: list('x-small|small|medium|large|x-large|xx-large|3x-large|4x-large'),
  volume: list('2 oz|4 oz|6 oz|8 oz|12 oz|16 oz|24 oz|32 oz|64 oz'),
  measure: list('small|medium|large|2 ft x 3 ft|3 ft x 5 ft|5 ft x 8 ft|24 in x 36 in|52 in x 84 in|18 in x 18 in'),
  'shoe size': list('5|5.5|6|6.5|7|7.5|8|8.5|9|9.5|10|10.5|11|12|13 wide'),
  length: list('12 inch|14 inch|18 inch|20 inch|3 ft|6 ft|10 ft|15 ft|25 ft'),
  'flavor name': list(
    'vanilla|dark chocolate|lemon ginger|honey & oats|wild berry|sea salt|smoky paprika|apple cinnamon|mint|peach|coconut|original',
  ),
  scent: list('unscented|lavender fields|citrus|cedar|rose garden|eucalyptus|vanilla bean|ocean breeze|patchouli'),
  style: list('classic|slim|with strap|with lid|two tone|travel edition|matte|glossy|kids'),
  'item package quantity': list('1|2|3|4|6|8|12|24'),
  capacity: list('16 gb|32 gb|64 gb|128 gb|256 gb|512 gb|1 tb'),
};

export const ADJECTIVES = list(
  'classic|modern|soft|compact|sturdy|lightweight|everyday|premium|elegant|portable|rustic|cozy|bold|simple|handy|slim|' +
    'vintage|foldable|reliable|bright|smooth|natural|sleek|roomy|gentle|crisp|warm|cool|fresh|quiet|rugged|refined|' +
    'versatile|delicate|striking|minimal|durable|charming|practical|fine',
);

export const AUDIENCES = list(
  'women|men|kids|teens|travel|home|office|school|beginners|small spaces|outdoor use|daily use|gifts|family|camping|guests',
);

/** Phrases of one to three words for products and instructions. */
export const ATTRIBUTES: Readonly<Record<Category | 'all', readonly string[]>> = {
  all: list(
    'easy to use|high quality|long lasting|eco friendly|easy to clean|gift ready|hand made|made in small batches|' +
      'recyclable packaging|space saving|family owned|plant based|no assembly|travel size|certified organic|vegan|' +
      'fair trade|plastic free|money back promise|child safe|low waste|limited edition|pet friendly|award winning',
  ),
  beauty: list(
    'cruelty free|paraben free|sulfate free|fragrance free|alcohol free|for sensitive skin|for dry skin|for oily skin|' +
      'anti aging|deep cleansing|quick absorbing|non greasy|hypoallergenic|dermatologist tested|color safe|for curly hair|' +
      'for fine hair|split end repair|heat resistant|double sided|sun protection|tea tree oil|hyaluronic acid|vitamin c|' +
      'retinol|natural ingredients|soothing|brightening|oil free|non drying|for damaged hair|soft bristles|smudge proof',
  ),
  electronics: list(
    'fast charging|high speed|noise cancelling|water resistant|wireless charging|high definition|plug and play|dust proof|' +
      'shock proof|ultra thin|low latency|stereo sound|hands free|long battery life|backlit|anti glare|heavy duty|' +
      'tangle free|gold plated|scratch resistant|carrying case included|universal fit|quick release|height adjustable|' +
      'energy saving|voice control|dual band|optical zoom|non slip base|tool free mounting|cable management|dishwasher proof',
  ),
  fashion: list(
    'machine washable|hand wash|moisture wicking|quick drying|elastic waist|relaxed fit|slim fit|long sleeve|short sleeve|' +
      'button closure|zip closure|drawstring closure|high waist|low heel|memory foam|arch support|rubber outsole|steel toe|' +
      'non slip sole|lace up|slip on|wide fit|lined|wind proof|uv protection|stretch fabric|tummy control|v neck|crew neck|' +
      'hidden pocket|breathable|wrinkle free|reinforced seams',
  ),
  garden: list(
    'easy to assemble|solid wood|mid century|stain resistant|fade resistant|white finish|non slip|machine made|' +
      'double sided print|thick padding|adjustable feet|swivel seat|storage drawer|blackout lining|noise reducing|rust proof|' +
      'for living room|for bedroom|for dining room|indoor and outdoor|warm white light|dimmable|solar powered|remote control|' +
      'air tight|leak proof|drainage holes|hand painted|metal legs|memory foam core|super soft|faux fur',
  ),
  grocery: list(
    'gluten free|sugar free|low sodium|non gmo|dairy free|nut free|keto friendly|high protein|low carb|kosher certified|' +
      'whole grain|no preservatives|no artificial colors|no added sugar|caffeine free|ready to eat|freeze dried|cold pressed|' +
      'low calorie|source of fiber|stone ground|slow roasted|single origin|resealable bag|individually wrapped|ready in minutes|' +
      'soy free|egg free|simple ingredients|naturally sweetened|air dried|hand picked',
  ),
};

export const BRAND_STARTS = list(
  'Al|Bel|Bren|Cal|Cor|Dal|Del|Dor|El|Fen|Fjor|Gal|Gran|Hal|Hol|Iv|Jas|Kel|Kes|Lum|Mar|Mel|Nor|Ol|Pel|Quil|Ral|Ros|Sel|' +
    'Sol|Tam|Tor|Ul|Val|Ver|Wen|Wil|Yar|Zan|Zel',
);
export const BRAND_MIDDLES = list('|a|e|i|o|u|an|en|in|on|ar|er|or|ba|da|la|ma|na|ra|ta');
export const BRAND_ENDS = list(
  'beck|bury|by|co|dale|den|dor|field|ford|gate|ham|haven|ington|ka|ko|land|ley|lin|low|mere|mont|nix|ora|ova|port|ra|' +
    'ridge|rin|ro|sen|shire|sky|son|stead|ster|ton|vale|view|wick|wood',
);

/** Sentences of descriptions; braces are filled in. */
export const SENTENCES = list(
  'The {brand} {noun} is made of {material} and built for {audience}|Each {noun} is checked by hand before it leaves us|' +
    'It is {attribute}, so you can enjoy it for years|{attribute}: that is what our customers like most|' +
    'A {adjective} choice for {audience} and a welcome gift|We chose {material} because it feels {adjective} and lasts|' +
    'Put it next to your other things from {brand} and see how well they match|The {adjective} design fits into any home|' +
    'Store it in a dry place and wipe it with a damp cloth|Questions? Our small team answers within a day|' +
    'Model {model} replaces the {adjective} one you may know|Please check the size before you order|' +
    'Colors may look a little different on your screen|Comes in a {adjective} box with a short guide|' +
    'From the {brand} collection number {number}, sold in {number2} towns|What you get: one {noun}, one card, a {adjective} pouch',
);
