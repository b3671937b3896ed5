/** Greedy answers computed once: at temperature 0 the same weights answer an equal prompt with the same tokens. */
import { digestObservation } from '@vlgym/core/trajectory';
import { type Completion, rowGenerators, type TokenModel } from './token-model.js';

export interface RememberingModel extends TokenModel {
  /** Number of greedy answers given. */
  readonly asked: number;
  /** Those of them that the model computed. */
  readonly computed: number;
}

/** Tokens of prompts (4 bytes each) and of answers (16) together: 34 to 134 MB. */
const MOST_TOKENS = 2 ** 23;

/**
 * A policy that walks into a wall asks the same question until its episode ends; equal prompts, in words and pixels, then
 * cost one forward pass. Sampled and constrained answers are computed as before. Usage counts the tokens of every
 * answer, so that a recording does not depend on what was played beside it.
 *
 * @param model  Its answers are forgotten once `version` changes. Loading other weights of an equal version goes unnoticed:
 *               wrap a model for one evaluation.
 */
export function rememberGreedy(model: TokenModel): RememberingModel {
  let answers = new Map<string, Completion>();
  let version = model.version;
  let asked = 0;
  let computed = 0;
  let tokens = 0;

  const generate: TokenModel['generate'] = async (prompts, options) => {
    const { rng, signal, constraints, ...sampling } = options;
    if (sampling.temperature !== 0 || constraints) return model.generate(prompts, options);
    if (model.version !== version || tokens > MOST_TOKENS) {
      answers = new Map();
      tokens = 0;
    }
    version = model.version;
    const known = answers; // another call may start a new map meanwhile
    const keys = prompts.map((prompt) => digestObservation([sampling, prompt]));
    const news = [...new Set(keys)].filter((key) => !known.has(key)).map((key) => keys.indexOf(key));
    if (news.length > 0) {
      const generators = rowGenerators(rng, prompts.length);
      const completions = await model.generate(at(prompts, news), { ...options, rng: at(generators, news) });
      for (const [row, completion] of completions.entries()) {
        known.set(keys[news[row]!]!, completion);
        tokens += completion.promptTokenIds.length + completion.tokenIds.length;
      }
    }
    asked += prompts.length;
    computed += news.length;
    return keys.map((key) => known.get(key)!);
  };
  return {
    name: model.name,
    get version() {
      return model.version;
    },
    get asked() {
      return asked;
    },
    get computed() {
      return computed;
    },
    ...(model.weightsDigest && { weightsDigest: () => model.weightsDigest!() }),
    generate,
  };
}

const at = <T>(values: readonly T[], indices: readonly number[]): T[] => indices.map((index) => values[index]!);
