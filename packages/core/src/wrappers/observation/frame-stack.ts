/**
 * frameStack: the last k observations as one, oldest first; like Gymnasium's `FrameStackObservation`, padded with the
 * first observation of the episode.
 */
import { z } from 'zod';
import { chain } from '../../async/chain.js';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../../env.js';
import { checkedInteger } from '../../options.js';
import { encodedBy, parseState } from '../../snapshot.js';
import { cloneSpace } from '../../spaces/composite/parts.js';
import { TupleSpace } from '../../spaces/composite/tuple.js';
import type { Space } from '../../spaces/space.js';
import { Wrapper } from '../wrapper.js';

export class FrameStack<Inner, Action, I extends Info> extends Wrapper<Inner[], Action, I, Inner, Action, I> {
  readonly #size: number;
  readonly #space: Space<Inner[]>;
  #frames: readonly Inner[] = [];

  constructor(env: Env<Inner, Action, I>, size: number) {
    super(env, { hide: ['dialogue'] });
    this.#size = checkedInteger('size', size, 1);
    const copies = Array.from({ length: size }, () => cloneSpace(env.observationSpace));
    this.#space = new TupleSpace(copies) as unknown as Space<Inner[]>;
  }

  override get wrapperSpec() {
    return { name: 'frameStack', options: { size: this.#size } };
  }

  override get observationSpace() {
    return this.#space;
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Inner[], I>> {
    return chain(this.env.reset(options), (result) => {
      this.#frames = new Array<Inner>(this.#size).fill(result.observation);
      return { ...result, observation: [...this.#frames] };
    });
  }

  override step(action: Action): Awaitable<StepResult<Inner[], I>> {
    return chain(this.env.step(action), (result) => {
      this.#frames = [...this.#frames.slice(1), result.observation];
      return { ...result, observation: [...this.#frames] };
    });
  }

  protected override saveState(): unknown {
    return this.#frames.map((frame) => this.env.observationSpace.encode(frame));
  }

  protected override parseState(state: unknown): readonly Inner[] {
    const frames = z
      .array(encodedBy(this.env.observationSpace))
      .refine(({ length }) => length === 0 || length === this.#size, {
        error: `${this.#size} observations, or none before the first reset`,
      });
    return parseState(state, this.snapshotKind, frames);
  }

  protected override loadState(frames: readonly Inner[]): void {
    this.#frames = frames;
  }
}

/** The last `size` observations, oldest first. The dialogue below is hidden: see `history` for prompts of k turns. */
export function frameStack(size: number) {
  return <Inner, Action, I extends Info>(env: Env<Inner, Action, I>) => new FrameStack(env, size);
}
