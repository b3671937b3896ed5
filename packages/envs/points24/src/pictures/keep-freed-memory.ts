/**
 * Keeps the memory of old pictures in the process, so that new pictures need no new pages from the kernel.
 *
 * By default glibc returns freed blocks of this size to the kernel, and the kernel clears and maps 66 pages for each
 * 300 x 300 picture. That costs several times as much as copying the picture (`bench/steps.ts`). glibc raises its
 * threshold to the largest block that was mapped and freed, up to 32 MiB. So one such block is allocated and dropped;
 * it is never touched, so it uses no physical memory. Other allocators are not affected.
 */
const MAX_ADAPTED_BYTES = 32 * 2 ** 20 - 64 * 1024;

let done = false;

export function keepFreedMemory(): void {
  if (done || typeof Buffer === 'undefined') return;
  done = true;
  Buffer.allocUnsafeSlow(MAX_ADAPTED_BYTES);
}
