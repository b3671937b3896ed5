/** The ports agree with recorded runs of the published package. */
import { readFileSync } from 'node:fs';
import type { Generator } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { BlackjackEnv, type BlackjackInfo } from './blackjack.js';
import { EZPointsEnv } from './ez-points.js';
import { NumberLineEnv } from './number-line.js';
import { Points24Env } from './points24.js';

type Row = [reward: number, terminated: 0 | 1, truncated: 0 | 1, state: unknown];

interface Recording {
  seed: number;
  reset: Record<string, unknown>;
  second_reset_no_seed: Record<string, unknown>;
  rng_after_reset: { state: string; inc: string; has_uint32: number; uinteger: number };
  runs: Record<string, { actions: number[]; steps: Row[] }>;
}

const file = new URL('../../../../../test/golden/gym-cards.json', import.meta.url);
const golden = JSON.parse(readFileSync(file, 'utf8')).envs as Record<string, Recording[]>;

const GAMES = [
  { id: 'gym_cards/NumberLine-v0', make: () => new NumberLineEnv(), state: (info: object) => pick(info, 'Current') },
  { id: 'gym_cards/EZPoints-v0', make: () => new EZPointsEnv(), state: formulaText },
  { id: 'gym_cards/Points24-v0', make: () => new Points24Env(), state: formulaText },
  { id: 'gym_cards/Blackjack-v0', make: () => new BlackjackEnv(), state: (info: object) => info },
] as const;

describe.each(GAMES)('$id', ({ id, make, state }) => {
  describe.each(golden[id]!)('seed $seed', ({ seed, reset, runs, second_reset_no_seed: second }) => {
    it('deals the recorded episode, and without a seed the recorded next one', () => {
      const env = make();
      expect(env.reset({ seed }).info).toEqual(withTaskKey(reset));
      expect(env.reset().info).toEqual(withTaskKey(second));
    });

    it.each(Object.entries(runs))('agrees on the run "%s"', (_, { actions, steps }) => {
      const env = make();
      env.reset({ seed });
      const rows = actions.map((action) => {
        const { reward, terminated, truncated, info } = env.step(action);
        return [reward, Number(terminated), Number(truncated), state(info)];
      });
      expect(rows).toEqual(steps);
    });
  });
});

describe('gym_cards/Blackjack-v0', () => {
  it.each(golden['gym_cards/Blackjack-v0']!)('leaves the generator in the recorded state, seed $seed', (recording) => {
    const env = new BlackjackEnv();
    env.reset({ seed: recording.seed });
    const { generator } = env.snapshot().state as { generator: ReturnType<Generator['getState']> };
    const { state, inc, has_uint32: hasUint32, uinteger } = recording.rng_after_reset;
    expect(generator).toMatchObject({ state, inc, hasUint32: Boolean(hasUint32), uinteger });
  });

  const rows = golden['gym_cards/Blackjack-v0?is_pixel=False'] as unknown as {
    seed: number;
    obs: number[];
    after_hit: [number[], number, boolean];
  }[];
  it.each(rows)('observes the recorded totals without pictures, seed $seed', ({ seed, obs, after_hit: afterHit }) => {
    const env = new BlackjackEnv({ isPixel: false });
    expect(env.reset({ seed }).observation).toEqual(obs);
    const { observation, reward, terminated } = env.step(1);
    expect([observation, reward, terminated]).toEqual(afterHit);
  });
});

describe('gym_cards/Points24-v0 with court cards as 11, 12, 13', () => {
  it.each(golden['gym_cards/Points24-v0?treat_face_cards_as_10=False']!)('deals seed $seed', ({ seed, reset }) => {
    expect(new Points24Env({ treatFaceCardsAs10: false }).reset({ seed }).info).toEqual(withTaskKey(reset));
  });
});

/** The published info of a reset, and the one entry that it does not have. */
function withTaskKey(info: Record<string, unknown>): Record<string, unknown> {
  return { ...info, taskKey: expect.any(String) };
}

function formulaText(info: object): string {
  return (pick(info, 'Formula') as unknown[]).join('');
}

function pick(info: object, key: string): unknown {
  return (info as BlackjackInfo & Record<string, unknown>)[key];
}
