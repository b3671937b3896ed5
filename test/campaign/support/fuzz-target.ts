/** One boundary that reads what others wrote: inputs are JSON data, so that a finding can be typed in again. */
import fc from 'fast-check';

export interface FuzzTarget<T = unknown> {
  /** Stable, e.g. `core/parse-response`. */
  readonly name: string;
  readonly input: fc.Arbitrary<T>;
  /** Returns, or throws a GymError; anything else is a finding, as is more than a second or a lot of memory. */
  readonly call: (input: T) => unknown;
  /** Names of errors that it may throw beside. */
  readonly allowed?: readonly string[];
  /** A finding that stands, named in docs/reliability.md: the campaign sees it again, the slice in `npm test` leaves it out. */
  readonly open?: string;
}

/** Erases the type of the input, so that targets stand in one list. */
export const fuzzTarget = <T>(target: FuzzTarget<T>): FuzzTarget => target as unknown as FuzzTarget;

/** A law that an output broke. */
export class BrokenLaw extends Error {}

/** A text, or one part of it many times: what takes quadratic time shows there, and stays short as a reproducer. */
export type Text =
  | string
  | { readonly before: string; readonly part: string; readonly times: number; readonly after: string };

export const textOf = (text: Text): string =>
  typeof text === 'string' ? text : text.before + text.part.repeat(text.times) + text.after;

/** Characters that text processing trips over: joiners, surrogates, blanks of many kinds, right to left, stars. */
const ODD = [
  ...[
    '',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\0',
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u2028',
    '\u00a0',
    '\u202e',
    '\ud800',
    '\udfff',
  ],
  ...[
    '★',
    '々',
    '🄰',
    'é',
    'İ',
    'ß',
    '👩‍👩‍👧',
    '\\',
    '"',
    "'",
    '`',
    '<',
    '>',
    '&',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '#',
    '|',
    ';',
  ],
  ...['__proto__', 'constructor', 'null', 'NaN', '1e999', '-1', '0', '$&', '%00', '../', '{{x}}'],
];

/** Texts made of a grammar's own words, odd characters and anything, pumped in one of two hundred. */
export function texts(words: readonly string[], samples: readonly string[] = []): fc.Arbitrary<Text> {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    { weight: 3, arbitrary: fc.constantFrom(...ODD) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  );
  const short = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const part = fc.array(piece, { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join(''));
  const pumped = fc.record({ before: short, part, times: fc.integer({ min: 1, max: 50_000 }), after: short });
  const mutated =
    samples.length === 0 ? [] : [{ weight: 70, arbitrary: mutations(fc.constantFrom(...samples), piece) }];
  return fc.oneof({ weight: 129, arbitrary: short }, ...mutated, { weight: 1, arbitrary: pumped });
}

/** A sample with a few places overwritten, cut or doubled. */
function mutations(sample: fc.Arbitrary<string>, piece: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(20), put: piece });
  return fc.tuple(sample, fc.array(edit, { minLength: 1, maxLength: 4 })).map(([text, edits]) =>
    edits.reduce((now, { at, cut, put }) => {
      const place = Math.floor(at * now.length);
      return now.slice(0, place) + put + now.slice(place + cut);
    }, text),
  );
}

/** Bytes as data: a sample with some overwritten, and an end cut off. */
export interface Bytes {
  readonly sample: number;
  readonly edits: readonly (readonly [place: number, byte: number])[];
  readonly length: number;
}

export function bytes(samples: readonly Uint8Array[]): fc.Arbitrary<Bytes> {
  const longest = Math.max(...samples.map(({ length }) => length));
  const edit = fc.tuple(fc.nat(longest - 1), fc.oneof(fc.constantFrom(0, 1, 127, 128, 255), fc.nat(255)));
  const length = fc.oneof({ weight: 3, arbitrary: fc.constant(longest) }, fc.nat(longest));
  return fc.record({ sample: fc.nat(samples.length - 1), edits: fc.array(edit, { maxLength: 6 }), length });
}

export function bytesOf({ sample, edits, length }: Bytes, samples: readonly Uint8Array[]): Uint8Array {
  const result = samples[sample]!.slice(0, length);
  for (const [place, byte] of edits) if (place < result.length) result[place] = byte;
  return result;
}

/** Values that JSON can hold and code forgets. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'x', [], {}, 0, -1, 0.5, 1e9, 2 ** 53, 1e308, -1e308, 5e-324, [null], {
    a: 1,
  }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A JSON value in which one or two places are replaced or removed. */
export interface Damage {
  readonly places: readonly { readonly at: number; readonly value: unknown; readonly remove: boolean }[];
}

export const damage: fc.Arbitrary<Damage> = fc.record({
  places: fc.array(
    fc.record({ at: fc.double({ min: 0, max: 0.999, noNaN: true }), value: hostileValue, remove: fc.boolean() }),
    { minLength: 1, maxLength: 2 },
  ),
});

/** Applies it to a copy. */
export function damaged(value: unknown, { places }: Damage): unknown {
  const root = { value: structuredClone(value) };
  for (const { at, value: put, remove } of places) {
    const all = placesIn(root);
    const [owner, key] = all[Math.floor(at * all.length)]!;
    if (remove && owner !== root) Array.isArray(owner) ? owner.splice(Number(key), 1) : delete owner[key];
    else owner[key] = put;
  }
  return root.value;
}

type Container = Record<string, unknown>;

function placesIn(root: object): [owner: Container, key: string][] {
  const places: [Container, string][] = [];
  const visit = (owner: Container) => {
    for (const [key, value] of Object.entries(owner)) {
      places.push([owner, key]);
      if (typeof value === 'object' && value !== null) visit(value as Container);
    }
  };
  visit(root as Container);
  return places;
}
