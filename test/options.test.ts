/** Every option of every environment: unknown keys and wrong values are refused, and the compiler knows the names. */
import { GymError, make, type RgbImage, registeredIds } from '@vlgym/core';
import type { MadeEnv } from '@vlgym/core/registry';
import type { DepthObservation, MiniWorldEnv, RgbdObservation } from '@vlgym/miniworld';
import { type BlackjackTotals, Points24V1Env } from '@vlgym/points24';
import { describe, expect, expectTypeOf, it } from 'vitest';
import './support/environments.js';

const IDS = registeredIds();
const refused = async (id: string, options: object) => {
  const error = await make(id, { options: options as never }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(GymError.isInstance(error), `${id} took ${JSON.stringify(options)}: ${error}`).toBe(true);
  return error as GymError;
};

describe.each(IDS)('%s', (id) => {
  it('refuses a misspelled option and says what it may be', async () => {
    const error = await refused(id, { dialoge: 'plain-v1' });
    expect(error).toMatchObject({ code: 'UNKNOWN_OPTION', hint: 'did you mean "dialogue"?' });
    expect(error.message).toContain(`Unknown option "dialoge" of ${id}.`);
  });

  it.each([{ dialogue: 'rap-v1' }, { dialogue: 5 }, { renderMode: 'rgb' }])('refuses %j', async (options) => {
    expect((await refused(id, options)).code).toBe('INVALID_OPTION');
  });
});

it.each([
  ['vlgym/Points24-v1', { solvableOnly: 'yes' }],
  ['vlgym/Points24-v1', { faceCardsAsTen: 1 }],
  ['gym_cards/Points24-v0', { treatFaceCardsAs10: 'no' }],
  ['gym_cards/Blackjack-v0', { isPixel: 'no' }],
  ['vlgym/Blackjack-v1', { natural: 1 }],
  ['vlgym/NumberLine-v1', { actionOnly: 'yes' }],
  ['vlgym/EZPoints-v1', { size: { height: 30, width: 30, depth: 3 } }],
  ['MiniWorld-Hallway-v0', { domainRand: 'yes' }],
  ['MiniWorld-Hallway-v0', { parameters: null }],
  ['vlgym/ALFWorld-v1', { maxSteps: '50' }],
  ['vlgym/WebShop-v1', { cart: 'yes' }],
])('%s refuses %j (was taken)', async (id, options) => {
  expect(['INVALID_OPTION', 'UNKNOWN_OPTION']).toContain((await refused(id, options)).code);
});

it('refuses a seed of -7 in the card games, which Python takes for 7', () => {
  expect(() => new Points24V1Env().reset({ seed: -7 })).toThrow(expect.objectContaining({ code: 'INVALID_SEED' }));
});

describe('types of make by id', () => {
  const typed = () => {
    // never called: these lines are for the compiler
    void make('vlgym/Points24-v1', { options: { solvableOnly: true, target: 12 } });
    // @ts-expect-error misspelled
    void make('vlgym/Points24-v1', { options: { solvableOny: true } });
    // @ts-expect-error misspelled, beside one that is known
    void make('vlgym/Points24-v1', { options: { target: 12, solvableOny: true } });
    // @ts-expect-error a wrong value
    void make('vlgym/Points24-v1', { options: { solvableOnly: 'yes' } });
    // @ts-expect-error an option of the environment belongs under `options`
    void make('MiniWorld-Hallway-v0', { obsWidth: 84 });
    // @ts-expect-error an option of another world
    void make('MiniWorld-Hallway-v0', { options: { numRows: 3 } });
    void make('MiniWorld-Maze-v0', { options: { numRows: 3, obsWidth: 84 } });
    void make('somebody/Else-v0', { options: { anything: 1 } });
  };
  expect(typed).toBeTypeOf('function');

  it('know what is observed by the option that says it', () => {
    type Observed<E> = E extends { reset(): infer R }
      ? Awaited<R> extends { observation: infer O }
        ? O
        : never
      : never;
    type World<O> = Observed<MadeEnv<'MiniWorld-Hallway-v0', O>>;
    expectTypeOf<Observed<MadeEnv<'MiniWorld-Hallway-v0'>>>().toEqualTypeOf<RgbImage>();
    expectTypeOf<World<{ obsWidth: 84 }>>().toEqualTypeOf<RgbImage>();
    expectTypeOf<World<{ observation: 'depth' }>>().toEqualTypeOf<DepthObservation>();
    expectTypeOf<World<{ observation: 'rgbd' }>>().toEqualTypeOf<RgbdObservation>();
    expectTypeOf<World<{ observation: 'text' }>>().toEqualTypeOf<string>();
    expectTypeOf<World<{ observation: 'text' | 'rgb' }>>().toEqualTypeOf<string | RgbImage>();
    expectTypeOf<Observed<MadeEnv<'vlgym/ALFWorld-v1'>>>().toEqualTypeOf<string>();
    expectTypeOf<Observed<MadeEnv<'vlgym/ALFWorld-v1', { observation: 'image' }>>>().toEqualTypeOf<RgbImage>();
    expectTypeOf<Observed<MadeEnv<'vlgym/ALFWorldPictures-v1'>>>().toEqualTypeOf<RgbImage>();
    expectTypeOf<Observed<MadeEnv<'vlgym/Blackjack-v1'>>>().toEqualTypeOf<RgbImage>();
    expectTypeOf<Observed<MadeEnv<'vlgym/Blackjack-v1', { isPixel: false }>>>().toEqualTypeOf<BlackjackTotals>();
  });

  it('follow the options that are given in place', async () => {
    const env = await make('MiniWorld-Hallway-v0', { options: { observation: 'depth', obsWidth: 8, obsHeight: 6 } });
    const { observation } = await env.reset({ seed: 1 });
    expectTypeOf(observation).toEqualTypeOf<DepthObservation>();
    expect(observation).toHaveLength(48);
    // `env.unwrapped` did not know its class
    expectTypeOf(env.unwrapped).toEqualTypeOf<MiniWorldEnv<DepthObservation>>();
    expect(env.unwrapped.world.stepCount).toBe(0);
    await env.close();
  });
});
