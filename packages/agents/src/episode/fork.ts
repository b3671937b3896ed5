/** How a fork reaches the state of its episode where it cannot be put there: by playing the actions again. */
import { type Awaitable, type Env, Generator, type Info, make } from '@vlgym/core';
import { digestObservation, type EpisodeStep } from '@vlgym/core/trajectory';
import type { BoundaryError } from '../agent.js';
import type { Decision } from './decision.js';
import { ForkDiffersError, NotForkableError } from './errors.js';
import type { EpisodeState } from './state.js';

export interface ForkOptions<Observation = unknown, Action = unknown, I extends Info = Info> {
  /** Turns to keep, from 0; default: all. */
  readonly at?: number | undefined;
  /** Default: `make` with the spec of the environment. */
  readonly makeEnv?: (() => Awaitable<Env<Observation, Action, I>>) | undefined;
  /** Default: that of the episode with `+` behind it. */
  readonly id?: string | undefined;
  /** Draws random actions in place of unreadable answers; default: in the state of that of the episode. */
  readonly rng?: Generator | undefined;
}

/** @throws {NotForkableError} The first turns cannot be played again. */
export function checkReplayable(state: EpisodeState, failure: BoundaryError | undefined, turns: number): void {
  const { id, seed, stepIndex, history } = state;
  if (!(Number.isSafeInteger(turns) && turns >= 0 && turns <= stepIndex)) {
    throw new NotForkableError(id, `it has ${stepIndex} turns, not ${turns}`, 'choose a turn that it has');
  }
  if (failure?.boundary === 'environment' && turns === stepIndex) {
    throw new NotForkableError(id, 'its environment has failed', 'fork it at an earlier turn: `fork({ at })`');
  }
  if (seed === undefined || history.length < turns) {
    const why = 'it was reset without a seed, and its environment has no snapshots';
    throw new NotForkableError(id, why, 'reset with a seed');
  }
}

/** An episode that turns can be played in. */
interface Playable<A> {
  readonly state: EpisodeState;
  readonly cause: unknown;
  reset(options: Pick<EpisodeState, 'seed' | 'options' | 'id'>): Awaitable<unknown>;
  act(decision: Decision<A>): Promise<EpisodeStep>;
}

/**
 * Plays the first turns again and compares every result.
 *
 * @throws {ForkDiffersError}
 */
export async function replayInto<A>(fork: Playable<A>, parent: EpisodeState<unknown, A>, turns: number, id: string) {
  const { seed, options, history, observation, stepIndex } = parent;
  await fork.reset({ seed, options, id });
  const compare = (turn: number) => {
    const seen = turn + 1 < stepIndex ? history[turn + 1]!.observation : observation;
    if (digestObservation(fork.state.observation) === digestObservation(seen)) return;
    throw new ForkDiffersError(parent.id, turn, 'observation');
  };
  compare(-1);
  for (const [turn, { text, action, reward }] of history.slice(0, turns).entries()) {
    const step = await fork.act({ text, fallback: action === undefined, ...(action !== undefined && { action }) });
    if (!step.result) throw fork.cause;
    if (fork.state.reward !== reward) throw new ForkDiffersError(parent.id, turn, 'reward');
    compare(turn);
  }
}

/** @throws {NotForkableError} It was not made with `make`. */
export async function remake<O, A, I extends Info>(env: Env<O, A, I>, id: string): Promise<Env<O, A, I>> {
  if (env.spec) return (await make(env.spec)) as unknown as Env<O, A, I>;
  throw new NotForkableError(id, 'its environment was not made with `make`', 'pass `fork({ makeEnv })`');
}

export function copyOf(rng: Generator): Generator {
  const copy = new Generator(0);
  copy.setState(rng.getState());
  return copy;
}
