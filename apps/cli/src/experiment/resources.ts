/** Cores and memory are shared deliberately: every process is told how many threads it may use. */
import { availableParallelism } from 'node:os';

export const cores = (): number => Math.max(1, availableParallelism());

/** Threads of each of `jobs` processes that run side by side. */
export const threadsPerJob = (jobs: number): number => Math.max(1, Math.floor(cores() / jobs));
