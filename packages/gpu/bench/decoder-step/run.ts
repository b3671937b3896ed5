/**
 * One training step of a small decoder: TypeScript against Python on libtorch, step by step in turn, medians.
 * Goal: at most 1.1 times Python's time.
 *
 * Run with `npx tsx packages/gpu/bench/decoder-step/run.ts [threads] [steps]`. `VLGYM_BENCH_PYTHON` names a Python with
 * torch, of the same version; without one only our own time is shown.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Generator, getNumThreads, libtorchVersion, optim, randint, setNumThreads, tidy } from '../../src/index.js';
import { Decoder, SHAPE } from './decoder.js';

const threads = Number(process.argv[2] ?? getNumThreads());
const steps = Number(process.argv[3] ?? 15);
const WARM_UP = 3;

setNumThreads(threads);
const generator = new Generator(0);
const model = new Decoder(generator);
const optimizer = new optim.Adam(model.parameters(), { lr: 1e-3 });
const ids = randint(0, SHAPE.vocabulary, [SHAPE.batch, SHAPE.tokens + 1], { generator });

function step(): { milliseconds: number; loss: number } {
  const start = performance.now();
  const loss = tidy(() => {
    optimizer.zeroGrad();
    const loss = model.forward(ids);
    loss.backward();
    optimizer.step();
    return loss.item();
  });
  return { milliseconds: performance.now() - start, loss };
}

/** Starts the peer; undefined when it cannot import torch. */
async function startPeer(): Promise<{ child: ChildProcess; version: string; step: () => Promise<number> } | undefined> {
  const script = fileURLToPath(new URL('./peer.py', import.meta.url));
  const child = spawn(process.env.VLGYM_BENCH_PYTHON ?? 'python3', [script, String(threads)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) return undefined;
  const step = async () => {
    child.stdin.write('step\n');
    return Number.parseFloat(String((await lines.next()).value));
  };
  return { child, version: first.value, step };
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

const peer = await startPeer();
const nodeTimes: number[] = [];
const pythonTimes: number[] = [];
let loss = 0;
for (let i = 0; i < WARM_UP + steps; i += 1) {
  const measured = step();
  const other = await peer?.step();
  loss = measured.loss;
  if (i < WARM_UP) continue;
  nodeTimes.push(measured.milliseconds);
  if (other !== undefined) pythonTimes.push(other);
}
console.log(
  `Node   ${median(nodeTimes).toFixed(1)} ms per step, ${threads} threads, libtorch ${libtorchVersion()}, loss ${loss.toFixed(3)}`,
);
if (peer) {
  console.log(`Python ${median(pythonTimes).toFixed(1)} ms per step, torch ${peer.version}`);
  console.log(`ratio  ${(median(nodeTimes) / median(pythonTimes)).toFixed(3)} (goal: at most 1.1)`);
  peer.child.kill();
} else {
  console.log('no ratio: python3 cannot import torch; name one that can in VLGYM_BENCH_PYTHON');
}
