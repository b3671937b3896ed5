/** Shadows, what is in the hand, fronts of counters, doors of cabinets. */
import { describe, expect, it } from 'vitest';
import { createAlfworld } from '../env/alfworld.js';
import { RECEPTACLE_MODELS } from './models/index.js';
import { extentOf } from './models/solids.js';
import { contactShadow, cuts, joined, lightAt } from './shadows.js';

const chest = { low: [0, 0], high: [1, 0.5], darkness: 0.4 } as const;

describe('a shadow', () => {
  it('on the floor is darkest below furniture and ends nearby', () => {
    expect(lightAt(0.5, 0.25, [chest])).toBeCloseTo(0.6);
    const [near, far] = [lightAt(0.5, 0.6, [chest]), lightAt(0.5, 0.69, [chest])];
    expect(near).toBeGreaterThan(0.6);
    expect(far).toBeGreaterThan(near);
    expect(lightAt(0.5, 0.8, [chest])).toBe(1);
    // the floor has corners where the light changes
    expect(cuts(-2, 2, 1, [chest])).toEqual([-2, -0.2, 0, 0.5, 0.7, 2]);
  });

  it('is one below a row of furniture', () => {
    const next = { low: [1, 0], high: [1.6, 0.5], darkness: 0.4 } as const;
    const apart = { low: [3, 0], high: [4, 0.5], darkness: 0.4 } as const;
    expect(joined([chest, apart, next])).toEqual([{ low: [0, 0], high: [1.6, 0.5], darkness: 0.4 }, apart]);
  });

  it.each(['disc', 'square'] as const)('on a table ends in the color of the table: %s', (form) => {
    const { positions, shades, color } = contactShadow(0x54575e, form);
    expect(color).toBe(0x54575e);
    const radii = shades!.map((_, index) =>
      Math.max(Math.abs(positions[3 * index]!), Math.abs(positions[3 * index + 2]!)),
    );
    const rim = Math.max(...radii);
    for (const [index, shade] of shades!.entries()) expect(shade === 1).toBe(radii[index]! > 0.75 * rim);
  });
});

describe('what is in the hand', () => {
  it.each([
    ['pick_heat_then_place_in_recep', /^heat/],
    ['pick_cool_then_place_in_recep', /^cool/],
    ['pick_clean_then_place_in_recep', /^clean/],
  ] as const)(
    'covers less than a tenth of the picture, at its lower right, with its effects: %s',
    async (type, verb) => {
      const env = await createAlfworld({ observation: 'image', taskTypes: [type], obsWidth: 100, obsHeight: 100 });
      env.reset({ seed: 4 });
      for (let action = env.oracle()!; ; action = env.oracle()!) {
        env.step(action);
        if (!verb.test(action)) continue;
        const held = action.split(' ').slice(1, 3).join(' ');
        const { data, names } = env.instances();
        const [id] = [...names].find(([, name]) => name === held)!;
        const pixels = [...data].flatMap((pixel, index) => (pixel === id ? [index] : []));
        expect(pixels.length).toBeGreaterThan(60);
        expect(pixels.length).toBeLessThan(1000);
        expect(Math.min(...pixels.map((index) => index % 100))).toBeGreaterThan(50);
        expect(Math.min(...pixels.map((index) => Math.floor(index / 100)))).toBeGreaterThan(50);
        break;
      }
      await env.close();
    },
  );
});

describe('a counter with built-in drawers', () => {
  const look = { width: 2, depth: 0.6, y: 0.95, surface: 0.95, open: true, standsAlone: false, hollow: true };
  const frontOf = (x: number, fronts: readonly (readonly [number, number, number, number])[]) => {
    const { shape } = RECEPTACLE_MODELS.countertop!({ ...look, fronts });
    const soup = shape.map((piece) => extentOf([piece])).filter(({ high }) => high[2] > 0.2 && high[1] < 0.92);
    return soup.filter(({ low, high }) => low[0] < x && x < high[0]).map(({ low, high }) => [low[1], high[1]]);
  };

  it('is closed to the floor next to and below them, and open at them', () => {
    const beside = frontOf(-0.5, [[0, 0.5, 0.6, 0.8]]);
    expect(Math.min(...beside.map(([low]) => low!))).toBe(0);
    expect(Math.max(...beside.map(([, high]) => high!))).toBeCloseTo(0.91);
    for (const [low, high] of frontOf(0.25, [[0, 0.5, 0.6, 0.8]])) expect(high! <= 0.6 || low! >= 0.8).toBe(true);
  });
});

it('a cabinet swings its door to the side that is named', () => {
  const look = { width: 0.5, depth: 0.4, y: 0.4, surface: 0.3, open: true, standsAlone: false, hollow: false };
  const [left, right] = [false, true].map((hingedRight) =>
    extentOf(RECEPTACLE_MODELS.cabinet!({ ...look, hingedRight }).shape),
  );
  expect(left!.low[0]).toBeLessThan(-0.4);
  expect(left!.high[0]).toBeLessThan(0.3);
  expect(right!.high[0]).toBeCloseTo(-left!.low[0]);
  expect(right!.low[0]).toBeCloseTo(-left!.high[0]);
});
