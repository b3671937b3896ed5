import type { EnvSnapshot } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { BlackjackV1Env } from './blackjack.js';
import { EZPointsV1Env } from './ez-points.js';
import { NumberLineEnv } from './number-line.js';
import { Points24V1Env } from './points24.js';

const refused = expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' });

/** A copy of the snapshot with the part at `path` replaced. */
function changed({ kind, state }: EnvSnapshot, path: string, value: unknown): EnvSnapshot {
  const copy = structuredClone(state) as object;
  const keys = path.split('.');
  const holder = keys.slice(0, -1).reduce<object>((at, key) => Reflect.get(at, key), copy);
  Reflect.set(holder, keys.at(-1)!, value);
  return { kind, state: copy };
}

it('a dealer card of -1e308 in a snapshot is refused (the dealer drew forever)', () => {
  const env = new BlackjackV1Env();
  env.reset({ seed: 1 });
  const good = env.snapshot();
  expect(() => env.restore(changed(good, 'hands.dealer.0', [-1e308, 'K', 'S']))).toThrow(refused);
  expect(env.snapshot()).toEqual(good);
  expect(env.step(0).terminated).toBe(true);
});

type Game = BlackjackV1Env | NumberLineEnv | EZPointsV1Env | Points24V1Env;

const DAMAGES: readonly (readonly [
  name: string,
  make: () => Game,
  parts: readonly (readonly [path: string, value: unknown])[],
])[] = [
  [
    'Blackjack',
    () => new BlackjackV1Env(),
    [
      ['hands.player', []],
      ['hands.player', new Array(1e5).fill([1, 'A', 'S'])],
      ['hands.player.0', [10, 'A', 'S']],
      ['hands.player.0', [5, '5', 'X']],
      ['hands', 'x'],
      ['generator', null],
      ['generator.inc', '0'],
    ],
  ],
  [
    'NumberLine',
    () => new NumberLineEnv({ maxPosition: 5 }),
    [
      ['position.current', 6],
      ['position.target', -1],
      ['position.current', 0.5],
      ['position.steps', -1],
      ['random', {}],
    ],
  ],
  [
    'Points24',
    () => new Points24V1Env(),
    [
      ['table.cards', ['H1', 'S3', 'D8', 'C8']],
      ['table.cards', ['HA']],
      ['table.numbers.0', 99],
      ['table.target', 25],
      ['table.formula', new Array(1e5).fill(1)],
      ['table.formula', ['**']],
      ['table.steps', null],
      ['random.words', []],
    ],
  ],
  [
    'EZPoints',
    () => new EZPointsV1Env(),
    [
      ['table.formula', ['-']],
      ['table.numbers', [1, 2, 3]],
    ],
  ],
];

describe.each(DAMAGES)('a damaged snapshot of %s', (_, make, damages) => {
  it.each(damages)('is refused if %s is %j, without changes, and valid ones are accepted', (path, value) => {
    const env = make();
    env.reset({ seed: 3 });
    env.step(0);
    const good = env.snapshot();
    expect(() => env.restore(changed(good, path, value))).toThrow(refused);
    expect(env.snapshot()).toEqual(good);
    env.restore(good);
    expect(env.snapshot()).toEqual(good);
  });
});
