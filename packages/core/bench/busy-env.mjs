// An environment with `work` operations and a 224 x 224 picture per step.
import { BaseEnv, register, spaces } from '../dist/index.js';

class BusyEnv extends BaseEnv {
  observationSpace = spaces.image({ height: 224, width: 224 });
  actionSpace = spaces.discrete(2);
  #work;
  #level = 0;

  constructor({ work } = {}) {
    super();
    this.#work = work;
  }

  #draw() {
    let x = this.#level + 1;
    for (let i = 0; i < this.#work; i += 1) x = (Math.imul(x, 1_664_525) + 1_013_904_223) | 0;
    const data = new Uint8Array(224 * 224 * 3).fill(x & 0xff);
    return { data, height: 224, width: 224, channels: 3 };
  }

  reset({ seed = 0 } = {}) {
    this.#level = seed;
    return { observation: this.#draw(), info: {} };
  }

  step() {
    this.#level += 1;
    return { observation: this.#draw(), reward: 0, terminated: false, truncated: false, info: {} };
  }
}

register({ id: 'bench/Busy-v0', module: import.meta.url, entryPoint: (options) => new BusyEnv(options) });
