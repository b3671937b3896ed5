/** Random scenes of loose triangles: before, behind and across the camera, with every kind of material. */
import fc from 'fast-check';
import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  type Camera,
  ClampToEdgeWrapping,
  Color,
  type DataTexture,
  DirectionalLight,
  LinearFilter,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MirroredRepeatWrapping,
  NearestFilter,
  OrthographicCamera,
  PerspectiveCamera,
  RepeatWrapping,
  Scene,
  type Side,
  type Wrapping,
} from 'three';
import { drawTexture, randomNumbers } from './scenes.js';

export interface RandomScene {
  readonly scene: Scene;
  readonly camera: Camera;
  readonly width: number;
  readonly height: number;
}

const WRAPPINGS: readonly Wrapping[] = [RepeatWrapping, ClampToEdgeWrapping, MirroredRepeatWrapping];

const unit = fc.double({ min: 0, max: 1, noNaN: true });

/** Everything is derived from a seed, so that a counterexample is short. */
export const randomScenes: fc.Arbitrary<RandomScene> = fc
  .record({
    seed: fc.nat(),
    triangles: fc.integer({ min: 1, max: 12 }),
    width: fc.integer({ min: 1, max: 45 }),
    height: fc.integer({ min: 1, max: 37 }),
    orthographic: fc.boolean(),
    textured: fc.boolean(),
    lit: fc.boolean(),
    spread: unit,
    side: fc.constantFrom<Side>(0, 1, 2),
  })
  .map(({ seed, triangles, width, height, orthographic, textured, lit, spread, side }) => {
    const random = randomNumbers(seed);
    const scene = new Scene();
    if (random() < 0.5) scene.background = new Color().setRGB(random(), random(), random());
    scene.add(new AmbientLight(0xffffff, random() * 3));
    const sun = new DirectionalLight(0xffffff, random() * 3);
    sun.position.set(random() - 0.5, random(), random() - 0.5);
    scene.add(sun);
    const mesh = new Mesh(
      looseTriangles(random, triangles, 0.2 + spread * 6),
      new (lit ? MeshLambertMaterial : MeshBasicMaterial)({
        vertexColors: random() < 0.7,
        side,
        ...(textured && { map: randomTexture(random) }),
      }),
    );
    mesh.position.set(random() - 0.5, random() - 0.5, -random() * 3);
    mesh.scale.set(random() < 0.2 ? -1 : 1, 0.5 + random(), 1);
    mesh.userData.instanceId = 5;
    mesh.userData.classId = 9;
    scene.add(mesh);
    const near = 0.05 + random() * 0.5;
    const camera = orthographic
      ? new OrthographicCamera(-2, 2, 1.5, -1.5, near, near + 1 + random() * 5)
      : new PerspectiveCamera(30 + random() * 90, width / height, near, near + 1 + random() * 20);
    camera.rotation.set(random() - 0.5, random() - 0.5, random() - 0.5);
    return { scene, camera, width, height };
  });

function looseTriangles(random: () => number, count: number, spread: number): BufferGeometry {
  const geometry = new BufferGeometry();
  const fill = (size: number, value: () => number) =>
    new BufferAttribute(
      Float32Array.from({ length: count * 3 * size }, () => value()),
      size,
    );
  geometry.setAttribute(
    'position',
    fill(3, () => (random() - 0.5) * spread),
  );
  geometry.setAttribute(
    'normal',
    fill(3, () => random() - 0.5),
  );
  geometry.setAttribute(
    'uv',
    fill(2, () => (random() - 0.5) * 4),
  );
  geometry.setAttribute('color', fill(3, random));
  return geometry;
}

function randomTexture(random: () => number): DataTexture {
  const side = () => 1 + Math.floor(random() * 40);
  const texture = drawTexture(side(), side(), () => [random() * 256, random() * 256, random() * 256]);
  texture.wrapS = WRAPPINGS[Math.floor(random() * 3)]!;
  texture.wrapT = WRAPPINGS[Math.floor(random() * 3)]!;
  if (random() < 0.2) texture.magFilter = NearestFilter;
  if (random() < 0.2) texture.minFilter = LinearFilter;
  texture.flipY = random() < 0.5;
  texture.repeat.set(0.5 + random() * 3, 1);
  texture.rotation = random();
  return texture;
}
