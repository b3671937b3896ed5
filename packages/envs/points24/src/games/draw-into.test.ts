/** Cards drawn into a buffer of the caller: equal pictures without copies. */
import { makeVec, type RgbImage } from '@vlgym/core';
import { DrawnRows } from '@vlgym/core/vector';
import { describe, expect, it } from 'vitest';
import '../register.js';
import { BlackjackEnv, EZPointsV1Env, NumberLineEnv, Points24V1Env, SignsEnv, SignsV2Env } from '../index.js';

const size = { height: 84, width: 112 };
const GAMES = {
  Blackjack: () => new BlackjackEnv({ size }),
  EZPoints: () => new EZPointsV1Env({ size }),
  NumberLine: () => new NumberLineEnv({ size }),
  Points24: () => new Points24V1Env({ size }),
  'Signs-v1': () => new SignsEnv({ size }),
  'Signs-v2': () => new SignsV2Env({ size }),
};

describe.each(Object.entries(GAMES))('%s', (_, make) => {
  it('draws the same pictures into a buffer as into their own', () => {
    const [own, lent] = [make(), make()];
    const frame = new Uint8Array(3 * 84 * 112);
    lent.drawInto(frame);
    for (let seed = 0; seed < 6; seed += 1) {
      let [a, b] = [own.reset({ seed }).observation, lent.reset({ seed }).observation] as RgbImage[];
      for (let step = 0; step < 6; step += 1) {
        expect(Buffer.compare(a!.data, b!.data)).toBe(0);
        expect(b!.data).toBe(frame);
        const action = (seed + step) % own.actionSpace.n;
        const [left, right] = [own.step(action), lent.step(action)];
        [a, b] = [left.observation, right.observation] as RgbImage[];
        if (left.terminated || left.truncated) break;
      }
    }
    lent.drawInto(undefined);
    expect((lent.reset({ seed: 1 }).observation as RgbImage).data).not.toBe(frame);
    expect(() => lent.drawInto(new Uint8Array(5))).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });

  it('changes no row that it does not mark', () => {
    const game = make();
    const [frame, drawn, row] = [new Uint8Array(3 * 84 * 112), new DrawnRows(), 3 * 112];
    game.drawInto(frame, { drawn });
    expect(drawn.take(84)).toEqual([0, 84]);
    let rows = 0;
    for (let seed = 0; seed < 6; seed += 1) {
      const [before, act] = [
        frame.slice(),
        [() => game.reset({ seed }), ...[0, 1, 2].map((action) => () => game.step(action % game.actionSpace.n))],
      ];
      for (const each of act) {
        const result = each() as { readonly terminated?: boolean; readonly truncated?: boolean };
        const [top, bottom] = drawn.take(84);
        rows += bottom - top;
        before.set(frame.subarray(top * row, bottom * row), top * row);
        expect(Buffer.compare(before, frame)).toBe(0);
        if (result.terminated || result.truncated) break;
      }
    }
    expect(rows).toBeGreaterThan(0);
    expect(drawn.take(84)).toEqual([0, 0]);
  });
});

it('makeVec puts all pictures into one block', async () => {
  const frames = new Uint8Array(3 * 3 * 84 * 112);
  const envs = await makeVec('vlgym/Points24-v1', { numEnvs: 3, options: { size }, frames } as never);
  const { observations } = await envs.reset({ seed: 4 });
  expect((observations as RgbImage[]).map(({ data }) => data.buffer === frames.buffer)).toEqual([true, true, true]);
  expect(frames.some((byte) => byte > 0)).toBe(true);
  await envs.close();
});
