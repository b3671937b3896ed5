import { writeFile } from 'node:fs/promises';
import { createSoftRenderer } from '@vlgym/render';
import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
} from 'three';

const scene = new Scene();
scene.background = new Color(0.25, 0.82, 1);
const sun = new DirectionalLight(0xffffff, 0.7 * Math.PI);
sun.position.set(1, 3.5, 1);
scene.add(new AmbientLight(0xffffff, 0.65 * Math.PI), sun);

const box = new Mesh(new BoxGeometry(0.8, 0.8, 0.8), new MeshLambertMaterial({ color: new Color(1, 0, 0) }));
box.userData.instanceId = 7;
scene.add(box);

const camera = new PerspectiveCamera(60, 80 / 60, 0.04, 100);
camera.position.set(2, 1.5, 1.5);
camera.lookAt(0, 0, 0);

const renderer = createSoftRenderer();
const { rgb, depth, instances } = renderer.render(scene, camera, {
  width: 80,
  height: 60,
  rgb: true,
  depth: true,
  instances: true,
});
const center = 30 * 80 + 40;
console.log(
  `object ${instances[center]} at ${depth[center]!.toFixed(2)} m, color ${rgb.subarray(center * 3, center * 3 + 3)}`,
);
await writeFile('red-box.ppm', Buffer.concat([Buffer.from('P6 80 60 255\n'), rgb]));
renderer.dispose();
