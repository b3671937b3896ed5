/** The public behavior of the software renderer: buffers, ids, light, memory, errors. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  AmbientLight,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CubeTexture,
  DataTexture,
  DirectionalLight,
  Group,
  InstancedMesh,
  Line,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshNormalMaterial,
  type Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  PointLight,
  Scene,
  SphereGeometry,
  Texture,
} from 'three';
import { describe, expect, it } from 'vitest';
import { collected } from '../../../../test/support/collected.js';
import { createTypescriptKernel } from '../../test-support/typescript-kernel/typescript-kernel.js';
import { createRenderer } from '../create-renderer.js';
import { RenderError } from '../errors.js';
import { addLights, front, hallway, redBox, roomsInARow, sceneOf, walker } from '../fixtures/scenes.js';
import type { FrameRequest } from '../frame.js';
import { createSoftRenderer, type SoftRenderer, type SoftRendererOptions, softRendererOn } from './soft-renderer.js';

// bytes of linear light are easier to predict; color-space.test.ts is about sRGB
const linear: SoftRendererOptions = { outputColorSpace: 'srgb-linear' };
const renderer = createSoftRenderer(linear);
const pixel = (scene: Scene, options: SoftRendererOptions = {}) => [
  ...createSoftRenderer({ ...linear, ...options }).render(scene, front(), { width: 1, height: 1 }).rgb,
];

describe('a red box at the end of a hallway', () => {
  it('is drawn in color, depth and ids', () => {
    const { scene, camera } = hallway();
    const request = { width: 80, height: 60, rgb: true, depth: true, instances: true, segments: true } as const;
    const { rgb, depth, instances, segments } = renderer.render(scene, camera, request);
    const at = instances.indexOf(7) + 2 * 80 + 2;
    expect([instances[at], segments[at]]).toEqual([7, 3]);
    expect(depth[at]).toBeGreaterThan(7);
    expect(depth[at]).toBeLessThan(9);
    expect([...rgb.subarray(at * 3, at * 3 + 3)]).toEqual([expect.any(Number), 0, 0]);
  });
});

describe('buffers', () => {
  const { scene, camera } = hallway();
  const size = { width: 50, height: 31 };
  const length = 50 * 31;
  const expected = renderer.render(scene, camera, { ...size, rgb: true, rgba: true, depth: true });

  it('are exactly the requested ones, or rgb by default', () => {
    expect(Object.keys(renderer.render(scene, camera, size))).toEqual(['width', 'height', 'rgb']);
    expect(Object.keys(renderer.render(scene, camera, { ...size, depth: true, rgb: false }))).toEqual([
      'width',
      'height',
      'depth',
    ]);
  });

  it('are filled in place, shared or not, without touching adjacent memory', () => {
    const shared = new SharedArrayBuffer(length * 3 + 20);
    const all = new Uint8Array(shared).fill(77);
    const rgb = new Uint8Array(shared, 10, length * 3);
    const depth = new Float32Array(length + 2).fill(-5).subarray(1, length + 1);
    const frame = renderer.render(scene, camera, { ...size, rgb, depth });
    expect(frame.rgb).toBe(rgb);
    expect(Buffer.from(rgb).equals(expected.rgb)).toBe(true);
    expect([...all.subarray(0, 10), ...all.subarray(-10)]).toEqual(new Array(20).fill(77));
    expect(depth).toEqual(expected.depth);
    expect([...new Float32Array(depth.buffer, 0, 1), new Float32Array(depth.buffer).at(-1)]).toEqual([-5, -5]);
  });

  it('hold the same picture with and without alpha', () => {
    const withoutAlpha = expected.rgba.filter((_, index) => index % 4 !== 3);
    expect(Buffer.from(withoutAlpha).equals(expected.rgb)).toBe(true);
  });

  it('are those of the last frame as long as version, size and outputs are the same', () => {
    const { scene, camera } = roomsInARow();
    const draw = (request: Partial<FrameRequest>) =>
      renderer.render(scene, camera, { width: 16, height: 12, ...request });
    const [version, next] = [{}, {}];
    const first = draw({ version });
    scene.visible = false; // a change that the version does not tell
    const again = draw({ version });
    expect(again.rgb).toEqual(first.rgb);
    expect(again.rgb).not.toBe(first.rgb);
    const changed = draw({});
    expect(changed.rgb).not.toEqual(first.rgb);
    expect(draw({ version }).rgb).toEqual(changed.rgb);
    scene.visible = true;
    expect(draw({ version: next }).rgb).toEqual(first.rgb);
    scene.visible = false;
    expect(draw({ version: next, rgb: true, depth: true }).rgb).toEqual(changed.rgb);
    expect(draw({ version: next, width: 12, height: 16 }).rgb).not.toEqual(first.rgb);
  });

  it('are filled for several cameras and scenes by one call', () => {
    const other = roomsInARow();
    const frames = renderer.renderBatch([
      { scene, camera, ...size },
      { ...other, width: 9, height: 7, depth: true },
    ]);
    expect(frames[0]!.rgb).toEqual(expected.rgb);
    expect(frames[1]).toEqual(renderer.render(other.scene, other.camera, { width: 9, height: 7, depth: true }));
  });

  it('are filled with the same bytes by a worker thread', async () => {
    const shared = new SharedArrayBuffer(length * 6);
    const file = new URL('../fixtures/draw-in-worker.ts', import.meta.url).href;
    const api = import.meta.resolve('tsx/esm/api'); // lets the thread read TypeScript
    const code = `import('${api}').then(({ register }) => { register(); return import('${file}'); })`;
    const worker = new Worker(code, { eval: true, workerData: { shared, ...size } });
    expect(await once(worker, 'message')).toEqual(['drawn']);
    await worker.terminate();
    expect(Buffer.from(shared, length * 3).equals(expected.rgb)).toBe(true);
    expect(new Uint8Array(shared, 0, length * 3).every((byte) => byte === 0)).toBe(true);
  });
});

describe('ids', () => {
  it('come from the nearest ancestor that has them, and hidden objects have no ids', () => {
    const group = new Group();
    group.userData.instanceId = 4;
    group.userData.classId = 2;
    const [left, right, behind] = [0, 1, 2].map(() => new Mesh(new PlaneGeometry(1, 2), new MeshBasicMaterial()));
    left!.position.x = -0.5;
    right!.position.x = 0.5;
    right!.userData.instanceId = 5;
    behind!.position.set(0.5, 0, -1);
    behind!.userData.instanceId = 6;
    group.add(left!, right!, behind!);
    const frame = renderer.render(sceneOf(group), front(), { width: 2, height: 1, instances: true, segments: true });
    expect([...frame.instances, ...frame.segments]).toEqual([4, 5, 2, 2]);
  });

  it('count up over the instances of an InstancedMesh', () => {
    const mesh = new InstancedMesh(new PlaneGeometry(1, 2), new MeshBasicMaterial(), 2);
    mesh.setMatrixAt(0, new Matrix4().makeTranslation(-0.5, 0, 0));
    mesh.setMatrixAt(1, new Matrix4().makeTranslation(0.5, 0, 0));
    mesh.userData.instanceId = 10;
    expect([...renderer.render(sceneOf(mesh), front(), { width: 2, height: 1, instances: true }).instances]).toEqual([
      10, 11,
    ]);
  });

  it('of a pixel are the ids of the surface that covers most of it', () => {
    const mesh = new Mesh(new PlaneGeometry(2, 2), new MeshBasicMaterial());
    mesh.userData.instanceId = 1;
    const seen = [0.4, 1.1, 1.6].map((shift) => {
      mesh.position.x = shift; // covers 4, 2 and 1 of the 4 columns of samples
      return renderer.render(sceneOf(mesh), front(), { width: 1, height: 1, instances: true, rgba: true });
    });
    expect(seen.map(({ instances }) => instances[0])).toEqual([1, 0, 0]);
    expect(seen.map(({ rgba }) => rgba[3])).toEqual([191, 128, 64]);
  });
});

describe('light', () => {
  // ambient 0.65 = 0.2 + 0.45 and 0.7 from (1, 3.5, 1), as MiniWorld has them: `docs/specs/miniworld.md`, section 10
  const lit = (object: Object3D) => {
    const scene = sceneOf(object);
    addLights(scene);
    return scene;
  };
  const square = () => new Mesh(new PlaneGeometry(4, 4), new MeshLambertMaterial());

  it.each([
    ['a floor', [-Math.PI / 2, 0], 255],
    ['a ceiling', [Math.PI / 2, 0], 166],
    ['a wall that faces +z', [0, 0], 213],
    ['a wall that faces +x', [0, Math.PI / 2], 213],
    ['a wall that faces -z', [0, Math.PI], 166],
    ['a wall that faces -x', [0, -Math.PI / 2], 166],
  ])('on %s', (_, [x, y], expected) => {
    const mesh = square();
    mesh.rotation.set(x!, y!, 0);
    const camera = new PerspectiveCamera(60, 1, 0.1, 10);
    camera.position.set(0, 0, 3).applyEuler(mesh.rotation);
    camera.lookAt(0, 0, 0);
    expect([...renderer.render(lit(mesh), camera, { width: 1, height: 1 }).rgb]).toEqual(new Array(3).fill(expected));
  });

  it('ignores the scale of an object, or follows its scaled normals as in OpenGL', () => {
    const mesh = square();
    mesh.scale.setScalar(0.5);
    expect(pixel(lit(mesh), { normals: 'unit' })).toEqual([213, 213, 213]);
    // 0.65 + 2 * 0.7 / 3.7749
    expect(pixel(lit(mesh), { normals: 'scaled' })).toEqual([255, 255, 255]);
    mesh.scale.setScalar(4);
    // 0.65 + 0.7 / (4 * 3.7749) = 0.6964
    expect(pixel(lit(mesh), { normals: 'scaled' })).toEqual([178, 178, 178]);
  });

  it('is clamped to 1 before it is multiplied by the texture', () => {
    const map = new DataTexture(new Uint8Array([100, 200, 50, 255]), 1, 1);
    const mesh = new Mesh(new PlaneGeometry(4, 4), new MeshLambertMaterial({ map }));
    const scene = sceneOf(mesh, new AmbientLight(0xffffff, 2 * Math.PI));
    expect(pixel(scene)).toEqual([100, 200, 50]);
  });

  it('falls on the visible side, and emissive light is added', () => {
    const mesh = new Mesh(
      new PlaneGeometry(4, 4),
      new MeshLambertMaterial({ side: 2, emissive: new Color(0, 0, 0.2) }),
    );
    const sun = new DirectionalLight(0xffffff, 0.4 * Math.PI);
    sun.position.set(0, 0, 1);
    expect(pixel(sceneOf(mesh, sun))).toEqual([102, 102, 153]);
    mesh.rotation.y = Math.PI; // the back is visible and faces the light
    expect(pixel(sceneOf(mesh, sun))).toEqual([102, 102, 153]);
  });
});

describe('memory', () => {
  it('is released when geometries and textures are disposed', () => {
    const own = createSoftRenderer();
    const map = new DataTexture(new Uint8Array(64 * 64 * 4), 64, 64);
    const mesh = new Mesh(new SphereGeometry(1, 40, 30), new MeshBasicMaterial({ map }));
    const draw = (scene: Scene) => own.render(scene, front(), { width: 30, height: 30 });
    draw(sceneOf(mesh));
    const before = own.bytesUsed;
    for (let round = 0; round < 3; round += 1) {
      const other = new Mesh(new SphereGeometry(1, 20, 20), new MeshBasicMaterial({ map: map.clone() }));
      draw(sceneOf(mesh, other));
      expect(own.bytesUsed).toBeGreaterThan(before + 64 * 64 * 4);
      other.geometry.dispose();
      other.material.map!.dispose();
      expect(own.bytesUsed).toBe(before);
    }
  });

  it('is not retained by the scene after the renderer is disposed', async () => {
    const map = new DataTexture(new Uint8Array(4), 1, 1);
    const mesh = new Mesh(new PlaneGeometry(4, 4), new MeshBasicMaterial({ map }));
    const draw = (renderer: SoftRenderer) => renderer.render(sceneOf(mesh), front(), { width: 4, height: 4 });
    const [one, other] = [createSoftRenderer(), softRendererOn(createTypescriptKernel)];
    for (const renderer of [one, other]) draw(renderer);
    one.dispose();
    expect([one.bytesUsed, other.bytesUsed > 0]).toEqual([0, true]);
    const before = other.bytesUsed;
    mesh.geometry.dispose(); // the other renderer still listens
    expect(other.bytesUsed).toBeLessThan(before);

    // Listeners of a disposed renderer hold none of its memory, and are removed when the next renderer is added.
    const { arrayBuffers } = collected();
    for (let round = 0; round < 20; round += 1) {
      const renderer = softRendererOn(createTypescriptKernel);
      draw(renderer);
      renderer.dispose();
    }
    const listeners = [mesh.geometry, map].map((owner) => Object.values(Object(owner)._listeners ?? {}).flat().length);
    expect(Math.max(...listeners)).toBeLessThanOrEqual(2);
    await expect.poll(() => collected().arrayBuffers - arrayBuffers, { timeout: 10_000 }).toBeLessThan(1e6);
  });

  it('does not grow in a loop that awaits only resolved promises', async () => {
    const looped = createSoftRenderer();
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        const mesh = new Mesh(new SphereGeometry(1, 20, 20), new MeshBasicMaterial());
        await looped.render(sceneOf(mesh), front(), { width: 4, height: 4 });
        mesh.geometry.dispose();
      }
      return collected().heapUsed;
    };
    const [warm, bytes] = [await rounds(100), looped.bytesUsed];
    // Each of these spheres takes 20 kB.
    expect((await rounds(500)) - warm).toBeLessThan(1e6);
    expect(looped.bytesUsed).toBe(bytes);
  });

  it('follows changes of a texture and of a geometry', () => {
    const own = createSoftRenderer(linear);
    const map = new DataTexture(new Uint8Array([9, 9, 9, 255]), 1, 1);
    const mesh = new Mesh(new PlaneGeometry(4, 4), new MeshBasicMaterial({ map }));
    const draw = () => [...own.render(sceneOf(mesh), front(), { width: 1, height: 1 }).rgb];
    expect(draw()).toEqual([9, 9, 9]);
    (map.image.data as Uint8Array).fill(40);
    map.needsUpdate = true;
    expect(draw()).toEqual([40, 40, 40]);
    mesh.geometry.attributes.position!.array.fill(0);
    mesh.geometry.attributes.position!.needsUpdate = true;
    expect(draw()).toEqual([0, 0, 0]);
  });
});

describe('a wrong argument', () => {
  const size = { width: 4, height: 4 };
  const refused = (call: () => unknown, code: string, words: RegExp) => {
    let error: unknown;
    try {
      call();
    } catch (thrown) {
      error = thrown;
    }
    expect(RenderError.isInstance(error) && error).toMatchObject({ code, hint: expect.stringMatching(/\w/) });
    expect((error as Error).message).toMatch(words);
  };
  const draw = (...objects: Object3D[]) => renderer.render(sceneOf(...objects), front(), size);
  const material = (map: Texture | null) => new Mesh(new PlaneGeometry(), new MeshBasicMaterial({ map }));

  it.each([
    [{ width: 0, height: 4 }, /width: 0/],
    [{ width: 4, height: Number.NaN }, /height: NaN/],
    [{ width: 4, height: 9000 }, /height: 9000/],
    [{ width: 8192, height: 8192 }, /8192 x 8192[\s\S]*16777216/],
    [{ width: 4097, height: 4096 }, /4097 x 4096[\s\S]*4096 x 4096/],
    [{ ...size, rgb: new Uint8Array(47) }, /"rgb".*length 47[\s\S]*length 48/],
    [{ ...size, depth: new Float32Array(48) }, /"depth"/],
    [{ ...size, instances: new Uint8Array(16) as unknown as Int32Array }, /"instances"/],
  ])('frame: invalid size or buffer %#', (request, words) => {
    refused(() => renderer.render(new Scene(), front(), request), 'INVALID_FRAME', words);
  });

  it.each([
    [undefined, /undefined/],
    [null, /null/],
    [80, /80/],
  ])('frame: %s as a request', (request, words) => {
    refused(() => renderer.render(new Scene(), front(), request as never), 'INVALID_FRAME', words);
  });

  it.each([
    ['nothing', undefined, /undefined/],
    ['null', null, /null/],
    ['a mesh', redBox(), /Mesh/],
  ])('scene or camera: %s instead', (_, given, words) => {
    refused(() => renderer.render(given as never, front(), size), 'UNSUPPORTED_SCENE', words);
    refused(() => renderer.render(new Scene(), given as never, size), 'INVALID_CAMERA', words);
  });

  it.each([
    ['a position of NaN', (camera: PerspectiveCamera) => camera.position.setX(Number.NaN), /position/],
    ['near 0', (camera: PerspectiveCamera) => Object.assign(camera, { near: 0 }).updateProjectionMatrix(), /./],
    ['far before near', (camera: PerspectiveCamera) => Object.assign(camera, { far: 0.01 }), /far is 0.01/],
  ])('camera: %s', (_, change, words) => {
    const camera = walker();
    change(camera);
    refused(() => renderer.render(new Scene(), camera, size), 'INVALID_CAMERA', words);
  });

  it('texture: without bytes, not loaded, or of another kind', () => {
    const named = new Texture();
    named.name = 'bricks';
    refused(() => draw(material(named)), 'UNREADABLE_TEXTURE', /"bricks".*no image/);
    refused(() => draw(material(new CubeTexture() as Texture)), 'UNREADABLE_TEXTURE', /cannot be read/);
    const short = new DataTexture(new Uint8Array(5), 2, 2);
    refused(() => draw(material(short)), 'UNREADABLE_TEXTURE', /2 x 2/);
  });

  it('geometry: empty, out of range, or not finite', () => {
    const mesh = (geometry: BufferGeometry) => {
      const made = new Mesh(geometry, new MeshBasicMaterial());
      made.frustumCulled = false;
      return made;
    };
    refused(() => draw(mesh(new BufferGeometry())), 'UNREADABLE_GEOMETRY', /no positions/);
    const broken = new BufferGeometry();
    broken.setAttribute('position', new BufferAttribute(new Float32Array(9), 3));
    broken.setIndex([0, 1, 7]);
    refused(() => draw(mesh(broken)), 'UNREADABLE_GEOMETRY', /index 7/);
    const infinite = new BoxGeometry();
    infinite.attributes.position!.setX(3, Number.NaN);
    refused(() => draw(mesh(infinite)), 'UNREADABLE_GEOMETRY', /not finite/);
  });

  it('scene: lines, unsupported materials and lights, invalid ids and backgrounds', () => {
    refused(() => draw(new Line()), 'UNSUPPORTED_SCENE', /Line/);
    refused(() => draw(new Mesh(new BoxGeometry(), new MeshNormalMaterial())), 'UNSUPPORTED_SCENE', /MeshNormal/);
    refused(() => draw(new PointLight()), 'UNSUPPORTED_SCENE', /PointLight/);
    const box = redBox();
    box.userData.instanceId = 1.5;
    refused(() => draw(box), 'UNSUPPORTED_SCENE', /instanceId/);
    const scene = new Scene();
    scene.background = new Texture();
    refused(() => renderer.render(scene, front(), size), 'UNSUPPORTED_SCENE', /background/);
  });

  it('option: samples, kernel, backend', async () => {
    refused(() => createSoftRenderer({ samples: 2 as 4 }), 'INVALID_OPTION', /Invalid samples: 2\.[\s\S]*1, 4/);
    await expect(createRenderer({ backend: 'metal' as 'gpu' })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  it('does not change the renderer', () => {
    const { scene, camera } = hallway();
    const before = renderer.render(scene, camera, size);
    refused(() => draw(redBox(), new Line()), 'UNSUPPORTED_SCENE', /Line/);
    expect(renderer.render(scene, camera, size)).toEqual(before);
  });

  it('a call after dispose', () => {
    const disposed = createSoftRenderer();
    disposed.dispose();
    disposed.dispose();
    refused(() => disposed.render(new Scene(), front(), size), 'CLOSED', /disposed/);
    refused(() => disposed.renderBatch([]), 'CLOSED', /disposed/);
  });
});
