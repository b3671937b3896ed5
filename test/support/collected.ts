/** Memory in use after a full garbage collection, without an option on the command line of Node. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collectGarbage: (() => void) | undefined;

/** Runs in the current macrotask: what only a later one would release still counts. */
export function collected(): NodeJS.MemoryUsage {
  if (!collectGarbage) {
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc') as () => void;
  }
  // array buffers are swept beside the program: the second collection waits for what the first has found
  collectGarbage();
  collectGarbage();
  return process.memoryUsage();
}
