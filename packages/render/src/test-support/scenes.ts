/** Scenes for tests, benchmarks and the contact sheet: rooms like MiniWorld's, with textures drawn here. */
import {
  AmbientLight,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DirectionalLight,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  RepeatWrapping,
  Scene,
  SphereGeometry,
} from 'three';

/** Bytes of a texture from a function of the texel; rows from v = 0 upwards. */
export function drawTexture(
  width: number,
  height: number,
  texel: (x: number, y: number) => readonly [red: number, green: number, blue: number],
): DataTexture {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) data.set(texel(x, y), (y * width + x) * 4);
  }
  const texture = new DataTexture(data, width, height);
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.minFilter = 1008; // LinearMipmapLinearFilter
  texture.magFilter = 1006; // LinearFilter
  texture.needsUpdate = true;
  return texture;
}

/** A small generator for textures and test scenes (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Chess board of 4 x 4 fields with a little noise. */
export function tiles(size = 512): DataTexture {
  const random = randomNumbers(1);
  return drawTexture(size, size, (x, y) => {
    const dark = (Math.floor((x * 4) / size) + Math.floor((y * 4) / size)) % 2 === 0;
    const value = (dark ? 49 : 221) + Math.floor(random() * 20 - 10);
    return [value, value, value - 2];
  });
}

/** Grey noise around a mean. */
export function concrete(size = 512, mean = 152): DataTexture {
  const random = randomNumbers(2);
  return drawTexture(size, size, (x, y) => {
    const value = mean + Math.floor(random() * 14 - 7) - (x % 256 < 4 || y % 256 < 4 ? 30 : 0);
    return [value, value, value - 4];
  });
}

/** A flat convex polygon, corners counter-clockwise, with texture coordinates. */
export function polygon(corners: readonly (readonly number[])[], uvs: readonly (readonly number[])[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners.flat()), 3));
  geometry.setAttribute('uv', new BufferAttribute(Float32Array.from(uvs.flat()), 2));
  const index: number[] = [];
  for (let corner = 2; corner < corners.length; corner += 1) index.push(0, corner - 1, corner);
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

/** One rectangular room: floor, ceiling and four walls that look inwards. */
export function addRoom(
  scene: Scene,
  [minX, maxX, minZ, maxZ]: readonly [number, number, number, number],
  { floor, wall, ceiling }: Readonly<Record<'floor' | 'wall' | 'ceiling', DataTexture>>,
): void {
  const height = 2.74;
  const outline = [
    [maxX, maxZ],
    [maxX, minZ],
    [minX, minZ],
    [minX, maxZ],
  ] as const;
  const add = (geometry: BufferGeometry, map: DataTexture) => {
    scene.add(new Mesh(geometry, new MeshLambertMaterial({ map })));
  };
  const flat = outline.map(([x, z]) => [x, z]);
  add(
    polygon(
      outline.map(([x, z]) => [x, 0, z]),
      flat,
    ),
    floor,
  );
  const reversed = [...outline].reverse();
  add(
    polygon(
      reversed.map(([x, z]) => [x, height, z]),
      [...flat].reverse(),
    ),
    ceiling,
  );
  outline.forEach(([x, z], index) => {
    const [nextX, nextZ] = outline[(index + 1) % 4]!;
    const length = Math.hypot(nextX - x, nextZ - z);
    const corners = [
      [x, 0, z],
      [x, height, z],
      [nextX, height, nextZ],
      [nextX, 0, nextZ],
    ];
    const uvs = [
      [0, 0],
      [0, height],
      [length, height],
      [length, 0],
    ];
    add(polygon(corners, uvs), wall);
  });
}

export function addLights(scene: Scene): void {
  scene.add(new AmbientLight(new Color().setRGB(0.65, 0.65, 0.65), Math.PI));
  const sun = new DirectionalLight(new Color().setRGB(0.7, 0.7, 0.7), Math.PI);
  sun.position.set(1, 3.5, 1);
  scene.add(sun);
}

export function redBox(size = 0.8): Mesh {
  return new Mesh(new BoxGeometry(size, size, size), new MeshLambertMaterial({ color: new Color().setRGB(1, 0, 0) }));
}

export interface View {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
}

/** A hallway of 12 m with a red box near its end, seen by a walker. */
export function hallway({ x = 1, angle = 0.1, aspect = 4 / 3 } = {}): View {
  const scene = new Scene();
  scene.background = new Color().setRGB(0.25, 0.82, 1);
  addLights(scene);
  addRoom(scene, [-1, 12, -2, 2], { floor: tiles(), wall: concrete(), ceiling: concrete(768, 161) });
  const box = redBox();
  box.position.set(9, 0.4, -0.5);
  box.rotation.y = 0.7;
  box.userData.instanceId = 7;
  box.userData.classId = 3;
  scene.add(box);
  return { scene, camera: walker({ x, angle, aspect }) };
}

/** A camera 1.5 m above the floor, looking along (cos angle, 0, -sin angle). */
export function walker({ x = 0, z = 0, angle = 0, aspect = 4 / 3 } = {}): PerspectiveCamera {
  const camera = new PerspectiveCamera(60, aspect, 0.04, 100);
  camera.position.set(x, 1.5, z);
  camera.lookAt(x + Math.cos(angle), 1.5, z - Math.sin(angle));
  return camera;
}

/** Four rooms in a row, a shaded ball in the first: much that is hidden, and many small triangles. */
export function roomsInARow(): View {
  const scene = new Scene();
  scene.background = new Color().setRGB(0.25, 0.82, 1);
  addLights(scene);
  const textures = { floor: tiles(256), wall: concrete(200, 140), ceiling: concrete(96) };
  for (let room = 0; room < 4; room += 1) addRoom(scene, [room * 4, room * 4 + 4, -2, 2], textures);
  const ball = new Mesh(
    new SphereGeometry(0.6, 32, 24),
    new MeshLambertMaterial({ color: new Color().setRGB(0.44, 0.15, 0.76), map: concrete(64, 220) }),
  );
  ball.position.set(2.6, 0.8, 0.4);
  ball.userData.instanceId = 2;
  scene.add(ball);
  const lamp = new Mesh(new SphereGeometry(0.2, 8, 6), new MeshBasicMaterial({ color: new Color().setRGB(1, 1, 0.8) }));
  lamp.position.set(2.4, 2.2, -0.6);
  scene.add(lamp);
  return { scene, camera: walker({ x: 0.5, angle: 0.1 }) };
}
