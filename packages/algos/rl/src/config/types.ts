/** Filled-in options, by what the parts of the toolbox read of them. */
import type { z } from 'zod';
import type {
  actorCriticOptions,
  commonOptions,
  groupAlgorithmOptions,
  regularizerOptions,
  stepLossOptions,
  tokenLossOptions,
} from './option-groups.js';

type Output<Groups extends Record<string, z.ZodType>> = { readonly [Key in keyof Groups]: z.output<Groups[Key]> };

export type TokenLossConfig = z.output<typeof tokenLossOptions>;
export type StepLossConfig = z.output<typeof stepLossOptions>;
export type RegularizerConfig = z.output<typeof regularizerOptions>;

/** The options of every algorithm. */
export type CommonConfig = Output<typeof commonOptions> & { readonly loss: { readonly temperature: number } };

/** With a critic. */
export type ActorCriticConfig = CommonConfig & Output<typeof actorCriticOptions>;

/** On groups of episodes, without a critic. */
export type GroupConfig = Output<typeof groupAlgorithmOptions>;

/** With or without a critic and a regularizer: what parts read that serve both. */
export type AnyConfig = CommonConfig & Partial<Pick<ActorCriticConfig, 'value' | 'regularizer'>>;
