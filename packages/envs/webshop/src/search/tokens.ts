/**
 * Words of a text, split as Lucene's StandardTokenizer splits them: the word boundaries of UAX #29.
 *
 * Letters, digits and `_` stay together; `'`, `.` and `:` join letters, `'`, `.`, `,` and `;` join digits; each Han or
 * Hiragana character and each emoji is a word. Rules: Unicode Standard Annex #29; what Lucene makes of Katakana, Thai and
 * emoji (`apache/lucene-solr`, `StandardTokenizerImpl.jflex`). A word of more than 255 UTF-16 units is cut there.
 */

const LONGEST = 255;
const NOT_ASCII = /[\u0080-\uffff]/;

/** Calls `take` with each word, in order, as written. */
export function eachToken(text: string, take: (word: string) => void): void {
  if (NOT_ASCII.test(text)) {
    for (const word of text.match(WORDS) ?? []) pieces(word, take);
  } else asciiTokens(text, take);
}

function pieces(word: string, take: (word: string) => void): void {
  for (let start = 0; start < word.length; start += LONGEST) take(word.slice(start, start + LONGEST));
}

const [LETTER, DIGIT, UNDERSCORE, JOINS_LETTERS, JOINS_DIGITS, JOINS_BOTH] = [1, 2, 3, 4, 5, 6];
const KIND = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) KIND[code] = LETTER;
  else if (/[0-9]/.test(character)) KIND[code] = DIGIT;
  else if (character === '_') KIND[code] = UNDERSCORE;
  else if (character === ':') KIND[code] = JOINS_LETTERS;
  else if (character === ',' || character === ';') KIND[code] = JOINS_DIGITS;
  else if (character === "'" || character === '.') KIND[code] = JOINS_BOTH;
}

/** The same rules for plain ASCII, which nearly all text is: one look at each character. */
function asciiTokens(text: string, take: (word: string) => void): void {
  let start = -1;
  let previous = 0;
  let solid = false; // a letter or digit was seen: underscores alone are no word
  for (let index = 0; index <= text.length; index += 1) {
    const kind = index < text.length ? KIND[text.charCodeAt(index)]! : 0;
    if (kind !== 0 && kind <= UNDERSCORE) {
      if (start < 0) start = index;
      if (kind !== UNDERSCORE) solid = true;
      previous = kind;
      continue;
    }
    if (start >= 0 && kind !== 0 && index + 1 < text.length) {
      const next = KIND[text.charCodeAt(index + 1)]!;
      const joins =
        (previous === LETTER && next === LETTER && kind !== JOINS_DIGITS) ||
        (previous === DIGIT && next === DIGIT && kind !== JOINS_LETTERS);
      if (joins) continue;
    }
    if (start >= 0 && solid) {
      if (index - start <= LONGEST) take(text.slice(start, index));
      else pieces(text.slice(start, index), take);
    }
    [start, solid, previous] = [-1, false, 0];
  }
}

const WORDS = wordPattern();

function wordPattern(): RegExp {
  const after = '[[\\p{M}\\p{Cf}\\u200d]--[\\ufe0e\\ufe0f]]*'; // marks and invisible format characters stick to what precedes
  const afterAny = '[\\p{M}\\p{Cf}\\u200d]*';
  const south =
    '[[\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Myanmar}\\p{sc=Khmer}\\p{sc=Tai_Le}\\p{sc=New_Tai_Lue}\\p{sc=Tai_Tham}\\p{sc=Tai_Viet}\\p{sc=Ahom}]--\\p{Nd}]';
  const katakana = '[\\p{sc=Katakana}\\u3031-\\u3035\\u309b\\u309c\\u30a0\\u30fc\\uff70]';
  const letter = `[[\\p{Alphabetic}\\u05f3]--\\p{Ideographic}--\\p{sc=Han}--\\p{sc=Hiragana}--${katakana}--${south}--\\p{M}--[\\u{1f130}-\\u{1f189}]]`;
  const digit = '[\\p{Nd}\\u066b]';
  const L = `${letter}${afterAny}`;
  const N = `${digit}${afterAny}`;
  const K = `${katakana}${afterAny}`;
  const X = `[\\p{Pc}\\u202f]${afterAny}`;
  const midLetter = `[:\\u00b7\\u0387\\u05f4\\u2027\\ufe13\\ufe55\\uff1a.\\u2018\\u2019\\u2024\\ufe52\\uff07\\uff0e']${afterAny}`;
  const midDigit = `[,;\\u037e\\u0589\\u060c\\u060d\\u066c\\u07f8\\u2044\\ufe10\\ufe14\\ufe50\\ufe54\\uff0c\\uff1b.\\u2018\\u2019\\u2024\\ufe52\\uff07\\uff0e']${afterAny}`;
  const letters = `${L}(?:(?:(?:${X})*|${midLetter})${L})*`;
  const digits = `${N}(?:(?:(?:${X})*|${midDigit})${N})*`;
  const run = `(?:${K}(?:(?:${X})*${K})*|(?:${digits}|${letters})+)`;
  const word = `(?:${X})*${run}(?:(?:${X})+${run})*(?:${X})*`;

  // keycap bases and Regional Indicators are no emoji by themselves
  const picture = '[\\p{Extended_Pictographic}[\\p{Emoji}--[0-9#*]--\\p{RI}--\\p{Emoji_Modifier}]]';
  const toned = `(?:\\u200d*\\p{Emoji_Modifier_Base}${after})?\\p{Emoji_Modifier}${after}`; // longest first
  const emoji = `(?:${toned}|\\u200d*${picture}${after}\\ufe0f?)`;
  // the joiner of a sequence may have gone with the marks before it
  const pictures =
    `${emoji}(?:[\\u{e0020}-\\u{e007e}]+\\u{e007f}|(?:(?:\\u200d|(?<=\\u200d))${emoji})*)` +
    `|[0-9#*]${after}\\ufe0f?\\u20e3${after}|\\p{RI}${afterAny}\\p{RI}${afterAny}`;
  const single = `(?:${south}${afterAny})+|[\\p{sc=Han}\\p{sc=Hiragana}]${afterAny}`;
  return new RegExp(`${pictures}|${word}|${single}`, 'gv');
}
