/**
 * Makes `src/unicode/tables.generated.ts`: the tables with which `tokens.ts` splits texts into words.
 *
 *   npm install --no-save @unicode/unicode-9.0.0@2.0.7 @unicode/unicode-11.0.0@2.0.7 @unicode/unicode-12.1.0@2.0.7
 *   npx tsx packages/envs/webshop/scripts/make-unicode-tables.ts
 *
 * The original's search is Lucene 8.11. Its StandardTokenizer has the word boundaries of Unicode 9.0 (UAX #29) and the
 * emoji of Unicode 11.0 (UTS #51), and its texts were lower-cased by Python 3.8 with Unicode 12.1. A runtime's own
 * `\p{…}` and `toLowerCase` depend on its ICU, which differs between versions of Node.
 * Rules: `apache/lucene-solr`, `StandardTokenizerImpl.jflex`, written here as expressions over classes of characters.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile, many, maybe, oneOf, repeated, sequence, symbols } from './automaton.js';

type Range = { readonly begin: number; readonly end: number };

const CODE_POINTS = 0x110000;

/** One byte per code point: 1 if it has the property. */
async function property(version: '9.0.0' | '11.0.0' | '12.1.0', name: string): Promise<Uint8Array> {
  const { default: ranges } = await import(`@unicode/unicode-${version}/${name}/ranges.mjs`);
  const has = new Uint8Array(CODE_POINTS);
  for (const { begin, end } of ranges as Range[]) has.fill(1, begin, end);
  return has;
}

const word = (name: string) => property('9.0.0', `Word_Break/${name}`);
const script = (name: string) => property('9.0.0', `Script/${name}`);
const emojiProperty = (name: string) => property('11.0.0', `Binary_Property/${name}`);
const one = (...codes: number[]) => {
  const has = new Uint8Array(CODE_POINTS);
  for (const code of codes) has[code] = 1;
  return has;
};
const between = (first: number, last: number) => new Uint8Array(CODE_POINTS).fill(1, first, last + 1);
const both = (a: Uint8Array, b: Uint8Array) => a.map((has, code) => has & b[code]!);
const either = (a: Uint8Array, b: Uint8Array) => a.map((has, code) => has | b[code]!);

const sticky = either(await word('Extend'), await word('Format'));
const letters = await word('ALetter');
const picture = either(await emojiProperty('Emoji'), await emojiProperty('Extended_Pictographic'));
const southEast = await property('9.0.0', 'Line_Break/Complex_Context');
const wideDigits = both(await property('9.0.0', 'General_Category/Decimal_Number'), between(0xff00, 0xffef));

/** Classes of characters; the first match counts. `other` is 0. */
const CLASSES = {
  regional: await word('Regional_Indicator'),
  tone: await emojiProperty('Emoji_Modifier'),
  textStyle: one(0xfe0e),
  keyBase: one(0x23, 0x2a),
  keyCap: one(0x20e3),
  emojiStyle: one(0xfe0f),
  joiner: one(0x200d),
  tag: between(0xe0020, 0xe007e),
  tagEnd: one(0xe007f),
  toneBase: await emojiProperty('Emoji_Modifier_Base'),
  asciiDigit: between(0x30, 0x39),
  southEastMark: both(southEast, sticky),
  southEast,
  mark: sticky,
  hebrew: await word('Hebrew_Letter'),
  hangul: both(letters, await script('Hangul')),
  pictureLetter: both(letters, picture),
  letter: letters,
  digit: either(await word('Numeric'), wideDigits),
  katakana: await word('Katakana'),
  midLetter: await word('MidLetter'),
  midNumber: await word('MidNum'),
  midBoth: await word('MidNumLet'),
  connector: await word('ExtendNumLet'),
  han: await script('Han'),
  hiragana: await script('Hiragana'),
  quote: await word('Single_Quote'),
  doubleQuote: await word('Double_Quote'),
  picture,
} as const;
type Class = keyof typeof CLASSES;
const NAMES = Object.keys(CLASSES) as Class[];

/** One character of any of these classes. */
const anyOf = (...names: Class[]) => symbols(names.map((name) => NAMES.indexOf(name) + 1));

const marks = many(anyOf('mark', 'southEastMark', 'joiner', 'keyCap', 'emojiStyle', 'textStyle', 'tag', 'tagEnd'));
/** Marks and invisible characters attach to the preceding character (WB4). */
const extended = (...names: Class[]) => sequence(anyOf(...names), marks);

const LETTER = extended('letter', 'pictureLetter', 'hangul', 'hebrew');
const HEBREW = extended('hebrew');
const DIGIT = extended('digit', 'asciiDigit');
const KATAKANA = extended('katakana');
const CONNECTOR = extended('connector');
const MID_LETTER = extended('midLetter', 'midBoth', 'quote');
const MID_NUMBER = extended('midNumber', 'midBoth', 'quote');

const run = oneOf(
  sequence(KATAKANA, many(sequence(many(CONNECTOR), KATAKANA))),
  repeated(
    oneOf(
      sequence(HEBREW, oneOf(extended('quote'), sequence(extended('doubleQuote'), HEBREW))),
      sequence(DIGIT, many(sequence(oneOf(many(CONNECTOR), MID_NUMBER), DIGIT))),
      sequence(LETTER, many(sequence(oneOf(many(CONNECTOR), MID_LETTER), LETTER))),
    ),
  ),
);
const WORD = sequence(many(CONNECTOR), run, many(sequence(repeated(CONNECTOR), run)), many(CONNECTOR));

const after = many(anyOf('mark', 'southEastMark', 'joiner', 'keyCap', 'tag', 'tagEnd'));
const joiner = anyOf('joiner');
const toned = sequence(maybe(sequence(many(joiner), anyOf('toneBase'), after)), anyOf('tone'), after);
const plain = sequence(many(joiner), anyOf('picture', 'pictureLetter', 'toneBase'), after, maybe(anyOf('emojiStyle')));
const EMOJI = oneOf(toned, plain);
const PICTURES = oneOf(
  sequence(EMOJI, repeated(anyOf('tag')), anyOf('tagEnd')),
  sequence(EMOJI, many(sequence(joiner, EMOJI))),
  sequence(anyOf('keyBase', 'asciiDigit'), after, maybe(anyOf('emojiStyle')), anyOf('keyCap'), after),
  sequence(extended('regional'), extended('regional')),
);

const { transitions, accepts } = compile(
  oneOf(PICTURES, WORD, repeated(extended('southEast', 'southEastMark')), extended('han'), extended('hiragana')),
  NAMES.length + 1,
);

const classes = Uint8Array.from(
  { length: CODE_POINTS },
  (_, code) => NAMES.findIndex((name) => CLASSES[name][code] === 1) + 1,
);
const unassigned = await property('12.1.0', 'General_Category/Unassigned');

/** Packs runs `1f@4A…`: length in base 36, then the value as a character, from `@` for 0. */
function runs(values: Uint8Array): string {
  let text = '';
  for (let start = 0, end = 0; start < values.length; start = end) {
    while (end < values.length && values[end] === values[start]) end += 1;
    text += (end - start).toString(36) + String.fromCharCode(64 + values[start]!);
  }
  return text;
}

const states = transitions.map((row) => row.map((to) => String.fromCharCode(48 + to)).join(''));
const file = fileURLToPath(new URL('../src/unicode/tables.generated.ts', import.meta.url));
writeFileSync(
  file,
  `// Made by scripts/make-unicode-tables.ts from the data of Unicode 9.0, 11.0 and 12.1 (see NOTICE).

/** Classes of characters, 0 included. */
export const CLASS_COUNT = ${NAMES.length + 1};

/** Runs of code points of one class: length in base 36, class as a character from "@" on. */
export const CLASS_RUNS = ${JSON.stringify(runs(classes))};

/** Per state and class the next state, as a character from "0" on; 0 is where nothing can follow, 1 is the start. */
export const TRANSITIONS = [
${states.map((row) => `  ${JSON.stringify(row)},`).join('\n')}
].join('');

/** States in which a word is complete. */
export const ACCEPTING: readonly number[] = [${accepts.flatMap((isAccepting, state) => (isAccepting ? [state] : [])).join(', ')}];

/** Runs of code points: "A" where Unicode 12.1 has no character. */
export const UNASSIGNED_RUNS = ${JSON.stringify(runs(unassigned))};
`,
);
