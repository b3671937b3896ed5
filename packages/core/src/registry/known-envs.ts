/** What the compiler knows about an id: the environment behind it, its options, and its observations under them. */
import type { ActionOf, AnyEnv, InfoOf, ObservationOf } from '../env.js';
import type { PipeableEnv } from '../wrappers/pipe.js';

/**
 * Ids whose types are known to the compiler. A package adds its own: the class alone, or the class with its options.
 *
 * @example
 * declare module '@vlgym/core' {
 *   interface KnownEnvs {
 *     'gym_cards/Points24-v0': KnownEnv<Points24Env, Points24Options>;
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface KnownEnvs {}

/**
 * An entry of `KnownEnvs`.
 *
 * `Variants` says which class another value of an option gives: `{ observation: { depth: WorldEnv<Float32Array> } }`.
 * The names of the values are written as text, `true` and `false` too.
 */
export interface KnownEnv<E extends AnyEnv, Options extends object, Variants extends EnvVariants = EnvVariants> {
  readonly env: E;
  readonly options: Options;
  readonly variants: Variants;
}

export type EnvVariants = { readonly [option: string]: { readonly [value: string]: AnyEnv } };

type AnyKnownEnv = { readonly env: AnyEnv; readonly options: object; readonly variants: EnvVariants };
type AnyOptions = Readonly<Record<string, unknown>>;

/** The options of an id; any options for an undeclared id. */
export type KnownOptions<Id extends string> = Id extends keyof KnownEnvs
  ? KnownEnvs[Id] extends AnyKnownEnv
    ? KnownEnvs[Id]['options']
    : AnyOptions
  : AnyOptions;

/** The class behind an id, made with these options; `never` stands for none. */
export type KnownClass<Id extends string, Options = never> = Id extends keyof KnownEnvs
  ? KnownEnvs[Id] extends AnyKnownEnv
    ? VariantOf<KnownEnvs[Id], Options>
    : KnownEnvs[Id] extends AnyEnv
      ? KnownEnvs[Id]
      : AnyEnv
  : AnyEnv;

type VariantOf<Known extends AnyKnownEnv, Options> = [Options] extends [never]
  ? Known['env']
  : string extends keyof Known['variants']
    ? Known['env']
    : ByValue<Known, Options, keyof Known['variants'] & keyof Options>;

/** A value unknown to the compiler gives the union of the possible classes. */
type ByValue<Known extends AnyKnownEnv, Options, Name extends keyof Options> = [Name] extends [never]
  ? Known['env']
  : Name extends keyof Known['variants']
    ? EachValue<Known['env'], Known['variants'][Name], Options[Name]>
    : never;

type EachValue<Default, Classes, Value> = Value extends string | boolean
  ? `${Value}` extends keyof Classes
    ? Classes[`${Value}`]
    : Default
  : Default;

/** The type `make` gives for an id: exact where a package has declared it, unknown observation and action elsewhere. */
export type MadeEnv<Id extends string, Options = never> = Id extends keyof KnownEnvs
  ? Typed<KnownClass<Id, Options>>
  : PipeableEnv;

type Typed<E extends AnyEnv> = PipeableEnv<ObservationOf<E>, ActionOf<E>, InfoOf<E>, E>;
