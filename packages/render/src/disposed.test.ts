/** The backends that draw with three.js, here mocked, refuse calls after dispose and calls without a scene. */
import { Scene } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { createRenderer } from './create-renderer.js';
import { front } from './fixtures/scenes.js';
import { createWebGLRenderer } from './webgl.js';

const dispose = vi.hoisted(() => vi.fn());

vi.mock('three', async (original) => ({
  ...(await original<object>()),
  WebGLRenderer: class {
    dispose = dispose;
    setPixelRatio() {}
  },
}));
vi.mock('three/webgpu', () => ({
  WebGPURenderer: class {
    dispose = dispose;
    init() {}
  },
  LinearSRGBColorSpace: '',
  NoToneMapping: 0,
}));
vi.mock('webgpu', () => ({
  globals: {},
  create: () => ({ requestAdapter: () => ({ requestDevice: () => ({}) }) }),
}));

const size = { width: 4, height: 4 };
const canvas = { ...size, getContext: () => null };

describe.each([
  ['webgl', () => createWebGLRenderer({ canvas })],
  ['webgpu', () => createRenderer({ backend: 'gpu' })],
])('%s', (_, create) => {
  const refused = (draw: () => unknown, code: string) =>
    expect((async () => draw())()).rejects.toMatchObject({ code, hint: expect.stringMatching(/\w/) });

  it('refuses to draw after dispose, which may be called twice', async () => {
    const renderer = await create();
    dispose.mockClear();
    renderer.dispose();
    renderer.dispose();
    expect(dispose).toHaveBeenCalledOnce();
    await refused(() => renderer.render(new Scene(), front(), size), 'CLOSED');
    await refused(() => renderer.renderBatch([]), 'CLOSED');
    if ('show' in renderer) expect(() => renderer.show(new Scene(), front(), size)).toThrow(/disposed/);
  });

  it('refuses to draw without a scene, a camera or a request', async () => {
    const renderer = await create();
    await refused(() => renderer.render(null as never, front(), size), 'UNSUPPORTED_SCENE');
    await refused(() => renderer.render(new Scene(), undefined as never, size), 'INVALID_CAMERA');
    await refused(() => renderer.render(new Scene(), front(), undefined as never), 'INVALID_FRAME');
  });
});
