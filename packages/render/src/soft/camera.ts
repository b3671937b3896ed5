/**
 * Converts a three.js camera to its view volume and the matrix from world positions to homogeneous pixel coordinates.
 */
import type { Camera, OrthographicCamera, PerspectiveCamera } from 'three';
import { RenderError } from '../errors.js';

export interface View {
  readonly orthographic: boolean;
  readonly near: number;
  readonly far: number;
  /** [4 rows, 4]: homogeneous pixel x, y, w, and nearness for orthographic cameras: 1 at `near`, 0 at `far`. */
  readonly rows: Float64Array;
  /** [6 planes, 4]: a*x + b*y + c*z + d >= 0 inside the view volume, normals of length 1. */
  readonly planes: Float64Array;
}

/**
 * Reads a camera; its world matrix must be up to date.
 *
 * @param scratch  Arrays that are written in place of new ones: a renderer reads a camera for every frame.
 * @throws {RenderError} INVALID_CAMERA
 */
export function readCamera(camera: Camera, width: number, height: number, scratch: ViewScratch = viewScratch()): View {
  const { near, far } = camera as PerspectiveCamera | OrthographicCamera;
  const orthographic = (camera as OrthographicCamera).isOrthographicCamera === true;
  if (!orthographic && !(camera as PerspectiveCamera).isPerspectiveCamera) {
    throw invalid(`unknown type "${camera.type}"`, camera.type, 'a PerspectiveCamera or an OrthographicCamera');
  }
  const projection = camera.projectionMatrix.elements;
  const view = camera.matrixWorldInverse.elements;
  checkFinite('projection matrix', projection);
  checkFinite('position or direction', view);
  if (!(Number.isFinite(near) && Number.isFinite(far) && far > near && (orthographic || near > 0))) {
    throw invalid(`near is ${near} and far is ${far}`, [near, far], '0 < near < far, both finite');
  }

  // Rows of projection * view; three.js stores matrices column by column.
  const { clip, rows, planes } = scratch;
  for (let row = 0; row < 4; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      let sum = 0;
      for (let k = 0; k < 4; k += 1) sum += projection[k * 4 + row]! * view[column * 4 + k]!;
      clip[row * 4 + column] = sum;
    }
  }
  const depth = 1 / (far - near);
  for (let column = 0; column < 4; column += 1) {
    const x = clip[column]!;
    const y = clip[4 + column]!;
    const w = clip[12 + column]!;
    const distance = -view[column * 4 + 2]!; // along the view axis
    rows[column] = (x + w) * 0.5 * width;
    rows[4 + column] = (w - y) * 0.5 * height;
    rows[8 + column] = w;
    rows[12 + column] = ((column === 3 ? far : 0) - distance) * depth;
    planes[column] = w + x;
    planes[4 + column] = w - x;
    planes[8 + column] = w + y;
    planes[12 + column] = w - y;
    planes[16 + column] = distance - (column === 3 ? near : 0);
    planes[20 + column] = (column === 3 ? far : 0) - distance;
  }
  for (let plane = 0; plane < 24; plane += 4) {
    const a = planes[plane]!;
    const b = planes[plane + 1]!;
    const c = planes[plane + 2]!;
    const length = Math.sqrt(a * a + b * b + c * c); // faster than Math.hypot
    for (let column = 0; column < 4; column += 1) planes[plane + column]! /= length;
  }
  return { orthographic, near, far, rows, planes };
}

export interface ViewScratch {
  readonly clip: Float64Array;
  readonly rows: Float64Array;
  readonly planes: Float64Array;
}

export const viewScratch = (): ViewScratch => ({
  clip: new Float64Array(16),
  rows: new Float64Array(16),
  planes: new Float64Array(24),
});

function checkFinite(name: string, elements: readonly number[]): void {
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index]!;
    if (!Number.isFinite(element)) throw invalid(`its ${name} contains ${element}`, element, 'finite numbers');
  }
}

function invalid(what: string, value: unknown, expected: string): RenderError {
  return new RenderError(`Invalid camera: ${what}.`, {
    code: 'INVALID_CAMERA',
    value,
    expected,
    hint: 'call camera.updateProjectionMatrix() after changing fov, aspect, near or far; look for NaN in positions',
  });
}
