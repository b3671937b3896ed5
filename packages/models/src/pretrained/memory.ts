/** How much memory a model needs, known from its headers before anything is read. */
import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import type { DType } from '@vlgym/gpu';

export const BYTES: Readonly<Partial<Record<DType, number>>> = { float64: 8, float32: 4, bfloat16: 2, float16: 2 };

/** Memory of this machine that can be had without swapping, in bytes. */
export function availableMemory(): number {
  try {
    const line = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'));
    if (line) return Number(line[1]) * 1024;
  } catch {
    // another system than Linux
  }
  return freemem();
}

export function weightBytes(parameters: number, dtype: DType): number {
  return parameters * (BYTES[dtype] ?? 8);
}
