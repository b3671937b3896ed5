/**
 * The base of spaces made of spaces: seeds and states are passed down in the order of the children.
 *
 * Seeding rules follow `Farama-Foundation/Gymnasium`, `gymnasium/spaces/{dict,tuple,sequence,graph,oneof}.py`: no
 * seed means fresh entropy for every child, an integer draws one sub-seed per child, a list has one seed per child.
 */
import { InvalidSeedError, InvalidStateError } from '../../random/index.js';
import { isRecord } from '../../type-tests.js';
import { BaseSpace } from '../base-space.js';
import type { Space } from '../space.js';

/** Upper bound of sub-seeds, as in Gymnasium. */
const SUB_SEEDS = 2147483647;

export abstract class CompositeSpace<T> extends BaseSpace<T> {
  /** Children, in the order of seeds and states. */
  protected abstract readonly children: readonly Space[];
  /** True if samples also use this space's own generator; its seed and state then come first. */
  protected abstract readonly drawsItself: boolean;

  /**
   * @param seed  Nothing, an integer, or a list: one seed per child, preceded by one for this space if it draws itself.
   * @returns The seeds used, in the layout of that list.
   * @throws {InvalidSeedError}  The list has another length, or an entry is not valid for its child.
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
    const offset = this.drawsItself ? 1 : 0;
    const seeds = this.#spread(seed, offset);
    const used: unknown[] = this.drawsItself ? [this.seedOwn(seeds[0])] : [];
    for (const [index, child] of this.children.entries()) used.push(child.seed(seeds[offset + index]));
    return used;
  }

  #spread(seed: unknown, offset: number): readonly unknown[] {
    const count = offset + this.children.length;
    if (seed === undefined || seed === null) return new Array(count).fill(undefined);
    if (Array.isArray(seed)) {
      if (seed.length === count) return seed;
      throw new InvalidSeedError(seed, `${count} seeds`);
    }
    this.seedOwn(seed);
    const subSeeds = this.generator.integersArray(0, SUB_SEEDS, this.children.length);
    return offset ? [seed, ...subSeeds] : subSeeds;
  }
}
