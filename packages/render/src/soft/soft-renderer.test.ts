/** What the software renderer draws. */
import { describe, expect, it } from 'vitest';
import { hallway } from '../test-support/scenes.js';
import { createSoftRenderer } from './soft-renderer.js';

describe('a red box at the end of a hallway', () => {
  it('is seen in colour, depth and ids', () => {
    const { scene, camera } = hallway();
    const request = { width: 80, height: 60, rgb: true, depth: true, instances: true, segments: true } as const;
    const { rgb, depth, instances, segments } = createSoftRenderer().render(scene, camera, request);
    const pixel = instances.indexOf(7) + 2 * 80 + 2;
    expect([instances[pixel], segments[pixel]]).toEqual([7, 3]);
    expect(depth[pixel]).toBeGreaterThan(7);
    expect(depth[pixel]).toBeLessThan(9);
    expect([...rgb.subarray(pixel * 3, pixel * 3 + 3)]).toEqual([expect.any(Number), 0, 0]);
  });
});
