/** JSON as strangers write it: places of a file replaced, removed, or made large, deep or odd. */
import type { Generator } from '@vlgym/core';

type Container = Record<string, unknown>;

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const NUMBERS = [0, -1, 0.5, 1e-320, 3, 1e5, 1e9, 2 ** 31, 2 ** 53, 1e308, -1e308];
const OTHERS: readonly unknown[] = [null, true, '', '__proto__', '3', 'NaN', [], {}, [null], { length: 1e9 }];

/** Any value. */
export function odd(rng: Generator): unknown {
  const large = (): unknown => Array.from({ length: 100_000 }, (_, index) => index);
  return rng.choice<() => unknown>([
    () => rng.choice(NUMBERS),
    () => rng.choice(NUMBERS),
    () => rng.choice(OTHERS),
    () => deep(rng.choice([10, 3000])),
    () => 'x'.repeat(rng.choice([1000, 2_000_000])),
    large,
  ])();
}

function placesIn(value: unknown, places: [Container, string][] = []): [Container, string][] {
  if (typeof value !== 'object' || value === null) return places;
  for (const [key, each] of Object.entries(value)) {
    places.push([value as Container, key]);
    placesIn(each, places);
  }
  return places;
}

/** Changes one to three places of an object, which is not copied. @returns their names. */
export function spoil(rng: Generator, value: object): string[] {
  return Array.from({ length: rng.integers(1, 4) }, () => {
    const [owner, key] = rng.choice(placesIn(value));
    const kind = rng.integers(5);
    const old = owner[key];
    if (kind === 0) delete owner[key];
    else if (kind === 1 && typeof old === 'number') owner[key] = rng.choice(NUMBERS);
    else if (kind === 2 && Array.isArray(old)) owner[key] = [...old, ...old, odd(rng)];
    else if (kind === 3 && !Array.isArray(owner))
      owner[rng.choice(['__proto__ ', 'constructor', 'toString', 'length'])] = odd(rng);
    else owner[key] = odd(rng);
    return key;
  });
}
