import { expect, it } from 'vitest';
import { drawMarks } from './marks.js';

it('draws a numbered box around each visible element, on a copy', () => {
  const image = { width: 60, height: 40, channels: 3, data: new Uint8Array(60 * 40 * 3) } as const;
  const element = { mark: 12, role: 'button', name: 'x', box: [20, 10, 20, 20], visible: true } as const;
  const { data } = drawMarks(image, [element], [0, 0]);
  expect(image.data.some(Boolean)).toBe(false);
  expect(data[3 * (10 * 60 + 30)]).toBeGreaterThan(0);
  expect(data[3 * (20 * 60 + 30)]).toBe(0);
  expect(drawMarks(image, [{ ...element, visible: false }], [0, 0]).data.some(Boolean)).toBe(false);
});
