/** A worker thread that draws the hallway into the second half of a shared buffer. */
import { parentPort, workerData } from 'node:worker_threads';
import { createSoftRenderer } from '../index.js';
import { hallway } from './scenes.js';

const { shared, width, height } = workerData as { shared: SharedArrayBuffer; width: number; height: number };
const { scene, camera } = hallway();
const length = width * height * 3;
createSoftRenderer().render(scene, camera, { width, height, rgb: new Uint8Array(shared, length, length) });
parentPort!.postMessage('drawn');
