/** Steps of a decoder in float32, which has loops of its own for few rows, against float64, which has not; and its last token. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Tensor, tensor, tidy, zeros } from '../index.js';
import {
  decoder,
  type Found,
  first,
  GROUPS,
  HIDDEN,
  hidden,
  LENGTH,
  MOST_ROWS,
  numbers,
  scores,
  WIDTH,
} from './decoder.test-helper.js';

describe.each([1, 2, 3, 4, 5, 8, 11, 16, 17, MOST_ROWS])('a token of %d rows in float32', (count) => {
  it.each([
    ['an empty cache', { length: 0, hidden: null }],
    ['a cache', { length: LENGTH, hidden: null }],
    ['columns that a mask hides', { length: LENGTH, hidden }],
  ])('has the scores of float64, with %s', (_, step) => {
    const exact = scores('float64', { ...step, rows: first(count) });
    const found = scores('float32', { ...step, rows: first(count) });
    for (const [row, expected] of exact.entries()) {
      for (const [i, score] of expected.entries()) expect(Math.abs(found[row]![i]! - score)).toBeLessThan(1e-4);
    }
  });
});

/** Features of the first processor; empty if they cannot be read. */
const flags =
  process.platform === 'linux' ? (readFileSync('/proc/cpuinfo', 'utf8').match(/^flags.*$/m)?.[0] ?? '') : '';

describe.each([
  ['the widest registers', undefined, /\bavx2\b/.test(flags)],
  ['AVX2', 'avx2', /\bavx2\b/.test(flags)],
  ['neither', 'default', false],
])('with %s', (_, capability, hasLoops) => {
  it.skipIf(capability === 'avx2' && !hasLoops)(
    'steps have the scores of float64, and rows do not depend on others where loops compute them',
    () => {
      const helper = fileURLToPath(new URL('decoder.test-helper.ts', import.meta.url));
      const env = { ...process.env, ATEN_CPU_CAPABILITY: capability };
      const output = execFileSync(process.execPath, ['--import', 'tsx', helper], { env, encoding: 'utf8' });
      const { distance, isIndependent } = JSON.parse(output) as Found;
      expect(distance).toBeLessThan(1e-4);
      if (hasLoops) expect(isIndependent).toBe(true);
    },
  );
});

describe('the last token alone', () => {
  const TOKENS = 5;

  interface Prompt {
    readonly lastOnly: boolean;
    readonly isMasked: boolean;
    readonly hasAdded: boolean;
    readonly before: number;
  }

  /** The output of a prompt of two rows behind `before` columns, and the contents of the cache afterwards. */
  function read({ lastOnly, isMasked, hasAdded, before }: Prompt): { states: Tensor; cached: number[] } {
    using made = decoder('float64');
    const x = (seed: number) => numbers(seed, 'float64', 2, TOKENS, HIDDEN);
    const cached = [4, 5, 6, 7].map((seed) => numbers(seed, 'float64', 2, GROUPS, before + TOKENS, WIDTH));
    const causal = Array.from({ length: TOKENS * (before + TOKENS) }, (_, i) => {
      const [query, key] = [Math.floor(i / (before + TOKENS)), i % (before + TOKENS)];
      return key > before + query || key === 0 ? Number.NEGATIVE_INFINITY : 0;
    });
    const mask = tensor([...causal, ...causal], { shape: [2, 1, TOKENS, before + TOKENS], dtype: 'float64' });
    const angles = numbers(3, 'float64', 1, TOKENS, 1, WIDTH);
    const context = { cos: angles.cos(), sin: angles.sin(), mask: isMasked ? mask : null };
    const cache = { keys: cached.slice(0, 2), values: cached.slice(2), length: before };
    const states = made.forward(x(8), { ...context, cache }, { lastOnly, added: hasAdded ? [x(9), x(10)] : [] });
    return { states, cached: cached.flatMap((each) => each.toNumbers()) };
  }

  it.each([
    ['without a mask', { isMasked: false, hasAdded: false, before: 0 }],
    ['with a mask behind a cache', { isMasked: true, hasAdded: false, before: 3 }],
    ['with features added to each layer', { isMasked: true, hasAdded: true, before: 2 }],
  ])('is the last of all, %s, and fills the cache as they do', (_, prompt) => {
    tidy(() => {
      const all = read({ ...prompt, lastOnly: false });
      const last = read({ ...prompt, lastOnly: true });
      expect(last.states.shape).toEqual([2, 1, HIDDEN]);
      const difference = last.states.sub(all.states.narrow(1, TOKENS - 1, 1));
      expect(difference.abs().max().item()).toBeLessThan(1e-12);
      expect(last.cached).toEqual(all.cached);
    });
  });
});

it('prompts of more tokens than an MLP takes at once have the states of a forward without a cache, which takes all', () => {
  tidy(() => {
    using made = decoder('float64');
    const [rows, tokens] = [1100, 4];
    const x = numbers(8, 'float64', rows, tokens, HIDDEN);
    const angles = numbers(3, 'float64', 1, tokens, 1, WIDTH);
    const context = { cos: angles.cos(), sin: angles.sin(), mask: null };
    const entry = () => zeros([rows, GROUPS, tokens, WIDTH], { dtype: 'float64' });
    const cache = { keys: [entry(), entry()], values: [entry(), entry()], length: 0 };
    const difference = made.forward(x, { ...context, cache }).sub(made.forward(x, context));
    expect(difference.abs().max().item()).toBeLessThan(1e-10);
  });
});
