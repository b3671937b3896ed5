import type { RgbImage } from '@vlgym/core';
import { hashImage } from '@vlgym/core/images';
import { describe, expect, it } from 'vitest';
import { drawCard } from '../art/card-art.js';
import { BlackjackEnv, BlackjackV1Env } from '../games/blackjack.js';
import { EZPointsEnv } from '../games/ez-points.js';
import { NumberLineEnv } from '../games/number-line.js';
import { Points24Env } from '../games/points24.js';
import type { Size } from './canvas.js';

const DECK = ['H', 'S', 'D', 'C'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => suit + rank));

const SIZES: readonly Size[] = [
  { height: 300, width: 300 },
  { height: 84, width: 112 },
  { height: 84, width: 224 },
  { height: 56, width: 28 },
  { height: 16, width: 16 },
  { height: 181, width: 997 },
];

const GAMES = {
  NumberLine: (size: Size) => new NumberLineEnv({ size }),
  EZPoints: (size: Size) => new EZPointsEnv({ size }),
  Points24: (size: Size) => new Points24Env({ size }),
  Blackjack: (size: Size) => new BlackjackEnv({ size }),
  'Blackjack-v1': (size: Size) => new BlackjackV1Env({ size }),
};

type Game = { reset(options: object): { observation: unknown }; step(action: number): { observation: unknown } };

/** The pictures of an episode. */
function pictures(env: Game, seed: number, actions: readonly number[]): RgbImage[] {
  const first = env.reset({ seed }).observation;
  return [first, ...actions.map((action) => env.step(action).observation)] as RgbImage[];
}

describe('cards', () => {
  it.each([
    [135, 189],
    [67, 93],
    [24, 40],
    [14, 20],
  ])('are 53 different pictures at %i x %i', (width, height) => {
    const hashes = [...DECK, 'back'].map((name) => hashImage(drawCard(name, width, height)));
    expect(new Set(hashes).size).toBe(53);
  });

  it('are red for hearts and diamonds, black for spades and clubs', () => {
    const isRed = (name: string) => {
      const { data } = drawCard(name, 135, 189);
      let [red, black] = [0, 0];
      for (let i = 0; i < data.length; i += 3) {
        if (data[i]! > 150 && data[i + 1]! < 60) red += 1;
        if (data[i]! < 60 && data[i + 1]! < 60) black += 1;
      }
      return red > black;
    };
    for (const name of DECK) expect(isRed(name)).toBe(name.startsWith('H') || name.startsWith('D'));
  });
});

describe.each(Object.entries(GAMES))('pictures of %s', (name, make) => {
  const actions = name.startsWith('Blackjack') ? [1, 1, 1, 1, 1, 1] : [1, 0, 1, 1, 0, 1];

  it.each(SIZES)('have the asked size and the same bytes for the same episode: $height x $width', (size) => {
    const hashes = (env: Game) => pictures(env, 11, actions).map(hashImage);
    const [first, again] = [hashes(make(size)), hashes(make(size))];
    expect(again).toEqual(first);
    for (const { height, width } of pictures(make(size), 12, actions)) expect({ height, width }).toEqual(size);
  });

  it('do not depend on earlier episodes', () => {
    const size = { height: 300, width: 300 };
    const used = make(size);
    for (let seed = 0; seed < 20; seed += 1) pictures(used, seed, actions);
    const hashes = (env: Game) => pictures(env, 3, actions).map(hashImage);
    expect(hashes(used)).toEqual(hashes(make(size)));
  });

  it('belong to the caller: later steps do not change them, and changes to them do not affect later pictures', () => {
    const size = { height: 84, width: 112 };
    const untouched = pictures(make(size), 5, actions).map(hashImage);
    const env = make(size);
    const kept = pictures(env, 5, actions);
    expect(kept.map(hashImage)).toEqual(untouched);
    for (const { data } of kept) data.fill(0);
    const spoiling = [env.reset({ seed: 5 }).observation as RgbImage];
    const after = [hashImage(spoiling[0]!)];
    for (const action of actions) {
      spoiling.at(-1)!.data.fill(7);
      spoiling.push(env.step(action).observation as RgbImage);
      after.push(hashImage(spoiling.at(-1)!));
    }
    expect(after).toEqual(untouched);
  });
});

it('a picture fills an ArrayBuffer of its own, so that it can be transferred', () => {
  const env = new NumberLineEnv();
  const { data } = env.reset({ seed: 1 }).observation;
  expect(data.constructor).toBe(Uint8Array);
  expect([data.byteOffset, data.buffer.byteLength]).toEqual([0, 300 * 300 * 3]);
  structuredClone(data, { transfer: [data.buffer as ArrayBuffer] });
  expect(data).toHaveLength(0);
  expect(env.step(1).observation.data).toHaveLength(300 * 300 * 3);
});

describe('the visible content', () => {
  const size = { height: 84, width: 112 };
  const hashOf = (env: Game) => hashImage(env.reset({ seed: 0 }).observation as RgbImage);
  const withCards = (cards: string[]) => ({
    reset: () => new EZPointsEnv({ size }).reset({ options: { cards } }),
    step: () => ({ observation: undefined }),
  });

  it('distinguishes all hands of EZPoints at 84 x 112', () => {
    const hands = DECK.flatMap((first) => [
      [first, 'H7'],
      ['H7', first],
    ]);
    expect(new Set(hands.map((cards) => hashOf(withCards(cards)))).size).toBe(2 * 52 - 1);
  });

  it('distinguishes all formulas of a hand, and shows only a blank for an illegal number in -v0', () => {
    const env = new Points24Env({ size });
    env.reset({ options: { cards: ['H3', 'S3', 'D8', 'C8'] } });
    const seen = [10, 2, 10, 2, 12, 7, 13, 7, 14, 15].map((action) => hashImage(env.step(action).observation));
    expect(new Set(seen).size).toBe(seen.length);
    const beforeBlank = env.step(10).observation;
    const afterBlank = env.step(4).observation;
    expect(hashImage(beforeBlank)).toBe(hashImage(afterBlank));
  });

  it.each(SIZES)('of a formula is the same letter by letter as written at once: $height x $width', (size) => {
    const played = new Points24Env({ size });
    const restored = new Points24Env({ size, renderMode: 'rgb_array' });
    played.reset({ options: { cards: ['H3', 'S3', 'D8', 'C8'] } });
    for (const action of [14, 2, 12, 7, 15, 10, 7, 11, 4, 14, 2, 13, 9, 15, 10, 14, 12, 15, 11]) {
      const { observation } = played.step(action);
      restored.restore(played.snapshot());
      expect(hashImage(restored.render() as RgbImage)).toBe(hashImage(observation));
    }
  });

  it('omits a fifth card in the published Blackjack picture and shows it in -v1', () => {
    const seed = seedOfLongHand();
    const lastTwo = (env: Game) => pictures(env, seed, [1, 1, 1]).slice(2).map(hashImage);
    const [published, publishedAfterFifth] = lastTwo(new BlackjackEnv());
    expect(publishedAfterFifth).toBe(published);
    const [corrected, correctedAfterFifth] = lastTwo(new BlackjackV1Env());
    expect(correctedAfterFifth).not.toBe(corrected);
  });
});

/** A seed for which three hits do not bust. */
function seedOfLongHand(): number {
  const env = new BlackjackEnv({ isPixel: false });
  for (let seed = 0; ; seed += 1) {
    env.reset({ seed });
    if ([1, 1, 1].every((action) => !env.step(action).terminated)) return seed;
  }
}
