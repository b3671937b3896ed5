/** Which parts of a scene are drawn as in three.js, and which throw an error that names the object. */
import {
  AdditiveBlending,
  AmbientLight,
  BatchedMesh,
  BufferAttribute,
  Color,
  DataTexture,
  DirectionalLight,
  Fog,
  InstancedMesh,
  LOD,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  NeverDepth,
  type Object3D,
  Plane,
  PlaneGeometry,
  type Scene,
} from 'three';
import { describe, expect, it } from 'vitest';
import { front, sceneOf } from '../fixtures/scenes.js';
import { createSoftRenderer } from './soft-renderer.js';

const renderer = createSoftRenderer({ outputColorSpace: 'srgb-linear' });
const pixel = (scene: Scene) => [...renderer.render(scene, front(), { width: 1, height: 1 }).rgb];
const named = (material: Material, geometry = new PlaneGeometry(4, 4)) =>
  Object.assign(new Mesh(geometry, material), { name: 'leaf' });
const colored = (r: number, g: number, b: number) => new MeshBasicMaterial({ color: new Color(r, g, b) });
/** A texture of one texel. */
const texture = (alpha = 255) => new DataTexture(Uint8Array.of(200, 100, 50, alpha), 1, 1);

describe('instances', () => {
  const pair = (material: Material) => {
    const mesh = new InstancedMesh(new PlaneGeometry(1, 2), material, 2);
    mesh.setMatrixAt(0, new Matrix4().makeTranslation(-0.5, 0, 0));
    mesh.setMatrixAt(1, new Matrix4().makeTranslation(0.5, 0, 0));
    return mesh;
  };
  const draw = (scene: Scene) => [...renderer.render(scene, front(), { width: 2, height: 1 }).rgb];

  it('multiply their color by the color of the material, in every frame', () => {
    const mesh = pair(colored(1, 0.8, 1));
    mesh.setColorAt(0, new Color(1, 0, 0));
    mesh.setColorAt(1, new Color(0, 0.5, 1));
    expect(draw(sceneOf(mesh))).toEqual([255, 0, 0, 0, 102, 255]);
    mesh.setColorAt(0, new Color(0, 0, 0.2));
    expect(draw(sceneOf(mesh))).toEqual([0, 0, 51, 0, 102, 255]);
  });

  it('apply their color to lit surfaces, but not to emissive light', () => {
    const mesh = pair(new MeshLambertMaterial({ emissive: new Color(0, 0, 0.2) }));
    mesh.setColorAt(0, new Color(1, 0, 0));
    mesh.setColorAt(1, new Color(0, 1, 0));
    expect(draw(sceneOf(mesh, new AmbientLight(0xffffff, Math.PI)))).toEqual([255, 0, 51, 0, 255, 51]);
  });
});

describe('levels of detail', () => {
  const lod = () => {
    const levels = new LOD();
    levels.addLevel(named(colored(1, 0, 0)), 0);
    levels.addLevel(named(colored(0, 1, 0)), 5);
    return levels;
  };

  it('are chosen by the distance from the camera in each frame', () => {
    const levels = lod();
    expect(pixel(sceneOf(levels))).toEqual([0, 255, 0]);
    levels.position.z = 8;
    expect(pixel(sceneOf(levels))).toEqual([255, 0, 0]);
  });

  it('do not change if autoUpdate is off', () => {
    const levels = lod();
    levels.levels[1]!.object.visible = false;
    levels.autoUpdate = false;
    expect(pixel(sceneOf(levels))).toEqual([255, 0, 0]);
  });
});

describe('scene.overrideMaterial', () => {
  it('replaces all visible materials that allow it', () => {
    const scene = sceneOf(named(colored(1, 0, 0)));
    scene.overrideMaterial = colored(0, 0, 1);
    expect(pixel(scene)).toEqual([0, 0, 255]);
    const { material } = scene.children[0] as Mesh<PlaneGeometry, Material>;
    material.allowOverride = false;
    expect(pixel(scene)).toEqual([255, 0, 0]);
    Object.assign(material, { allowOverride: true, visible: false });
    expect(pixel(scene)).toEqual([0, 0, 0]);
  });
});

describe('unsupported features throw an error', () => {
  const refused = (what: string, ...objects: Object3D[]) =>
    expect(() => pixel(sceneOf(...objects))).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_SCENE',
        message: expect.stringMatching(new RegExp(`${what}.*\\("leaf"\\)`)),
        hint: expect.stringMatching(/\w/),
      }),
    );

  it.each([
    ['wireframe', { wireframe: true }],
    ['displacementMap', { displacementMap: texture() }],
    ['clippingPlanes', { clippingPlanes: [new Plane()] }],
    ['blending', { blending: AdditiveBlending }],
    ['lightMap', { lightMap: texture() }],
    ['aoMap', { aoMap: texture() }],
    ['envMap', { envMap: texture() }],
    ['emissiveMap', { emissiveMap: texture() }],
    ['normalMap', { normalMap: texture() }],
    ['bumpMap', { bumpMap: texture() }],
    ['flatShading', { flatShading: true }],
    ['depthTest', { depthTest: false }],
    ['depthWrite', { depthWrite: false }],
    ['depthFunc', { depthFunc: NeverDepth }],
    ['colorWrite', { colorWrite: false }],
    ['stencilWrite', { stencilWrite: true }],
    ['polygonOffset', { polygonOffset: true }],
    ['transparent', { transparent: true, opacity: 0.5 }],
    ['transparent', { transparent: true, alphaMap: texture() }],
    ['transparent', { transparent: true, map: texture(254) }],
    ['alphaTest', { alphaTest: 0.5, map: texture(0) }],
    ['alphaHash', { alphaHash: true, opacity: 0.5 }],
    ['alphaToCoverage', { alphaToCoverage: true, opacity: 0.5 }],
    ['map.channel', { map: Object.assign(texture(), { channel: 1 }) }],
  ])('%s of a material, %#', (what, properties) => refused(what, named(new MeshLambertMaterial(properties))));

  it('transparent vertex colors, and transmission', () => {
    const geometry = new PlaneGeometry(4, 4);
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(16).fill(0.5), 4));
    refused('transparent', named(new MeshBasicMaterial({ transparent: true, vertexColors: true }), geometry));
    refused('transmission', named(new MeshPhysicalMaterial({ transmission: 1 })));
  });

  it('fog, and an environment that lights the material', () => {
    const scene = sceneOf(named(new MeshStandardMaterial()));
    scene.fog = new Fog(0xffffff);
    expect(() => pixel(scene)).toThrow(/with fog cannot be drawn \("leaf"\)/);
    scene.fog = null;
    scene.environment = texture();
    expect(() => pixel(scene)).toThrow(/with environment cannot be drawn \("leaf"\)/);
  });

  it('morph targets', () => {
    const geometry = new PlaneGeometry(4, 4);
    geometry.morphAttributes.position = [new BufferAttribute(new Float32Array(12), 3)];
    const mesh = named(colored(1, 0, 0), geometry);
    mesh.updateMorphTargets();
    expect(pixel(sceneOf(mesh))).toEqual([255, 0, 0]); // no influence yet
    mesh.morphTargetInfluences![0] = 0.5;
    refused('morph targets', mesh);
    expect(() => pixel(sceneOf(Object.assign(mesh.clone(), { name: '' })))).toThrow(/cannot be drawn \(id \d+\)/);
    const instanced = new InstancedMesh(geometry, mesh.material, 1);
    instanced.setMorphAt(0, mesh);
    refused('morph targets', Object.assign(instanced, { name: 'leaf' }));
  });

  it('several geometries in one mesh', () => {
    const batched = new BatchedMesh(1, 4, 6, colored(1, 0, 0));
    refused('BatchedMesh', Object.assign(batched, { name: 'leaf' }));
  });

  it('directional light on a mesh without normals', () => {
    const mesh = named(new MeshLambertMaterial());
    mesh.geometry.deleteAttribute('normal');
    expect(pixel(sceneOf(mesh, new AmbientLight(0xffffff, Math.PI)))).toEqual([255, 255, 255]);
    const sun = new DirectionalLight();
    sun.position.z = 1;
    refused('without normals', mesh, sun);
  });
});

describe('materials that three.js draws opaque are drawn', () => {
  it.each([
    [
      'opacity and alpha of a material that is not transparent',
      { opacity: 0.5, map: texture(0), alphaMap: texture(0) },
    ],
    ['a transparent material with opaque pixels', { transparent: true, map: texture() }],
    ['an alpha test that all pixels pass', { alphaTest: 0.5, map: texture() }],
  ])('%s', (_, properties) => {
    expect(pixel(sceneOf(named(new MeshBasicMaterial(properties))))).toEqual([200, 100, 50]);
  });

  it('a material without fog, and a material that ignores the environment', () => {
    const scene = sceneOf(named(new MeshBasicMaterial({ fog: false, color: new Color(0, 1, 0) })));
    scene.fog = new Fog(0xffffff);
    scene.environment = texture();
    expect(pixel(scene)).toEqual([0, 255, 0]);
  });
});
