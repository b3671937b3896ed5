/**
 * Forks of running episodes, played to their end. Their environments are kept: an episode of twenty turns with eight forks
 * each would otherwise make a hundred and sixty.
 */
import type { Episode } from '@vlgym/agents/episode';
import { type AnyEnv, type Awaitable, Generator } from '@vlgym/core';
import type { ForkOrigin } from './record.js';

/** An episode that the lock step plays: that of an environment of the rollout, or a fork. */
export interface Place {
  /** Position of its environment among all; a fork has that of the episode it comes from. */
  readonly index: number;
  readonly episode: Episode;
  /** Draws tokens. */
  readonly tokenRng: Generator;
  readonly origin?: ForkOrigin | undefined;
}

export class Forks {
  readonly #makeEnv: (() => Awaitable<AnyEnv>) | undefined;
  readonly #all = new Set<AnyEnv>();
  readonly #idle: AnyEnv[] = [];

  /** @param makeEnv  Default: `make` with the spec of the environment. */
  constructor(makeEnv: (() => Awaitable<AnyEnv>) | undefined) {
    this.#makeEnv = makeEnv;
  }

  /**
   * Forks in the present state of an episode. Their generators come from that of its tokens.
   *
   * @throws {NotForkableError} The episode can be continued neither from a snapshot nor by its actions.
   */
  async make({ episode, tokenRng, index }: Place, count: number): Promise<Place[]> {
    const { id: parent, stepIndex: at } = episode.state;
    const forks: Place[] = [];
    for (let fork = 0; fork < count; fork++) {
      const [rng, tokens] = new Generator(tokenRng.integers(0, 2 ** 31)).spawn(2);
      const makeEnv = this.#idle.length > 0 ? () => this.#idle.pop()! : this.#makeEnv;
      const id = `${parent}+${at}.${fork}`;
      const forked = await episode.fork({ id, rng: rng!, ...(makeEnv && { makeEnv }) });
      this.#all.add(forked.env);
      forks.push({ index, episode: forked, tokenRng: tokens!, origin: { parent, at } });
    }
    return forks;
  }

  /** The episode of a fork is over. */
  release({ episode: { env } }: Place): void {
    this.#idle.push(env);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((env) => env.close()));
    this.#all.clear();
  }
}
