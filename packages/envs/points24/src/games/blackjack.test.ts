import { Generator } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlackjackEnv, BlackjackV1Env } from './blackjack.js';
import { type BlackjackCard, drawCard, isNatural, isSoft, score, total } from './blackjack-hand.js';

const hand = (...values: number[]): BlackjackCard[] => values.map((value) => [value, String(value), 'S']);

describe('totals', () => {
  it.each([
    [[1, 1], 12, true],
    [[1, 10], 21, true],
    [[1, 10, 10], 21, false],
    [[10, 6], 16, false],
    [[1, 5, 5], 21, true],
    [[10, 10, 2], 22, false],
  ])('counts %j as %i, soft: %s', (values, points, soft) => {
    expect(total(hand(...values))).toBe(points);
    expect(isSoft(hand(...values))).toBe(soft);
    expect(score(hand(...values))).toBe(points > 21 ? 0 : points);
  });

  it('distinguishes a natural from three cards that make 21', () => {
    expect(isNatural(hand(10, 1))).toBe(true);
    expect(isNatural(hand(5, 5, 1))).toBe(false);
  });

  it('never shows a ten', () => {
    const generator = new Generator(0);
    const faces = new Set(Array.from({ length: 500 }, () => drawCard(generator)[1]));
    expect([...faces].sort()).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', 'A', 'J', 'K', 'Q']);
  });
});

/** The first seed whose hands fulfill a condition. */
function seedWhere(condition: (player: BlackjackCard[], dealer: BlackjackCard[], seed: number) => boolean): number {
  const env = new BlackjackEnv({ isPixel: false });
  for (let seed = 0; ; seed += 1) {
    const { info } = env.reset({ seed });
    if (condition(info['Player Card'], info['Dealer Card'], seed)) return seed;
  }
}

describe('Blackjack', () => {
  it('ignores naturals in -v0, as published, and counts them in -v1', () => {
    const winning = seedWhere((player, dealer) => isNatural(player) && !isNatural(dealer) && total(dealer) >= 17);
    const stand = (env: BlackjackEnv) => {
      env.reset({ seed: winning });
      return env.step(0).reward;
    };
    expect(stand(new BlackjackEnv({ natural: true }))).toBe(1);
    expect(stand(new BlackjackV1Env())).toBe(1);
    expect(stand(new BlackjackV1Env({ natural: true }))).toBe(1.5);
    expect(stand(new BlackjackV1Env({ natural: true, sab: true }))).toBe(1);
  });

  it('with `sab` a natural wins against 21 with more cards', () => {
    const standing = (env: BlackjackEnv, seed: number) => {
      env.reset({ seed });
      return env.step(0).reward;
    };
    const tie = seedWhere(
      (player, dealer, seed) =>
        isNatural(player) && !isNatural(dealer) && standing(new BlackjackEnv({ isPixel: false }), seed) === 0,
    );
    expect(standing(new BlackjackV1Env({ sab: true }), tie)).toBe(1);
  });

  it('reports a usable ace in -v1 only', () => {
    const seed = seedWhere((player) => isSoft(player));
    const totals = (env: BlackjackEnv) => env.reset({ seed }).observation as number[];
    expect(totals(new BlackjackEnv({ isPixel: false }))[2]).toBe(0);
    expect(totals(new BlackjackV1Env({ isPixel: false }))[2]).toBe(1);
  });

  it("rewards a stand by the dealer's final hand, a bust with -1, and any other step with 0", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(6), (seed, hits) => {
        const env = new BlackjackEnv();
        env.reset({ seed });
        for (let hit = 0; hit < hits; hit += 1) {
          const { reward, terminated, info } = env.step(1);
          const bust = total(info['Player Card']) > 21;
          expect([reward, terminated]).toEqual([bust ? -1 : 0, bust]);
          if (bust) return;
        }
        const { reward, terminated, info } = env.step(0);
        const [player, dealer] = [info['Player Card'], info['Dealer Card']];
        expect(total(dealer)).toBeGreaterThanOrEqual(17);
        expect([reward, terminated]).toEqual([Math.sign(score(player) - score(dealer)), true]);
      }),
    );
  });

  it('is played optimally by its expert: within the noise of the known -0.046 per hand', () => {
    const env = new BlackjackEnv({ isPixel: false });
    env.reset({ seed: 0 });
    let sum = 0;
    const hands = 20_000;
    for (let played = 0; played < hands; played += 1) {
      let step = env.step(env.oracle());
      while (!step.terminated) step = env.step(env.oracle());
      sum += step.reward;
      env.reset();
    }
    expect(Math.abs(sum / hands + 0.046)).toBeLessThan(0.03);
  });

  it('draws the table as text with the hidden card face down', () => {
    const env = new BlackjackEnv({ renderMode: 'ansi' });
    env.reset({ seed: 0 });
    expect(env.render()).toBe(
      [
        'Dealer',
        '╭────╮ ╭────╮',
        '│ Q♥ │ │ ░░ │',
        '╰────╯ ╰────╯',
        'Player: 12',
        '╭────╮ ╭────╮',
        '│ A♣ │ │ A♣ │',
        '╰────╯ ╰────╯',
        '',
      ].join('\n'),
    );
  });
});
