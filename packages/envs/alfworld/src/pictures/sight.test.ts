/** The contents of the frame, hidden parts, and the placement of objects so that they are visible. */
import { describe, expect, it } from 'vitest';
import type { Receptacle } from './geometry.js';
import { outOfFrame, View } from './sight.js';
import { freeSpot } from './spots.js';

/** A long counter; its user stands 0.8 m in front of its middle and looks down by 45 degrees. */
const COUNTER = { number: 0, x: 2, z: -1, facing: 1, approach: [0, 0.8], pitch: 45 } as unknown as Receptacle;
const REST = { y: 0.9, at: [0, 0], size: [4, 0.6] } as const;

describe('the frame', () => {
  it('contains what is in front of the agent and nothing far aside, above, or behind', () => {
    expect(outOfFrame(COUNTER, [0, 0], 0.9)).toBe(0);
    expect(outOfFrame(COUNTER, [1.5, 0], 0.9)).toBeGreaterThan(0.5);
    expect(outOfFrame(COUNTER, [0, 0], 2.2)).toBeGreaterThan(0.5);
    expect(outOfFrame(COUNTER, [0, 1.6], 0.9)).toBeGreaterThan(0);
  });

  it('is where objects are placed, as close as possible to the preferred spot', () => {
    const view = new View(COUNTER, REST, []);
    const [x, z] = freeSpot(REST, [], 0.05, [1.9, 0], (spot) => view.penaltyOf(spot));
    expect(outOfFrame(COUNTER, [x, z], 0.93)).toBe(0);
    expect(x).toBeGreaterThan(0.3);
    expect(freeSpot(REST, [], 0.05, [0.2, 0.1], (spot) => view.penaltyOf(spot))).toEqual([0.2, 0.1]);
  });
});

describe('an object', () => {
  const view = new View(COUNTER, REST, []);
  const pot = { spot: [0, 0.1], radius: 0.15, height: 0.3 } as const;
  const coin = { radius: 0.03, height: 0.01 } as const;

  it('is hidden behind a tall one, but not next to or in front of it', () => {
    expect(view.hides(pot, { ...coin, spot: [0, -0.1] })).toBe(true);
    expect(view.hides(pot, { ...coin, spot: [0.4, -0.1] })).toBe(false);
    expect(view.hides(pot, { ...coin, spot: [0, 0.28] })).toBe(false);
    expect(view.hides({ ...coin, spot: [0, 0.1] }, { ...pot, spot: [0, -0.1] })).toBe(false);
  });
});
