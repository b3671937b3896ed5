/** Every process gets a fixed number of threads, so that parallel runs share the cores. */
import { availableParallelism } from 'node:os';

export const cores = (): number => Math.max(1, availableParallelism());

/** Threads of each of `jobs` processes that run side by side. */
export const threadsPerJob = (jobs: number): number => Math.max(1, Math.floor(cores() / jobs));
