/** Filled-in options, by what the parts of the toolbox read of them. */
import type { z } from 'zod';
import type { ShiftEntry } from '../advantages/shifts.js';
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

/** `klTo` may be a teacher where the algorithm has one. */
export type RegularizerConfig = Omit<z.output<typeof regularizerOptions>, 'klTo'> & {
  readonly klTo: 'old' | 'reference' | 'teacher';
};

/** The options of every algorithm; `formatEntry` only where advantages of steps are estimated with a critic. */
export type CommonConfig = Output<typeof commonOptions> & {
  readonly reward: { readonly formatEntry?: ShiftEntry };
  readonly loss: { readonly temperature: number };
};

/** With a critic. */
export type ActorCriticConfig = CommonConfig &
  Omit<Output<typeof actorCriticOptions>, 'regularizer'> & { readonly regularizer: RegularizerConfig };

/** On groups of episodes, without a critic. */
export type GroupConfig = Output<typeof groupAlgorithmOptions>;

/** With or without a critic and a regularizer: what parts read that serve both. */
export type AnyConfig = CommonConfig & Partial<Pick<ActorCriticConfig, 'value' | 'regularizer'>>;
