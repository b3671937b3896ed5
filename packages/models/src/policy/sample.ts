/** Responses of a policy: one per input, in as few batches as their generators allow. */
import { type Completion, rowGenerators } from '@vlgym/agents/model';
import { InvalidOptionError } from '@vlgym/core';
import type { ModelInput, Policy } from '@vlgym/rl';
import type { TextGrammar } from '../constraints/text-grammar.js';
import type { TokenConstraint } from '../constraints/token-constraint.js';
import { withLowPrecision } from '../layers/low-precision-weights.js';
import { generate } from '../sampling/generate.js';
import type { DrawnToken } from '../sampling/plan.js';
import { logitOptions } from '../sampling/process-logits.js';
import { stopsAt } from '../sampling/stop-texts.js';
import type { PolicyParts } from './policy-parts.js';
import { withoutAutocast } from './weights/autocast.js';

/** The options of every policy, and those of this one. */
export type SampleOptions = Parameters<Policy['sample']>[1] & {
  /** Texts that end a response: it keeps the token that completes one. */
  readonly stop?: readonly string[] | undefined;
  /** What responses may be: one for all, or one per input, where null allows anything. */
  readonly grammar?: TextGrammar | readonly (TextGrammar | null)[] | undefined;
  /**
   * Rows that decode at once; a row that ends makes room for the next. With one generator for all rows they decode
   * together, as the draws of each depend on how many there are. Default 128.
   */
  readonly slots?: number | undefined;
  /** Called for every token as it is drawn, in the order of the rows. */
  readonly onToken?: ((token: DrawnToken) => void) | undefined;
};
export type ValuedCompletion = Completion & { readonly value: number };

const DEFAULT_SLOTS = 128;

/**
 * With one generator for all rows they decode as one batch; with a generator per row, in `slots`.
 *
 * @throws {InvalidOptionError} `maxNewTokens` or an option of the distribution is out of range.
 */
export async function sampleResponses(
  { network, prompts, builder, sets, serialQueue, lowPrecision, asyncThreshold, promptCache }: PolicyParts,
  inputs: readonly ModelInput[],
  options: SampleOptions,
): Promise<ValuedCompletion[]> {
  const { maxNewTokens = 256, slots = DEFAULT_SLOTS, rng, signal, weights = 'current', stop, onToken } = options;
  for (const [option, value] of Object.entries({ maxNewTokens, slots })) {
    if (!(Number.isInteger(value) && value >= 1)) {
      throw new InvalidOptionError(option, value, 'a whole number of at least 1');
    }
  }
  const logits = logitOptions(options);
  const generators = rowGenerators(rng, inputs.length);
  const isConstrained = inputs.some(({ constraint }) => constraint);
  if (isConstrained && options.grammar) {
    throw new InvalidOptionError('grammar', options.grammar, 'left out for inputs that have a constraint');
  }
  const constraints = isConstrained
    ? inputs.map(({ constraint }) => (constraint ? prompts.answerConstraint(constraint) : null))
    : constraintsOf(options.grammar, inputs.length, (grammar) => prompts.constraint(grammar));
  const isStopped = stop && stopsAt(stop, (ids) => prompts.decode(ids).text);
  const own = <T>(compute: () => T): T => sets.use(weights, () => withoutAutocast(network.language, compute));
  const use =
    lowPrecision && weights === 'current'
      ? <T>(compute: () => T): T => own(() => withLowPrecision(network.language, lowPrecision, compute))
      : own;
  const plan = {
    logits,
    maxNewTokens,
    endTokens: prompts.endTokens,
    generators,
    slots: new Set(generators).size === generators.length ? slots : inputs.length,
    constraints,
    isConstrained,
    isStopped,
    onToken,
    signal,
    promptCache: weights === 'current' ? promptCache : null,
    use,
    asyncThreshold,
  };
  const sampled = await serialQueue.run(() => sets.holding(weights, () => generate(network, builder, inputs, plan)));
  return sampled.map((response, i) => ({
    ...response,
    ...prompts.decode(response.tokenIds),
    promptTokenIds: inputs[i]!.promptIds,
  }));
}

function constraintsOf(
  grammar: SampleOptions['grammar'],
  rows: number,
  compile: (grammar: TextGrammar) => TokenConstraint,
): readonly (TokenConstraint | null)[] | undefined {
  if (grammar === undefined) return undefined;
  const grammars: readonly (TextGrammar | null)[] = Array.isArray(grammar)
    ? grammar
    : new Array<TextGrammar>(rows).fill(grammar as TextGrammar);
  if (grammars.length !== rows) {
    throw new InvalidOptionError('grammar', grammars.length, `one grammar, or one per input (${rows})`);
  }
  return grammars.map((each) => each && compile(each));
}

/** @throws {InvalidOptionError} Constraints are not one per prompt. */
export function withConstraints(inputs: ModelInput[], constraints: SampleOptions['constraints']): ModelInput[] {
  if (!constraints) return inputs;
  if (constraints.length !== inputs.length) {
    throw new InvalidOptionError('constraints', constraints.length, `one per prompt (${inputs.length})`);
  }
  return inputs.map((input, row) => ({ ...input, constraint: constraints[row]! }));
}
