/**
 * Typed wrapper stacks: `env.pipe(timeLimit(50), history(4))`, innermost first.
 *
 * A wrapper is a function from an environment to an environment; each step of the pipe sees the types of the previous step
 * it.
 */
import type { AnyEnv, Env, Info } from '../env.js';

/** One layer: takes an environment, returns the wrapped one. */
export type EnvWrapper<From extends AnyEnv = AnyEnv, To extends AnyEnv = AnyEnv> = (env: From) => To;

/** An environment whose innermost environment has a known class. */
export type Over<Base extends AnyEnv, E> = E & { readonly unwrapped: Base };

/** The overloads of `pipe` for an environment of type `E` over a `Base`. */
export interface Pipe<E extends AnyEnv, Base extends AnyEnv = AnyEnv> {
  (): Over<Base, E>;
  <B extends AnyEnv>(b: EnvWrapper<E, B>): Over<Base, B>;
  <B extends AnyEnv, C extends AnyEnv>(b: EnvWrapper<E, B>, c: EnvWrapper<B, C>): Over<Base, C>;
  <B extends AnyEnv, C extends AnyEnv, D extends AnyEnv>(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
  ): Over<Base, D>;
  <B extends AnyEnv, C extends AnyEnv, D extends AnyEnv, F extends AnyEnv>(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
    f: EnvWrapper<D, F>,
  ): Over<Base, F>;
  <B extends AnyEnv, C extends AnyEnv, D extends AnyEnv, F extends AnyEnv, G extends AnyEnv>(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
    f: EnvWrapper<D, F>,
    g: EnvWrapper<F, G>,
  ): Over<Base, G>;
  <B extends AnyEnv, C extends AnyEnv, D extends AnyEnv, F extends AnyEnv, G extends AnyEnv, H extends AnyEnv>(
    b: EnvWrapper<E, B>,
    c: EnvWrapper<B, C>,
    d: EnvWrapper<C, D>,
    f: EnvWrapper<D, F>,
    g: EnvWrapper<F, G>,
    h: EnvWrapper<G, H>,
  ): Over<Base, H>;
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
  ): Over<Base, J>;
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
  ): Over<Base, K>;
  (...wrappers: readonly EnvWrapper[]): Over<Base, PipeableEnv>;
}

/** An environment that can be wrapped with `pipe` and disposed with `await using`. */
export interface PipeableEnv<
  Observation = unknown,
  Action = unknown,
  I extends Info = Info,
  Base extends AnyEnv = AnyEnv,
> extends Env<Observation, Action, I>,
    AsyncDisposable {
  readonly unwrapped: Base;
  readonly pipe: Pipe<Env<Observation, Action, I>, Base>;
}

/** Applies wrappers from the inside out; the untyped implementation of `Pipe`. */
export function applyWrappers(env: AnyEnv, wrappers: readonly EnvWrapper[]): AnyEnv {
  return wrappers.reduce((inner, wrap) => wrap(inner), env);
}
