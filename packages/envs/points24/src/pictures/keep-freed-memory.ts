/**
 * Keeps the memory of old pictures in the process, so that new ones need no fresh pages from the kernel.
 *
 * By default glibc returns freed blocks of this size to the kernel at once, and the kernel clears and maps 66 pages anew
 * for each 300 x 300 picture: that costs several times the copying itself (`bench/steps.ts`). glibc raises its
 * thresholds to the largest block it has ever seen mapped and freed, up to 32 MiB. So one such block is made and
 * dropped; it is never touched and therefore takes no memory itself. Other allocators are not affected.
 */
const LARGEST_ADAPTED = 32 * 2 ** 20 - 64 * 1024;

let done = false;

export function keepFreedMemory(): void {
  if (done || typeof Buffer === 'undefined') return;
  done = true;
  Buffer.allocUnsafeSlow(LARGEST_ADAPTED);
}
