/** A geometry that changed since the last frame is drawn in its current state; groups are drawn as in three.js. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshBasicMaterial,
} from 'three';
import { describe, expect, it } from 'vitest';
import { front, sceneOf } from '../fixtures/scenes.js';
import { createSoftRenderer } from './soft-renderer.js';

const red = new MeshBasicMaterial({ color: new Color(1, 0, 0) });
const green = new MeshBasicMaterial({ color: new Color(0, 1, 0) });

/** Positions of adjacent columns from x = -1, 0.5 wide, with 6 vertices per column. */
const columns = (count: number) =>
  Float32Array.from(
    Array.from({ length: count }, (_, column) => {
      const [left, right] = [column / 2 - 1, column / 2 - 0.5];
      return [left, -1, 0, right, -1, 0, right, 1, 0, left, -1, 0, right, 1, 0, left, 1, 0];
    }).flat(),
  );

const fourColumns = () => new BufferGeometry().setAttribute('position', new BufferAttribute(columns(4), 3));

/** Draws meshes 4 pixels wide and returns one character per column: r, g or - for the background. */
function drawer(...meshes: readonly Mesh[]): () => string {
  const renderer = createSoftRenderer();
  for (const mesh of meshes) mesh.frustumCulled = false; // three.js computes bounding spheres only once
  return () => {
    const { rgb } = renderer.render(sceneOf(...meshes), front(), { width: 4, height: 1 });
    return [0, 3, 6, 9].map((at) => (rgb[at] ? 'r' : rgb[at + 1] ? 'g' : '-')).join('');
  };
}

describe('a changed geometry is drawn again after', () => {
  it('a replaced attribute of the same version', () => {
    const geometry = fourColumns();
    const draw = drawer(new Mesh(geometry, red));
    expect(draw()).toBe('rrrr');
    geometry.setAttribute('position', new BufferAttribute(columns(2), 3));
    expect(draw()).toBe('rr--');
  });

  it('a replaced index of the same version, and a removed index', () => {
    const geometry = fourColumns();
    const draw = drawer(new Mesh(geometry, red));
    geometry.setIndex([0, 1, 2, 3, 4, 5]);
    expect(draw()).toBe('r---');
    geometry.setIndex([6, 7, 8, 9, 10, 11]);
    expect(draw()).toBe('-r--');
    geometry.setIndex(null);
    expect(draw()).toBe('rrrr');
  });

  it('a replaced interleaved buffer, and its next version', () => {
    const attribute = new InterleavedBufferAttribute(new InterleavedBuffer(columns(4), 3), 3, 0);
    const draw = drawer(new Mesh(new BufferGeometry().setAttribute('position', attribute), red));
    expect(draw()).toBe('rrrr');
    attribute.data = new InterleavedBuffer(columns(2), 3);
    expect(draw()).toBe('rr--');
    attribute.data.array.fill(0);
    expect(draw()).toBe('rr--'); // not before `needsUpdate`
    attribute.needsUpdate = true;
    expect(draw()).toBe('----');
  });

  it('a changed draw range, whatever its numbers', () => {
    const geometry = fourColumns();
    const draw = drawer(new Mesh(geometry, red));
    geometry.setDrawRange(0, 7);
    expect(draw()).toBe('r---');
    geometry.setDrawRange(13, 0);
    expect(draw()).toBe('----');
    geometry.setDrawRange(12, Number.POSITIVE_INFINITY);
    expect(draw()).toBe('--rr');
  });

  it('a replaced group, and a moved group', () => {
    const geometry = fourColumns();
    const draw = drawer(new Mesh(geometry, [red, green]));
    geometry.addGroup(0, 6, 0);
    expect(draw()).toBe('r---');
    geometry.addGroup(12, 6, 1);
    expect(draw()).toBe('r-g-');
    geometry.groups[1]!.start = 18;
    expect(draw()).toBe('r--g');
    geometry.groups[1]!.materialIndex = 0;
    expect(draw()).toBe('r--r');
    geometry.groups[1]!.count = 3;
    geometry.groups.shift();
    geometry.groups[0]!.start = 6;
    geometry.groups[0]!.count = 12;
    expect(draw()).toBe('-rr-');
  });

  it('no other event', () => {
    const geometry = fourColumns();
    geometry.addGroup(0, 12, 0);
    const draw = drawer(new Mesh(geometry, red), new Mesh(geometry, [green]));
    const before = draw();
    geometry.getAttribute('position').array.fill(0);
    expect(draw()).toBe(before);
  });
});

describe('groups', () => {
  it('are ignored by a mesh with one material', () => {
    const geometry = fourColumns();
    geometry.addGroup(6, 6, 1);
    expect(drawer(new Mesh(geometry, red))()).toBe('rrrr');
  });

  it('limit what a mesh with a list of materials draws, within the draw range', () => {
    const geometry = fourColumns();
    const draw = drawer(new Mesh(geometry, [red, green]));
    expect(draw()).toBe('----');
    geometry.addGroup(0, 6, 1);
    geometry.addGroup(6, 18, 0);
    expect(draw()).toBe('grrr');
    geometry.setDrawRange(3, 9);
    expect(draw()).toBe('gr--');
  });

  it('without a material are not drawn', () => {
    const geometry = fourColumns();
    geometry.groups.push({ start: 0, count: 6 }, { start: 6, count: 6, materialIndex: 7 });
    geometry.addGroup(12, 6, 0);
    expect(drawer(new Mesh(geometry, [red]))()).toBe('--r-');
  });

  it('of a shared geometry apply only to the mesh with a list of materials', () => {
    const geometry = fourColumns();
    geometry.addGroup(0, 12, 0);
    const [whole, grouped] = [new Mesh(geometry, red), new Mesh(geometry, [green])];
    grouped.position.z = 1;
    const draw = drawer(whole, grouped);
    expect([draw(), draw()]).toEqual(['ggrr', 'ggrr']);
  });
});
