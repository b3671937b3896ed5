/** The backends other than the software renderer, as far as they can be tested without a browser and a GPU. */
import { ShaderLib } from 'three';
import { describe, expect, it } from 'vitest';
import { copyColor, prepareColorFrame } from './color-only.js';
import { createRenderer } from './create-renderer.js';
import { fixLight } from './webgl/fixed-light.js';
import { createWebGLRenderer } from './webgl.js';

describe('createRenderer', () => {
  it('returns the software renderer by default', async () => {
    expect((await createRenderer()).backend).toBe('wasm');
  });

  it('says how to install a missing GPU backend', async () => {
    await expect(createRenderer({ backend: 'gpu' })).rejects.toMatchObject({
      code: 'BACKEND_MISSING',
      hint: expect.stringMatching(/npm install webgpu.*software renderer/),
    });
  });
});

describe('WebGL', () => {
  it('is refused with a hint if the canvas does not support it', () => {
    const canvas = {
      width: 1,
      height: 1,
      style: {},
      addEventListener() {},
      removeEventListener() {},
      getContext: () => null,
    };
    expect(() => createWebGLRenderer({ canvas })).toThrow(
      expect.objectContaining({ code: 'BACKEND_MISSING', hint: expect.stringContaining('createSoftRenderer') }),
    );
  });

  it.each([false, true])('patches the shader of the installed three.js; scaled normals: %s', (scaled) => {
    const { vertexShader, fragmentShader } = ShaderLib.lambert;
    const shader = { vertexShader, fragmentShader };
    fixLight(shader, scaled);
    expect(shader.fragmentShader).toMatch(/outgoingLight = clamp\( reflectedLight.*0\.0, 1\.0 \) \* texel\.rgb;/);
    expect(shader.fragmentShader).toContain('texel = texture2D( map, vMapUv );');
    expect(shader.fragmentShader.includes('vec3 normal = vNormal;')).toBe(scaled);
    expect(shader.vertexShader.includes('vNormal = transformedNormal;')).toBe(scaled);
  });
});

describe('color-only backends', () => {
  it('refuse depth and ids with a hint', () => {
    expect(() => prepareColorFrame({ width: 2, height: 2, depth: true }, 'webgl')).toThrow(
      expect.objectContaining({ code: 'INVALID_FRAME', hint: expect.stringContaining('createSoftRenderer') }),
    );
  });

  it('flip rows and drop padding', () => {
    const frame = prepareColorFrame({ width: 1, height: 2, rgb: true, rgba: true }, 'webgl');
    copyColor(frame, Uint8Array.of(1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0, 0), 6, true);
    expect([...frame.rgba!]).toEqual([5, 6, 7, 8, 1, 2, 3, 4]);
    expect([...frame.rgb!]).toEqual([5, 6, 7, 1, 2, 3]);
  });
});
