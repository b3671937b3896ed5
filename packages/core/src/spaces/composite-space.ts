/**
 * What spaces made of spaces share: seeds and states, handed down in the order of the children.
 *
 * Rules of seeding follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/{dict,tuple,sequence,graph,oneof}.py`: no
 * seed is fresh entropy everywhere, an integer draws one sub-seed per child, a list seeds one by one.
 */
import { InvalidSeedError, InvalidStateError } from '../random/index.js';
import { BaseSpace } from './base-space.js';
import { isRecord } from './json-data.js';
import type { Space } from './space.js';

/** Sub-seeds are below this, like in Gymnasium. */
const SUB_SEEDS = 2147483647;

export abstract class CompositeSpace<T> extends BaseSpace<T> {
  /** In the order of seeds and states. */
  protected abstract readonly children: readonly Space[];
  /** True where samples also use this space's own generator; then its seed and state come first. */
  protected abstract readonly drawsItself: boolean;

  /**
   * @param seed  Nothing, an integer, or a list: one seed per child, before them one for this space if it draws itself.
   * @returns The seeds used, laid out like that list.
   * @throws {InvalidSeedError}  The list has another length, or an entry does not suit its child.
   */
  override seed(seed?: unknown): unknown {
    return this.seedEach(seed);
  }

  override getState(): unknown {
    const children = this.children.map((child) => child.getState());
    return this.drawsItself ? { own: this.generator.getState(), children } : { children };
  }

  /** @throws {InvalidStateError} `state` is not what `getState` of such a space returns. */
  override setState(state: unknown): void {
    const states = isRecord(state) ? state.children : undefined;
    if (!isRecord(state) || !Array.isArray(states) || states.length !== this.children.length) {
      throw new InvalidStateError(state, `states of ${this.children.length} spaces`);
    }
    if (this.drawsItself) super.setState(state.own);
    for (const [index, child] of this.children.entries()) child.setState(states[index]);
  }

  protected seedEach(seed: unknown): unknown[] {
    const own = this.drawsItself ? 1 : 0;
    const seeds = this.#spread(seed, own);
    const used: unknown[] = own ? [this.seedOwn(seeds[0])] : [];
    for (const [index, child] of this.children.entries()) used.push(child.seed(seeds[own + index]));
    return used;
  }

  #spread(seed: unknown, own: number): readonly unknown[] {
    const count = own + this.children.length;
    if (seed === undefined || seed === null) return new Array(count).fill(undefined);
    if (Array.isArray(seed)) {
      if (seed.length === count) return seed;
      throw new InvalidSeedError(seed, `${count} seeds`);
    }
    this.seedOwn(seed);
    const subSeeds = this.generator.integersArray(0, SUB_SEEDS, this.children.length);
    return own ? [seed, ...subSeeds] : subSeeds;
  }
}
