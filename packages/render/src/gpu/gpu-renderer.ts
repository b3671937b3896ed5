/** The GPU backend: behind the same interface, and not there yet. */
import { RenderError } from '../errors.js';
import type { Renderer } from '../renderer.js';
import type { SoftRendererOptions } from '../soft/soft-renderer.js';
export async function createGpuRenderer(_options: SoftRendererOptions): Promise<Renderer> {
  throw new RenderError('No GPU backend is installed.', {
    code: 'BACKEND_MISSING',
    expected: 'the package webgpu or gl',
    hint: 'npm install webgpu, or leave the backend out',
  });
}
