/**
 * Frames per CPU-second of the software renderer with 4 samples per pixel: WebAssembly and its TypeScript oracle in the
 * same run. CPU time includes all threads of the process.
 *
 * The goal is four times the rate of `step` in MiniWorld 2.1.0 with an RGB observation (Mesa llvmpipe, 4 samples). The
 * cited rates were measured on another machine on two days and are not measured here.
 *
 * Run it with `npx tsx packages/render/bench/frames.ts [seconds per cell]` on an idle machine.
 */

import { hallway, roomsInARow, type View } from '../src/fixtures/scenes.js';
import { createSoftRenderer } from '../src/index.js';
import { softRendererOn } from '../src/soft/soft-renderer.js';
import { createTypescriptKernel } from '../test-support/typescript-kernel/typescript-kernel.js';

const SIZES = [
  { width: 80, height: 60, cited: [1450, 2700], goal: 11_000 },
  { width: 224, height: 224, cited: [300, 490], goal: 2000 },
  { width: 640, height: 480, cited: [57, 73], goal: 300 },
];
const seconds = Number(process.argv[2] ?? 2);
const wasm = createSoftRenderer();
const typescript = softRendererOn(createTypescriptKernel);

console.log(
  `this machine now: ${multiplyAdds().toFixed(0)} dependent multiply-adds per CPU-microsecond (750 at 3 GHz)`,
);
console.log('frames per CPU-second       wasm   TypeScript   ratio   cited original    goal');
for (const [name, scene] of Object.entries({ hallway: hallway(), roomsInARow: roomsInARow() })) {
  for (const { width, height, cited, goal } of SIZES) {
    const fast = measure(wasm, scene, width, height, seconds);
    const slow = measure(typescript, scene, width, height, seconds / 2);
    const columns = [
      `${name} ${width}x${height}`.padEnd(22),
      fast.toFixed(0).padStart(9),
      slow.toFixed(1).padStart(12),
      `${(fast / slow).toFixed(0)}x`.padStart(7),
      cited.join(' - ').padStart(16),
      `${goal} ${fast >= goal ? 'met' : 'missed'}`.padStart(14),
    ];
    console.log(columns.join(' '));
  }
}

function measure(renderer: typeof wasm, { scene, camera }: View, width: number, height: number, wanted: number) {
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  const rgb = new Uint8Array(width * height * 3);
  const draw = () => renderer.render(scene, camera, { width, height, rgb });
  const rate = (limit: number) => {
    const start = process.cpuUsage();
    // Reading the clock can cost as much as a small frame.
    for (let frames = 0, batch = 1; ; batch = Math.min(batch * 2, Math.ceil(2e6 / (width * height)))) {
      for (let frame = 0; frame < batch; frame += 1) draw();
      frames += batch;
      const { user, system } = process.cpuUsage(start);
      if (user + system > limit * 1e6) return frames / ((user + system) / 1e6);
    }
  };
  rate(wanted / 4); // warm up
  return rate(wanted);
}

/** The current speed of this machine; other processes on the same cores slow it down as much as a low clock rate. */
function multiplyAdds(): number {
  let state = 1;
  const start = process.cpuUsage();
  for (let step = 0; step < 50_000_000; step += 1) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  const { user, system } = process.cpuUsage(start);
  return 50_000_000 / (user + system + (state & 1));
}
