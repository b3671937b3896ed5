/** Two runs never share a name: neither on a queue nor on a disk. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runName } from '../experiment/run-name.js';
import { runNameFrom } from './options.js';

/** Names that `@vlgym/queue` accepts. */
const ALLOWED = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const words = fc.string({
  unit: fc.constantFrom('a', 'b', '0', '1', '.', '-', '_', ':', '/'),
  minLength: 1,
  maxLength: 9,
});

describe('the name of a run on a queue', () => {
  it('of the variants clip0.1 and clip0-1 is not the same', () => {
    const names = ['vl-dac:clip0.1-0', 'vl-dac:clip0-1-0', 'vl-dac:clip0_1-0'].map((name) =>
      runNameFrom('bench', 'vlgym/EZPoints-v1', name),
    );
    expect(new Set(names).size).toBe(3);
  });

  it('is another one for other parts, and one that a key can hold', () => {
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 3 }),
        fc.array(words, { minLength: 1, maxLength: 3 }),
        (a, b) => {
          expect(runNameFrom(...a)).toMatch(ALLOWED);
          if (JSON.stringify(a) !== JSON.stringify(b)) expect(runNameFrom(...a)).not.toBe(runNameFrom(...b));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['demo', 'demo'],
    ['vl-dac_wide-0', 'vl-dac_wide-0'],
    ['a'.repeat(80), expect.stringMatching(/^a{53}-[0-9a-f]{10}$/)],
    ['..', expect.stringMatching(/^run-[0-9a-f]{10}$/)],
  ])('%s is %s', (given, name) => expect(runNameFrom(given)).toEqual(name));
});

describe('the folder of a run', () => {
  it('is another one for another algorithm or variant', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        if (a !== b) expect(runName({ algorithm: a, seed: 0 })).not.toBe(runName({ algorithm: b, seed: 0 }));
      }),
      { numRuns: 5000 },
    );
    const [first, second] = ['vl-dac:a_b', 'vl-dac_a:b'].map((algorithm) => runName({ algorithm, seed: 3 }));
    expect([first, second]).toEqual(['vl-dac_a_b-3', expect.stringMatching(/^vl-dac_a_b-[0-9a-f]{10}-3$/)]);
  });
});
