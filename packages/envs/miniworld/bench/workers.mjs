/**
 * Two worker threads against one thread: pictures per second of the same worlds, drawn into one `SharedArrayBuffer`.
 *
 *   npx tsup && node bench/workers.mjs [steps per round]
 *
 * Every thread has a vector over its part of the worlds; all step together, as a trainer asks for it. Rounds alternate,
 * medians count. Goal: 1.9 times as fast on two idle cores. Where others use the cores as well, time says little and CPU time
 * more: its ratio, twice over, is what two idle cores would give.
 */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createMiniWorldVector } from '../dist/index.js';

const WORLDS = 16;
const THREADS = 2;
const ROUNDS = 9;
/** Cells of the signal: which step to take, and how many steps all threads have taken together. */
const [GO, DONE] = [0, 1];

const actionsOf = (step, count, first = 0) =>
  Array.from({ length: count }, (_, index) => (Math.imul(step + 7 * (first + index), 40_503) >>> 4) % 3);

async function vectorOf({ name, width, height }, frames, count, seed) {
  const vector = await createMiniWorldVector(name, {
    numEnvs: count,
    options: { obsWidth: width, obsHeight: height },
    frames,
  });
  vector.reset({ seed });
  return vector;
}

async function serve() {
  const { signal, shared, cell, index } = workerData;
  const count = WORLDS / THREADS;
  const bytes = 3 * cell.width * cell.height * count;
  const vector = await vectorOf(cell, new Uint8Array(shared, index * bytes, bytes), count, index * count);
  parentPort.postMessage('ready');
  for (let step = 1; ; step += 1) {
    while (Atomics.load(signal, GO) < step) Atomics.wait(signal, GO, step - 1);
    vector.step(actionsOf(step, count, index * count));
    Atomics.add(signal, DONE, 1);
    Atomics.notify(signal, DONE);
  }
}

async function measure(cell, steps) {
  const shared = new SharedArrayBuffer(3 * cell.width * cell.height * WORLDS);
  const signal = new Int32Array(new SharedArrayBuffer(8));
  const alone = await vectorOf(cell, new Uint8Array(shared), WORLDS, 0);
  const workers = Array.from(
    { length: THREADS },
    (_, index) => new Worker(new URL(import.meta.url), { workerData: { signal, shared, cell, index } }),
  );
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));

  const ways = {
    one: (step) => alone.step(actionsOf(step, WORLDS)),
    two: () => {
      const wanted = THREADS * (Atomics.add(signal, GO, 1) + 1);
      Atomics.notify(signal, GO);
      for (let done = Atomics.load(signal, DONE); done < wanted; done = Atomics.load(signal, DONE)) {
        Atomics.wait(signal, DONE, done);
      }
    },
  };
  const ratios = { time: [], cpu: [] };
  let rate = 0;
  for (let round = -2; round < ROUNDS; round += 1) {
    const took = {};
    for (const [way, take] of Object.entries(ways)) {
      const [start, cpuStart] = [performance.now(), process.cpuUsage()];
      for (let step = 0; step < steps; step += 1) take(step);
      const { user, system } = process.cpuUsage(cpuStart);
      took[way] = { time: performance.now() - start, cpu: user + system };
    }
    if (round < 0) continue;
    for (const kind of ['time', 'cpu']) ratios[kind].push(took.one[kind] / took.two[kind]);
    rate = Math.max(rate, (1000 * steps * WORLDS) / took.two.time);
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
  const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
  return {
    world: `${cell.name} ${cell.width}x${cell.height}`,
    'pictures/s with two, best': Math.round(rate),
    'faster than one': Number(median(ratios.time).toFixed(2)),
    'by CPU time': Number((THREADS * median(ratios.cpu)).toFixed(2)),
  };
}

if (isMainThread) {
  const steps = Number(process.argv[2] ?? 60);
  console.log(`${WORLDS} worlds, ${availableParallelism()} processors, medians of ${ROUNDS} rounds`);
  const rows = [];
  for (const name of ['Hallway', 'FourRooms']) {
    rows.push(await measure({ name, width: 80, height: 60 }, steps));
    rows.push(await measure({ name, width: 224, height: 224 }, Math.ceil(steps / 6)));
  }
  console.table(rows);
} else {
  await serve();
}
