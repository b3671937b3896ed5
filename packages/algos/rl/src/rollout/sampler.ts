/** The interface that a rollout samples responses from. */
import type { Completion, GenerateOptions } from '@vlgym/agents/model';
import type { ChatMessage } from '@vlgym/core';
import type { ModelInput } from '../model-input.js';

/** The part of a policy that rollouts need: the prompt as ids, and responses. A client of a serving engine provides it. */
export interface RolloutSampler {
  /** Weights that the next response is sampled from. */
  readonly version: number;
  /** It computes with other numbers than scoring does, e.g. weights in fewer bytes: losses correct for it. Default false. */
  readonly hasSamplingMismatch?: boolean;
  encode(messages: readonly ChatMessage[]): ModelInput;
  sample(inputs: readonly ModelInput[], options: GenerateOptions): Promise<readonly SampledResponse[]>;
}

/** A completion without what only the code that trains can compute: `rescore` does it later. */
export type SampledResponse = Omit<Completion, 'logProbs'> & Partial<Pick<Completion, 'logProbs'>>;
