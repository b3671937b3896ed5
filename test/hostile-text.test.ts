/**
 * Text from outside never holds the process: a parser's time grows with the text, not with its square.
 *
 * Each parser first gets 4,000 characters of every shape. The three that took longest then get a megabyte. Less than a
 * second passes; on a slow machine, four times the text has to take less than eight times as long.
 */
import { expect, it } from 'vitest';
import { PARSERS } from './support/outside-parsers.js';

/** Repeated to fill a text. */
const PIECES = [
  ...[' ', '\t', '\n', '\r', '\r\n', '\u00a0', '\u2028', '\ufeff', '\u200b', '\u200d', '\u0301', '\ufe0f'],
  ...['7', '1.', '.', ',', ':', '-', '_', '/', '$', '%', '%20', '#', '&', '+', '* ', '^', '!'],
  ...['[', ']', '{', '}', '(', ')', '<', '"', "'", '\\', '\\"', '"""', '::', '//', '//\n', '#\n', '\n#', '\r\t'],
  ...['a', 'A b ', 'é', 'Σ', 'İ', '東', 'あ', 'カ', '\ud83d', '😀', '😀\u200d', '🇦', '1\u20e3', '_\u0301', '#\u200d'],
  ...[
    '<a',
    '<action>',
    '</action>',
    '<tool_call>',
    '"action"',
    '"action": ',
    '"action',
    'action',
    '"name":"x"',
    '"query": "',
  ],
  ...['click[', 'search[', 'stop[', '[{', '{a', '{"a":', "'a',", "'a'+", 'a|b', 'a(', '(not ', 'or ', 'a+', '"a\\'],
  ...['go to cabinet ', 'go to cabinet 1', 'look ', ' from ', ' in/on ', 'Your task is to: ', '\\Your task is to: '],
  ...['NaN', '-Infinity', 'NaN"', 'I\\"I', '<link ', 'x-large '],
];
/** The text before and after the payload. */
const FRAMES = [
  ['', ''],
  ['a', 'b'],
  ['é ', ' é'],
  ['1', '..'],
  ['x', '\n'],
] as const;

const SHAPES = PIECES.flatMap((piece) =>
  FRAMES.map(
    ([before, behind]) =>
      (size: number) =>
        before + piece.repeat(Math.ceil(size / piece.length)) + behind,
  ),
);
const SIZE = 1_000_000;
/** Milliseconds that pass at once. */
const QUICK = 1000;
/** Four times the text: 4 if the time is linear, 16 if it is quadratic. */
const GROWTH = 8;

/** Milliseconds of the processor, not of the clock. A refusal has to be meant. */
async function timeOf(parse: (text: string) => unknown, text: string): Promise<number> {
  const start = process.cpuUsage();
  try {
    await parse(text);
  } catch (error) {
    expect(['RangeError', 'TypeError', 'ReferenceError']).not.toContain((error as Error).constructor.name);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

it.each(Object.entries(PARSERS))('%s: no more than its share of time for a megabyte', async (_, parse) => {
  const timeOfTwo = async (text: string) => Math.min(await timeOf(parse, text), await timeOf(parse, text));
  const slowest: [milliseconds: number, shape: (typeof SHAPES)[number]][] = [];
  for (const shape of SHAPES) slowest.push([await timeOf(parse, shape(4_000)), shape]);
  slowest.sort(([a], [b]) => b - a);
  for (const [, shape] of slowest.slice(0, 3)) {
    const text = shape(SIZE);
    const whole = await timeOf(parse, text);
    if (whole < QUICK) continue;
    const quarter = await timeOfTwo(shape(SIZE / 4));
    expect(Math.min(whole, await timeOf(parse, text)) / quarter, JSON.stringify(text.slice(0, 40))).toBeLessThan(
      GROWTH,
    );
  }
});
