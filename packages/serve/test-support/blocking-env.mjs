/** An environment whose step keeps its thread busy, and one that writes to standard output. For tests of servers. */
import { existsSync } from 'node:fs';
import { BaseEnv, register, spaces } from '@vlgym/core';

class BlockingEnv extends BaseEnv {
  observationSpace = spaces.discrete(100);
  actionSpace = spaces.discrete(3);
  #count = 0;

  /** `busyUntil` names a file: step 1 ends when it is there. */
  constructor({ busyUntil } = {}) {
    super();
    this.busyUntil = busyUntil;
  }

  reset({ seed } = {}) {
    if (seed !== undefined) this.reseed(seed);
    this.#count = 0;
    return { observation: 0, info: {} };
  }

  step(action) {
    // a server tries a random step before it serves
    const isBusy = () => action === 1 && this.busyUntil !== undefined && !existsSync(this.busyUntil);
    while (isBusy()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    if (action === 2) throw new Error('the environment is broken');
    this.#count += 1;
    console.log('a line on standard output');
    return { observation: this.#count, reward: 0.5, terminated: this.#count >= 5, truncated: false, info: {} };
  }
}

register({ id: 'test/Blocking-v0', module: import.meta.url, entryPoint: (options) => new BlockingEnv(options) });
