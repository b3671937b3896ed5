import { checkEnv, declaredEnvironments, make, type RgbImage } from '@vlgym/core';
import { Generator } from '@vlgym/core/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { CANARY_COLORS, type CanaryCounts, CanaryEnv, canaryVerdict } from './index.js';

describe('vlgym/Canary-v1', () => {
  it('is registered and meets the contract of every environment', async () => {
    expect(declaredEnvironments(manifest)).toEqual(['vlgym/Canary-v1']);
    const report = await checkEnv(() => make('vlgym/Canary-v1', { options: { size: 28 } }), { steps: 25 });
    expect(report.findings).toEqual([]);
  });

  it('shows the answer nowhere but in the picture', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        const env = new CanaryEnv();
        const words = [one, other].map((seed) => {
          const { info, observation } = env.reset({ seed });
          const content = env.dialogue.prompt({ observation, info, history: [] })[0]!.content;
          return JSON.stringify([info, (content as object[])[1]]);
        });
        expect(words[0]).toBe(words[1]);
      }),
      { numRuns: 50 },
    );
  });

  it('rewards the color of the picture, counts that of the one before, and ends after its turns', () => {
    const env = new CanaryEnv({ turns: 4 });
    env.reset({ seed: 3 });
    const rewards: number[] = [];
    let late = 0;
    let before: number | undefined;
    for (let turn = 0; turn < 4; turn++) {
      const color = env.oracle();
      const answer = turn % 2 ? (before ?? 0) : color;
      late += Number(answer === before);
      const { reward, terminated, info } = env.step(answer);
      rewards.push(reward);
      expect(terminated).toBe(turn === 3);
      expect(info.canary).toEqual({ turns: turn + 1, current: rewards.reduce((a, b) => a + b, 0), previous: late });
      before = color;
    }
    expect(() => env.step(0)).toThrow(expect.objectContaining({ code: 'RESET_NEEDED' }));
  });

  it('paints every place and color with the same number of pixels', () => {
    const env = new CanaryEnv();
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      const { data } = env.reset({ seed }).observation;
      seen.add(`${env.oracle()} ${data.filter((byte) => byte === 235).length}`);
    }
    expect([...seen].sort()).toEqual(CANARY_COLORS.map((_, color) => `${color} ${(56 * 56 - 28 * 28) * 3}`));
  });
});

describe('canaryVerdict', () => {
  const counts = (turns: number, current: number, previous: number): CanaryCounts => ({ turns, current, previous });

  it.each<[verdict: string, episodes: CanaryCounts[]]>([
    ['cannot tell', []],
    ['cannot tell', [counts(8, 2, 2)]],
    ['cannot tell', [counts(8, 4, 1)]],
    ['pixels arrive', [counts(400, 160, 100)]],
    ['no sight', [counts(400, 100, 100)]],
    ['one step late', [counts(400, 100, 390)]],
    ['cannot tell', [counts(400, 132, 100)]],
  ])('%s: %j', (verdict, episodes) => {
    expect(canaryVerdict(episodes).verdict).toBe(verdict);
  });

  it.each([counts(8, 9, 0), counts(-1, 0, 0), counts(8, 0.5, 0), counts(Number.NaN, 0, 0)])('refuses %j', (bad) => {
    expect(() => canaryVerdict([bad])).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

/** Between the environment and the learner: which picture the learner gets. */
type Pipeline = (now: RgbImage, before: RgbImage | undefined, other: RgbImage) => RgbImage | undefined;

const healthy: Pipeline = (now) => now;
const broken: Readonly<Record<string, Pipeline>> = {
  'drops pictures': () => undefined,
  'mixes pictures of episodes': (_now, _before, other) => other,
  'is one step late': (_now, before) => before,
};

/** The mean color of what is not background, centered; zeros without a picture. */
function features(image: RgbImage | undefined): number[] {
  const at = image ? image.data.findIndex((byte) => byte !== 235) : -1;
  if (at < 0) return [0, 0, 0, 1];
  const start = at - (at % 3);
  return [...Array.from(image!.data.subarray(start, start + 3), (byte) => byte / 128 - 1), 1];
}

/** Softmax regression, trained by REINFORCE on the reward of each turn: the smallest trainer that can learn this. */
function train(seed: number, pipeline: Pipeline, episodes = 150): CanaryCounts[] {
  const random = new Generator(seed);
  const [env, neighbor] = [new CanaryEnv({ size: 28 }), new CanaryEnv({ size: 28 })];
  const weights = CANARY_COLORS.map(() => [0, 0, 0, 0]);
  return Array.from({ length: episodes }, (_, episode) => {
    let { observation } = env.reset({ seed: seed * 100_000 + episode });
    let other = neighbor.reset({ seed: seed * 100_000 + 50_000 + episode }).observation;
    let before: RgbImage | undefined;
    for (;;) {
      const x = features(pipeline(observation, before, other));
      const scores = weights.map((row) => Math.exp(row.reduce((sum, weight, i) => sum + weight * x[i]!, 0)));
      const total = scores.reduce((a, b) => a + b, 0);
      const draw = random.random() * total;
      const action = scores.findIndex((_, i) => draw < scores.slice(0, i + 1).reduce((a, b) => a + b, 0));
      const { observation: next, reward, terminated, info } = env.step(action);
      weights.forEach((row, a) => {
        const gradient = (reward - 0.25) * (Number(a === action) - scores[a]! / total);
        for (let i = 0; i < x.length; i++) row[i]! += 1.5 * gradient * x[i]!;
      });
      if (terminated) return info.canary;
      other = neighbor.step(0).observation;
      [before, observation] = [observation, next];
    }
  });
}

describe('a trainer whose pictures', () => {
  it('arrive rings in none of 100 runs', { timeout: 60_000 }, () => {
    const verdicts = Array.from({ length: 100 }, (_, seed) => canaryVerdict(train(seed, healthy).slice(-50)).verdict);
    expect(verdicts.filter((verdict) => verdict !== 'pixels arrive')).toEqual([]);
  });

  it.each(Object.entries(broken))('%s is caught in 20 of 20 runs', (_, pipeline) => {
    const verdicts = Array.from({ length: 20 }, (_, seed) => canaryVerdict(train(seed, pipeline).slice(-50)).verdict);
    // a learner may come to follow late pictures, which is caught too
    expect(verdicts.filter((verdict) => !['no sight', 'one step late'].includes(verdict))).toEqual([]);
  });

  it('come one step late is named, once it answers what it sees', () => {
    const env = new CanaryEnv();
    const episodes = Array.from({ length: 10 }, (_, seed) => {
      env.reset({ seed });
      for (let late = 0; ; ) {
        const color = env.oracle();
        const { terminated, info } = env.step(late);
        if (terminated) return info.canary;
        late = color;
      }
    });
    expect(canaryVerdict(episodes).verdict).toBe('one step late');
  });
});
