/** Pictures have the colors that three.js shows. */
import { AmbientLight, Color, DataTexture, DirectionalLight, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry, Scene, SRGBColorSpace } from 'three'; // biome-ignore format: one line
import { describe, expect, it } from 'vitest';
import { front, sceneOf } from '../fixtures/scenes.js';
import { encodeSrgb } from './color-space.js';
import { createSoftRenderer } from './soft-renderer.js';

const renderer = createSoftRenderer();
const shown = (material: MeshBasicMaterial | MeshLambertMaterial, ...lights: AmbientLight[]) => {
  const scene = sceneOf(new Mesh(new PlaneGeometry(4, 4), material), ...lights);
  return [...renderer.render(scene, front(), { width: 1, height: 1 }).rgb];
};

describe('colors', () => {
  it('of a hexadecimal number are that number: 0xaa5522 is 170, 85, 34, and was 103, 23, 4', () => {
    expect(shown(new MeshBasicMaterial({ color: 0xaa5522 }))).toEqual([0xaa, 0x55, 0x22]);
    expect(shown(new MeshLambertMaterial({ color: 0xaa5522 }), new AmbientLight(0xffffff, Math.PI))).toEqual([
      0xaa, 0x55, 0x22,
    ]);
  });

  it('of every gray are its number, as material, background and texture', () => {
    for (let gray = 0; gray < 256; gray += 1) {
      const color = new Color(gray * 0x10101);
      const texture = new DataTexture(Uint8Array.of(gray, gray, gray, 255), 1, 1);
      texture.colorSpace = SRGBColorSpace;
      const empty = new Scene();
      empty.background = color;
      const background = [...renderer.render(empty, front(), { width: 1, height: 1 }).rgb];
      const wanted = [gray, gray, gray];
      const map = shown(new MeshBasicMaterial({ map: texture }));
      expect([shown(new MeshBasicMaterial({ color })), map, background]).toEqual([wanted, wanted, wanted]);
    }
  });

  it('of half the light are the sRGB of a half, not half the byte', () => {
    const half = Math.round(255 * encodeSrgb(0.5));
    const lit = shown(new MeshLambertMaterial(), new AmbientLight(0xffffff, Math.PI / 2));
    expect(lit).toEqual([half, half, half]);
  });

  it('are linear light on request', () => {
    const scene = sceneOf(new Mesh(new PlaneGeometry(4, 4), new MeshBasicMaterial({ color: 0xaa5522 })));
    const linear = createSoftRenderer({ outputColorSpace: 'srgb-linear' });
    expect([...linear.render(scene, front(), { width: 1, height: 1 }).rgb]).toEqual([103, 23, 4]);
    expect(() => createSoftRenderer({ outputColorSpace: 'display-p3' as 'srgb' })).toThrow(/"srgb", "srgb-linear"/);
  });
});

it('a light with castShadow is refused, because shadows are not drawn', () => {
  const sun = new DirectionalLight();
  sun.position.set(1, 1, 1);
  sun.castShadow = true;
  expect(() => renderer.render(sceneOf(sun), front(), { width: 1, height: 1 })).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_SCENE', value: 'castShadow' }),
  );
});
