/**
 * Two worker threads against one thread: pictures per second of the same worlds, drawn into one `SharedArrayBuffer`.
 *
 *   npx tsup && node bench/workers.mjs [steps per round]
 *
 * Every thread has a vector over its part of the worlds. "Free": threads do not wait, as with an asynchronous sampler.
 * "Lockstep": all threads wait after every step, as with a policy that answers all worlds at once; waking threads then
 * costs as much as a step of less than a millisecond. Rounds alternate and medians are reported. Goal: 1.9 times as
 * fast when free, on two idle cores. On busy cores, use CPU time instead: twice its ratio estimates the speedup on two
 * idle cores.
 */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createMiniWorldVector } from '../dist/index.js';

const WORLDS = 16;
const THREADS = 2;
const ROUNDS = 9;
/** Cells of the signal: the step to play to, and the total number of times that threads have reached it. */
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
  for (let taken = 0; ; ) {
    Atomics.wait(signal, GO, taken);
    const until = Atomics.load(signal, GO);
    for (; taken < until; taken += 1) vector.step(actionsOf(taken, count, index * count));
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

  const order = (steps) => {
    const wanted = Atomics.load(signal, DONE) + THREADS;
    Atomics.add(signal, GO, steps);
    Atomics.notify(signal, GO);
    for (let done = Atomics.load(signal, DONE); done < wanted; done = Atomics.load(signal, DONE)) {
      Atomics.wait(signal, DONE, done);
    }
  };
  const ways = {
    one: () => {
      for (let step = 0; step < steps; step += 1) alone.step(actionsOf(step, WORLDS));
    },
    lockstep: () => {
      for (let step = 0; step < steps; step += 1) order(1);
    },
    free: () => order(steps),
  };
  const ratios = { free: [], lockstep: [], freeByCpu: [] };
  let rate = 0;
  for (let round = -2; round < ROUNDS; round += 1) {
    const took = {};
    for (const [way, play] of Object.entries(ways)) {
      const [start, cpuStart] = [performance.now(), process.cpuUsage()];
      play();
      const { user, system } = process.cpuUsage(cpuStart);
      took[way] = { time: performance.now() - start, cpu: user + system };
    }
    if (round < 0) continue;
    ratios.free.push(took.one.time / took.free.time);
    ratios.lockstep.push(took.one.time / took.lockstep.time);
    ratios.freeByCpu.push((THREADS * took.one.cpu) / took.free.cpu);
    rate = Math.max(rate, (1000 * steps * WORLDS) / took.free.time);
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
  const median = (values) => Number(values.toSorted((a, b) => a - b)[values.length >> 1].toFixed(2));
  return {
    world: `${cell.name} ${cell.width}x${cell.height}`,
    'pictures/s with two, best': Math.round(rate),
    'freely, against one': median(ratios.free),
    'the same by CPU time': median(ratios.freeByCpu),
    'in lockstep': median(ratios.lockstep),
  };
}

if (isMainThread) {
  const steps = Number(process.argv[2] ?? 720);
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
