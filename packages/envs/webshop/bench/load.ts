/** The conditions of a measurement: the load of the machine, and a fixed piece of work as a measure of its speed now. */
import { loadavg } from 'node:os';

/** CPU time of all threads of this process, milliseconds. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Load of the last minute, as text. */
export const loadText = (): string => `load ${loadavg()[0]!.toFixed(1)}`;

const NUMBERS = Float64Array.from({ length: 100_000 }, (_, index) => (index * 2_654_435_761) % 4_294_967_291);

/** CPU time of sorting 100,000 numbers, milliseconds: other work on the same core slows it as it slows the rest. */
export function sortMilliseconds(): number {
  const start = cpuMilliseconds();
  Float64Array.from(NUMBERS).sort();
  return cpuMilliseconds() - start;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
