/** A local policy as an agent: tokens in and out, many episodes per forward pass. */
import { type AnyEnv, answerConstraint, type Info } from '@vlgym/core';
import type { ConstraintKind } from '@vlgym/core/dialogue';
import { checkNames, names } from '@vlgym/core/internal';
import type { Agent, AgentContext, AgentTurn } from './agent.js';
import type { Completion, GenerateOptions, TokenModel } from './token-model.js';
import { promptMessages, turnFromResponse } from './turn.js';

export type PolicyAgentOptions = Omit<GenerateOptions, 'rng' | 'signal' | 'constraints'> & {
  readonly name?: string | undefined;
  /** Constrain answers to the legal actions, or to the JSON that the dialogue requests; default: no constraint. */
  readonly constrain?: ConstraintKind | undefined;
};

const POLICY_AGENT_NAMES = names<PolicyAgentOptions>({
  ...{ name: 0, constrain: 0, maxNewTokens: 0, temperature: 0, topK: 0, topP: 0, repetitionPenalty: 0 },
});

/**
 * Every episode samples from its own generator, so a response does not depend on which episodes share a batch.
 *
 * @param model    Anything that generates tokens; see `TokenModel`.
 * @param options  How to sample, e.g. `{ temperature: 0 }` for greedy evaluation.
 */
export function policyAgent<O = unknown, A = unknown, I extends Info = Info>(
  model: TokenModel,
  options: PolicyAgentOptions = {},
): Agent<O, A, I> & Required<Pick<Agent<O, A, I>, 'actBatch'>> {
  checkNames('options', options, POLICY_AGENT_NAMES);
  const { name = model.name, constrain, ...sampling } = options;
  const actBatch = async (contexts: readonly AgentContext<O, A, I>[]): Promise<AgentTurn<A>[]> => {
    const signal = contexts[0]?.signal;
    const policyVersion = model.version;
    const { maxNewTokens = SAMPLING_DEFAULTS.maxNewTokens } = sampling;
    const constraints =
      constrain && contexts.map((context) => answerConstraint(constrain, context.env as AnyEnv, context, maxNewTokens));
    const completions = await model.generate(contexts.map(promptMessages), {
      ...sampling,
      ...(constraints && { constraints }),
      rng: contexts.map(({ rng }) => rng),
      ...(signal && { signal }),
    });
    return contexts.map((context, index) => spokenTurn(context, completions[index]!, policyVersion));
  };
  const identity = async () => ({
    model: model.name,
    weights: (await model.weightsDigest?.()) ?? null,
    ...SAMPLING_DEFAULTS,
    ...sampling,
    ...(constrain && { constrain }),
  });
  return { name, identity, actBatch, act: async (context) => (await actBatch([context]))[0]! };
}

/** Defaults of `GenerateOptions`: a missing option and its default have the same identity. */
const SAMPLING_DEFAULTS = { maxNewTokens: 256, temperature: 1, topK: 0, topP: 1, repetitionPenalty: 1 };

function spokenTurn<O, A, I extends Info>(
  context: AgentContext<O, A, I>,
  completion: Completion,
  policyVersion: number,
): AgentTurn<A> {
  const { text, value, promptTokenIds, tokenIds } = completion;
  return turnFromResponse(context, text, {
    completion,
    policyVersion,
    // of the answer, also where `rememberGreedy` had it: recordings do not depend on what was played beside
    usage: { requests: 1, inputTokens: promptTokenIds.length, outputTokens: tokenIds.length, cost: 0 },
    ...(value === undefined ? {} : { value }),
  });
}
