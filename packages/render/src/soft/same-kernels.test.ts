/** The WebAssembly kernel draws the bytes of the TypeScript one, which is written to be read. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTypescriptKernel } from '../../test-support/typescript-kernel/typescript-kernel.js';
import { hallway, roomsInARow } from '../fixtures/scenes.js';
import { randomScenes } from '../fixtures/triangles.js';
import type { Frame } from '../frame.js';
import type { CameraLike, SceneLike } from '../scene-types.js';
import { createSoftRenderer, softRendererOn } from './soft-renderer.js';

const EVERYTHING = { rgb: true, rgba: true, depth: true, instances: true, segments: true } as const;

const digest = (data: ArrayBufferView) =>
  createHash('sha256')
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest('hex')
    .slice(0, 16);

const digests = ({ rgb, rgba, depth, instances, segments }: Frame) =>
  [rgb, rgba, depth, instances, segments].map((buffer) => digest(buffer!));

describe.each([
  [4, 'trilinear', 'srgb'],
  [1, 'trilinear', 'srgb-linear'],
  [4, 'fast', 'srgb-linear'],
  [1, 'fast', 'srgb'],
] as const)(
  'with %i samples per pixel, the filter %s and the output color space %s, both kernels draw the same bytes',
  (samples, filter, outputColorSpace) => {
    const wasm = createSoftRenderer({ samples, filter, outputColorSpace });
    const typescript = softRendererOn(createTypescriptKernel, { samples, filter, outputColorSpace });
    const draw = (scene: SceneLike, camera: CameraLike, width: number, height: number) => {
      const request = { width, height, ...EVERYTHING };
      return [digests(wasm.render(scene, camera, request)), digests(typescript.render(scene, camera, request))];
    };

    it.each([
      ['a hallway', hallway(), 80, 60],
      ['a hallway from behind the box', hallway({ x: 8.7, angle: 3 }), 97, 61],
      ['rooms in a row', roomsInARow(), 120, 91],
    ])('of %s', (_, { scene, camera }, width, height) => {
      const [one, other] = draw(scene, camera, width, height);
      expect(one).toEqual(other);
    });

    it('for random triangles, textures, sides and cameras', () => {
      fc.assert(
        fc.property(randomScenes, ({ scene, camera, width, height }) => {
          const [one, other] = draw(scene, camera, width, height);
          expect(one).toEqual(other);
        }),
        { numRuns: 150 },
      );
    });
  },
);

describe('a frame', () => {
  const request = { width: 80, height: 60, ...EVERYTHING };

  it('has the same bytes on every machine', () => {
    const renderer = createSoftRenderer({ outputColorSpace: 'srgb-linear' });
    const frames = [hallway(), roomsInARow()].map(({ scene, camera }) => renderer.render(scene, camera, request));
    expect(frames.map(({ rgb, depth }) => [digest(rgb), digest(depth)])).toMatchInlineSnapshot(`
      [
        [
          "43ba7b269e799058",
          "93ff0b53a5b85f6e",
        ],
        [
          "36f53108edd33dfd",
          "e37c2753eff0984e",
        ],
      ]
    `);
  });

  it('does not depend on earlier frames', () => {
    const { scene, camera } = hallway();
    const fresh = createSoftRenderer().render(scene, camera, request);
    const used = createSoftRenderer();
    const other = roomsInARow();
    used.render(other.scene, other.camera, { width: 301, height: 200 });
    used.render(scene, camera, { width: 8, height: 6, depth: true });
    expect(digests(used.render(scene, camera, request))).toEqual(digests(fresh));
  });
});
