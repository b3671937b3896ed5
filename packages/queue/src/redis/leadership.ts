/** The term of an orchestrator: one process at a time, renewed while it lives, fenced by a token in every write. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { GymError } from '@vlgym/core';
import type { Redis } from 'ioredis';
import { LeaderError } from '../memory/memory-queue.js';
import type { RunKeys } from './keys.js';
import { RENEW } from './scripts.js';

const TERM_MS = 15_000;

/** Another process took over while this one was cut off. */
export class LeadershipLostError extends GymError {
  constructor() {
    super('Another orchestrator took over this run.', {
      code: 'LEADERSHIP_LOST',
      hint: 'this process was stopped or disconnected for longer than its lease of 15 seconds; let the other one continue',
    });
  }
}

/** The broker no longer knows the term, for example because it lost its data. */
export class TermForgottenError extends GymError {
  constructor() {
    super('The broker lost the leader lease of this orchestrator.', {
      code: 'TERM_FORGOTTEN',
      hint: 'the orchestrator renews it within five seconds',
    });
  }
}

export class Leadership {
  #timer: NodeJS.Timeout | undefined;
  #lost = false;

  private constructor(
    readonly redis: Redis,
    readonly keys: RunKeys,
    readonly token: string,
    /** Called where the broker forgot the term: what it knew of the run must be sent again. */
    readonly onForgotten: () => Promise<unknown>,
  ) {}

  /** @throws {LeaderError} Another process leads. */
  static async take(redis: Redis, keys: RunKeys, onForgotten: () => Promise<unknown>, termMs = TERM_MS) {
    const token = `${hostname()}-${process.pid}-${randomUUID()}`;
    const taken = await redis.set(keys.leader, token, 'PX', termMs, 'NX');
    if (taken !== 'OK') {
      const holder = (await redis.get(keys.leader)) ?? 'unknown';
      throw new LeaderError(holder.replace(/-[0-9a-f-]{36}$/, ''));
    }
    const epoch = await redis.incr(keys.epoch);
    const leadership = new Leadership(redis, keys, token, onForgotten);
    leadership.#timer = setInterval(() => void leadership.#renew(termMs), termMs / 3);
    leadership.#timer.unref();
    return { leadership, epoch };
  }

  /** @throws {LeadershipLostError} */
  assertHeld(): void {
    if (this.#lost) throw new LeadershipLostError();
  }

  /**
   * Runs a script that only the leader may.
   *
   * @param rest  Its arguments behind token and group.
   * @throws {LeadershipLostError} Another process leads. @throws {TermForgottenError} Nobody does; another try may succeed.
   */
  async run(script: string, group: string, rest: readonly (string | number)[]): Promise<void> {
    const { leader, out, ledger } = this.keys;
    const answer = await this.redis.eval(script, 3, leader, out, ledger, this.token, group, ...rest);
    if (answer !== -1) return;
    const holder = await this.redis.get(leader);
    if (holder === null || holder === this.token) throw new TermForgottenError();
    this.#lost = true;
    throw new LeadershipLostError();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#lost) return;
    const holder = await this.redis.get(this.keys.leader).catch(() => undefined);
    if (holder === this.token) await this.redis.del(this.keys.leader).catch(() => undefined);
  }

  async #renew(termMs: number): Promise<void> {
    try {
      const answer = await this.redis.eval(RENEW, 1, this.keys.leader, this.token, termMs);
      if (answer === 0) this.#lost = true;
      if (answer === 2) await this.onForgotten();
    } catch {
      // the broker is away; the next renewal finds out whose term it is
    }
  }
}
