/**
 * Wrapper stacks whose types are known: `env.pipe(timeLimit(50), history(4))`, innermost first.
 *
 * A wrapper is a function from an environment to an environment; each step of the pipe sees the types the step before
 * it left behind.
 */
import type { AnyEnv, Env, Info } from '../env.js';

/** One layer: takes an environment, returns the wrapped one. */
export type EnvWrapper<From extends AnyEnv = AnyEnv, To extends AnyEnv = AnyEnv> = (env: From) => To;

/** What `pipe` accepts and returns for an environment of type `E`. */
export interface Pipe<E extends AnyEnv> {
  (): E;
  <B extends AnyEnv>(b: EnvWrapper<E, B>): B;
  <B extends AnyEnv, C extends AnyEnv>(b: EnvWrapper<E, B>, c: EnvWrapper<B, C>): C;
  <B extends AnyEnv, C extends AnyEnv, D extends AnyEnv>(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
  ): D;
  <B extends AnyEnv, C extends AnyEnv, D extends AnyEnv, F extends AnyEnv>(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
    f: EnvWrapper<D, F>,
  ): F;
  <B extends AnyEnv, C extends AnyEnv, D extends AnyEnv, F extends AnyEnv, G extends AnyEnv>(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
    f: EnvWrapper<D, F>,
    g: EnvWrapper<F, G>,
  ): G;
  <B extends AnyEnv, C extends AnyEnv, D extends AnyEnv, F extends AnyEnv, G extends AnyEnv, H extends AnyEnv>(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
    f: EnvWrapper<D, F>,
    g: EnvWrapper<F, G>,
    h: EnvWrapper<G, H>,
  ): H;
  <
    B extends AnyEnv,
    C extends AnyEnv,
    D extends AnyEnv,
    F extends AnyEnv,
    G extends AnyEnv,
    H extends AnyEnv,
    J extends AnyEnv,
  >(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
    f: EnvWrapper<D, F>,
    g: EnvWrapper<F, G>,
    h: EnvWrapper<G, H>,
    j: EnvWrapper<H, J>,
  ): J;
  <
    B extends AnyEnv,
    C extends AnyEnv,
    D extends AnyEnv,
    F extends AnyEnv,
    G extends AnyEnv,
    H extends AnyEnv,
    J extends AnyEnv,
    K extends AnyEnv,
  >(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
    f: EnvWrapper<D, F>,
    g: EnvWrapper<F, G>,
    h: EnvWrapper<G, H>,
    j: EnvWrapper<H, J>,
    k: EnvWrapper<J, K>,
  ): K;
  (...wrappers: readonly EnvWrapper[]): PipeableEnv;
}

/** An environment that can be wrapped with `pipe` and disposed with `await using`. */
export interface PipeableEnv<Observation = unknown, Action = unknown, I extends Info = Info>
  extends Env<Observation, Action, I>,
    AsyncDisposable {
  readonly pipe: Pipe<Env<Observation, Action, I>>;
}

/** Applies wrappers from the inside out; the untyped work behind `Pipe`. */
export function applyWrappers(env: AnyEnv, wrappers: readonly EnvWrapper[]): AnyEnv {
  return wrappers.reduce((inner, wrap) => wrap(inner), env);
}
