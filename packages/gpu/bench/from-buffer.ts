/**
 * Measures the cost of the copy in `fromBuffer`, by size. It once shared the buffer's memory, which is not safe.
 *
 * Run with `npx tsx packages/gpu/bench/from-buffer.ts`. For scale: a tensor without any numbers, and one forward of the
 * tiny model takes milliseconds.
 */
import { empty, fromBuffer, setNumThreads } from '../src/index.js';

const ROUNDS = 15;

function median(calls: number, run: () => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const from = performance.now();
    for (let i = 0; i < calls; i += 1) run();
    return ((performance.now() - from) / calls) * 1000;
  });
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1]!;
}

setNumThreads(1);
console.log(`empty([0])  ${median(2_000, () => empty([0]).dispose()).toFixed(1)} µs`);
for (const [name, bytes] of [
  ['1 kB', 1e3],
  ['an 84 × 112 picture', 84 * 112 * 3],
  ['1 MB', 1e6],
  ['100 MB', 1e8],
] as const) {
  const array = new Uint8Array(bytes);
  const calls = Math.max(1, Math.min(2_000, Math.round(1e7 / bytes)));
  console.log(`${name}  ${median(calls, () => fromBuffer(array).dispose()).toFixed(1)} µs`);
}
