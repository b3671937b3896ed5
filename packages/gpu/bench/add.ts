/**
 * Measures the cost of one call: `x.add(y)` on tensors of one entry, from TypeScript. Goal: at most 1 µs.
 *
 * Run with `npx tsx packages/gpu/bench/add.ts`. "the call alone" is an N-API call that does nothing in libtorch;
 * "libtorch and the table" is the same addition through the addon without our class.
 */

import { noGrad, setNumThreads, tensor } from '../src/index.js';
import { native } from '../src/native/load.js';

const CALLS = 100_000;
const ROUNDS = 15;

function median(run: () => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const from = process.hrtime.bigint();
    for (let i = 0; i < CALLS; i += 1) run();
    return Number(process.hrtime.bigint() - from) / CALLS;
  });
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1]!;
}

setNumThreads(1);
const [x, y] = [tensor([1]), tensor([2])];
const addon = native();
const rows: [string, () => void][] = [
  ['the call alone', () => addon.isGradEnabled()],
  ['libtorch and the table', () => addon.dispose(addon.add(x.handle, y.handle, 1))],
  ['x.add(y)', () => x.add(y).dispose()],
  ['x.add(1)', () => x.add(1).dispose()],
  ['x.mul(y)', () => x.mul(y).dispose()],
  ['x.add_(y)', () => x.add_(y)],
];
for (const [, run] of rows) median(run);
for (const [name, run] of rows) console.log(`${name.padEnd(26)} ${median(run).toFixed(0).padStart(6)} ns`);
noGrad(() =>
  console.log(
    `${'x.add(y) under noGrad'.padEnd(26)} ${median(() => x.add(y).dispose())
      .toFixed(0)
      .padStart(6)} ns`,
  ),
);
