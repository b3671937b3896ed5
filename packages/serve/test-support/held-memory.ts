/**
 * Memory of the program after a collection, in bytes: unlike the size of the process, it does not depend on the allocator.
 */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export async function heldMemory(): Promise<number> {
  // what a collection finds out of use may end in callbacks, which let go of more
  for (let round = 0; round < 3; round += 1) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
