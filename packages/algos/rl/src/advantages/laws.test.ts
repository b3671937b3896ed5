/** Laws of the estimators (`docs/specs/algorithms.md` 15.9 and 15.12). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GroupAdvantageKind, groupAdvantage, uniformShare } from './group.js';
import { normalize } from './normalize.js';
import { type StepRewards, stepGae } from './step-gae.js';

const number = fc.double({ min: -10, max: 10, noNaN: true });
const closeTo = (values: ArrayLike<number>, digits = 9) => Array.from(values, (value) => expect.closeTo(value, digits));

const steps = fc.integer({ min: 1, max: 12 }).chain((size) => {
  const list = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: size, maxLength: size });
  return fc.record({
    rewards: list(number),
    values: list(number),
    nextValues: list(number),
    terminated: list(fc.boolean()),
    truncated: list(fc.boolean()),
  }) satisfies fc.Arbitrary<StepRewards>;
});
const discount = fc.double({ min: 0, max: 1, noNaN: true });

describe('stepGae', () => {
  it('ignores the next value of a terminated step', () => {
    fc.assert(
      fc.property(steps, discount, discount, number, (data, gamma, lambda, other) => {
        const changed = {
          ...data,
          nextValues: data.nextValues.map((value, i) => (data.terminated[i] ? other : value)),
        };
        expect(stepGae(changed, { gamma, lambda })).toEqual(stepGae(data, { gamma, lambda }));
      }),
    );
  });

  it('bootstraps a truncated step with the value of its real successor', () => {
    const data = { rewards: [1], values: [2], nextValues: [10], terminated: [false], truncated: [true] };
    expect(stepGae(data, { gamma: 0.5, lambda: 1 }).advantages).toEqual(Float64Array.of(1 + 0.5 * 10 - 2));
    const terminal = stepGae(data, { gamma: 0.5, lambda: 1, truncationIsTerminal: true });
    expect(terminal.advantages).toEqual(Float64Array.of(1 - 2));
  });

  it('gives the one-step error with λ = 0', () => {
    fc.assert(
      fc.property(steps, discount, (data, gamma) => {
        const errors = data.rewards.map((reward, i) => {
          return reward + (data.terminated[i] ? 0 : gamma * data.nextValues[i]!) - data.values[i]!;
        });
        expect(Array.from(stepGae(data, { gamma, lambda: 0 }).advantages)).toEqual(closeTo(errors));
      }),
    );
  });

  it('gives the Monte-Carlo return minus the value with λ = 1', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 10 }), discount, number, (rewards, gamma, value) => {
        const size = rewards.length;
        const values = rewards.map((_, i) => value * i);
        const terminated = rewards.map((_, i) => i === size - 1);
        const data = {
          rewards,
          values,
          nextValues: [...values.slice(1), 0],
          terminated,
          truncated: Array(size).fill(false),
        };
        const toGo = rewards.map((_, i) => rewards.slice(i).reduce((sum, reward, k) => sum + gamma ** k * reward, 0));
        const { advantages, returns } = stepGae(data, { gamma, lambda: 1 });
        expect(Array.from(advantages)).toEqual(closeTo(toGo.map((total, i) => total - values[i]!)));
        expect(Array.from(returns)).toEqual(closeTo(toGo));
      }),
    );
  });

  it('lets no reward reach a step before the boundary of its episode', () => {
    fc.assert(
      fc.property(steps, discount, discount, fc.nat(), number, (data, gamma, lambda, pick, other) => {
        const changedAt = pick % data.rewards.length;
        const rewards = data.rewards.map((reward, i) => (i === changedAt ? other : reward));
        const before = stepGae(data, { gamma, lambda }).advantages;
        const after = stepGae({ ...data, rewards }, { gamma, lambda }).advantages;
        const boundary = data.rewards.findLastIndex(
          (_, i) => i < changedAt && (data.terminated[i]! || data.truncated[i]!),
        );
        expect(after.slice(0, boundary + 1)).toEqual(before.slice(0, boundary + 1));
        expect(after.slice(changedAt + 1)).toEqual(before.slice(changedAt + 1));
      }),
    );
  });

  it('keeps environments of a batch apart', () => {
    fc.assert(
      fc.property(steps, steps, discount, discount, (a, b, gamma, lambda) => {
        const size = Math.min(a.rewards.length, b.rewards.length);
        const mixed = Object.fromEntries(
          (['rewards', 'values', 'nextValues', 'terminated', 'truncated'] as const).map((key) => [
            key,
            Array.from({ length: 2 * size }, (_, i) => (i % 2 === 0 ? a : b)[key][Math.floor(i / 2)]!),
          ]),
        ) as unknown as StepRewards;
        const cut = (data: typeof a) =>
          Object.fromEntries(Object.entries(data).map(([key, values]) => [key, values.slice(0, size)])) as typeof a;
        const together = stepGae({ ...mixed, environments: 2 }, { gamma, lambda }).advantages;
        expect(together.filter((_, i) => i % 2 === 0)).toEqual(stepGae(cut(a), { gamma, lambda }).advantages);
        expect(together.filter((_, i) => i % 2 === 1)).toEqual(stepGae(cut(b), { gamma, lambda }).advantages);
      }),
    );
  });
});

describe('normalize', () => {
  it('only takes the mean off where all values are nearly alike', () => {
    expect(Array.from(normalize([3, 3, 3]))).toEqual([0, 0, 0]);
    expect(Array.from(normalize([3, 3 + 1e-9]))).toEqual(closeTo([0, 0], 8));
  });

  it('takes mean and spread from the masked entries alone', () => {
    expect(Array.from(normalize([1, 3, 100], { mask: [1, 1, 0], eps: 1e-12 }))).toEqual(
      closeTo([-1, 1, 98].map((value) => value / Math.SQRT2)),
    );
  });
});

describe('groupAdvantage', () => {
  const rollouts = fc.array(fc.record({ value: number, group: fc.integer({ min: 0, max: 3 }) }), {
    minLength: 1,
    maxLength: 20,
  });
  const advantages = (rows: readonly { value: number; group: number }[], kind: GroupAdvantageKind, shift = 0) =>
    groupAdvantage(
      rows.map(({ value }) => value + shift),
      rows.map(({ group }) => group),
      { kind },
    ).advantages;

  it('takes equal rewards that were added in another order for equal returns', () => {
    const sum = (rewards: readonly number[]) => rewards.reduce((total, reward) => total + reward, 0);
    const reward = fc.constantFrom(-0.1, 0.1, 0.3, -0.7, 0.9, 1, -1);
    const episode = fc.array(reward, { minLength: 1, maxLength: 200 });
    const shuffled = episode.chain((rewards) =>
      fc.shuffledSubarray(rewards, { minLength: rewards.length }).map((other) => [rewards, other] as const),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom<GroupAdvantageKind>('mean', 'mean-std', 'leave-one-out'), (pair, kind) => {
        const { keep, advantages } = groupAdvantage(pair.map(sum), [0, 0], { kind });
        expect(keep).toEqual([false, false]);
        expect(Array.from(advantages)).toEqual([0, 0]);
      }),
    );
    const returns = [sum([-0.1, -0.1, -0.1, 1]), sum([0.9, -0.1, -0.1])];
    expect(returns[0]).not.toBe(returns[1]);
    expect(uniformShare(groupAdvantage(returns, [0, 0], { kind: 'mean-std' }))).toBe(1);
    expect(groupAdvantage([0.7, 0.7001], [0, 0], { kind: 'mean-std' }).keep).toEqual([true, true]);
  });

  it('gives exactly 0 where all returns are alike, although their mean is rounded', () => {
    const returns = [0.1, 0.1, 0.1];
    expect(returns.reduce((sum, each) => sum + each, 0) / 3).not.toBe(0.1);
    for (const kind of ['leave-one-out', 'mean', 'mean-std'] as const) {
      expect(Array.from(groupAdvantage(returns, [0, 0, 0], { kind }).advantages)).toEqual([0, 0, 0]);
    }
  });

  it('leave-one-out sums to zero over every group', () => {
    fc.assert(
      fc.property(rollouts, (rows) => {
        const result = advantages(rows, 'leave-one-out');
        for (const group of [0, 1, 2, 3]) {
          const sum = rows.reduce((total, row, i) => total + (row.group === group ? result[i]! : 0), 0);
          expect(sum).toBeCloseTo(0, 9);
        }
      }),
    );
  });

  it.each(['leave-one-out', 'mean'] as const)('%s does not see a constant added to all returns', (kind) => {
    fc.assert(
      fc.property(rollouts, number, (rows, shift) => {
        // returns that are equal up to rounding count as equal, and a constant changes what rounding is
        expect(Array.from(advantages(rows, kind, shift))).toEqual(closeTo(advantages(rows, kind), 7));
      }),
    );
  });

  it.each(['leave-one-out', 'mean', 'mean-std'] as const)('%s follows a permutation of the rollouts', (kind) => {
    fc.assert(
      fc.property(rollouts, (rows) => {
        const reversed = advantages(rows.toReversed(), kind).toReversed();
        expect(Array.from(reversed)).toEqual(closeTo(advantages(rows, kind), 6));
      }),
    );
  });
});
