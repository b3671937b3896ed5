/**
 * Grammars that responses are held to: a list of texts, such as the actions that a mask allows now, or a JSON schema.
 *
 * A token may come next where its bytes continue with an allowed text; the end tokens may where the text is whole.
 */
import { type AnswerConstraint, InvalidOptionError } from '@vlgym/core';
import type { TextTokenizer } from '../tokenizer/tokenizer.js';
import { type AutomatonState, automaton } from './automaton.js';
import { choice, type Expression, literal, sequence, without } from './expression.js';
import { type JsonSchema, jsonExpression } from './json-schema.js';
import { limitedConstraint, type TokenTable } from './limited-state.js';
import type { TokenConstraint } from './token-constraint.js';

/** The set of allowed responses; made by `oneOf` or `jsonOf`, compiled by the policy that samples. */
export class TextGrammar {
  constructor(readonly expression: Expression) {}
}

/**
 * Exactly one of these texts.
 *
 * @throws {InvalidOptionError} There are none.
 *
 * @example oneOf(labels.filter((_, action) => mask[action]))
 */
export function oneOf(texts: readonly string[]): TextGrammar {
  if (texts.length === 0) throw new InvalidOptionError('texts', texts, 'at least one text');
  return new TextGrammar(choice(...texts.map(literal)));
}

/**
 * JSON that the schema allows, properties in its order.
 *
 * @throws {JsonSchemaError} The schema asks for something that is not covered.
 *
 * @example jsonOf({ type: 'object', properties: { thoughts: { type: 'string' }, action: { enum: ['left', 'right'] } } })
 */
export function jsonOf(schema: JsonSchema): TextGrammar {
  return new TextGrammar(jsonExpression(schema));
}

/** The responses that a constraint of an environment allows. @throws {JsonSchemaError} */
export function grammarOf(constraint: AnswerConstraint): TextGrammar {
  if (constraint.kind === 'json') return jsonOf(constraint.schema);
  const endings = choice(...constraint.endings.map(literal));
  const { without: texts } = constraint;
  return new TextGrammar(texts ? sequence(without(texts), endings) : endings);
}

/** The tokens of one vocabulary, by their bytes. */
export class GrammarVocabulary {
  /** Ids of tokens with text, their bytes ascending. */
  readonly #order: readonly number[];
  readonly #bytes: readonly (Uint8Array | undefined)[];
  /** Leading bytes that each token in `#order` shares with the one before it. */
  readonly #shared: readonly number[];
  readonly #endTokens: ReadonlySet<number>;
  readonly #vocabulary: number;

  /** @param vocabulary  Ids that the model can draw; more than the tokenizer has. */
  constructor(tokenizer: TextTokenizer, endTokens: ReadonlySet<number>, vocabulary: number) {
    this.#vocabulary = vocabulary;
    const all = Array.from({ length: tokenizer.size }, (_, id) => tokenizer.bytesOf(id));
    const order = all.flatMap((text, id) => (text && text.length > 0 && !endTokens.has(id) ? [id] : []));
    order.sort((a, b) => Buffer.compare(all[a]!, all[b]!));
    this.#shared = order.map((id, i) => (i === 0 ? 0 : sharedBytes(all[order[i - 1]!]!, all[id]!)));
    this.#order = order;
    this.#bytes = all;
    this.#endTokens = endTokens;
  }

  /** @param maxTokens  Tokens of a whole text, its end included; texts of any length where left out. */
  compile(grammar: TextGrammar, maxTokens?: number): TokenConstraint {
    const tables = new Map<AutomatonState, TokenTable>();
    const tableOf = (state: AutomatonState, vocabulary: number): TokenTable => {
      const table = tables.get(state) ?? this.#table(state, vocabulary);
      tables.set(state, table);
      return table;
    };
    return limitedConstraint({
      start: automaton(grammar.expression),
      maxTokens: maxTokens ?? Number.POSITIVE_INFINITY,
      vocabulary: this.#vocabulary,
      tableOf,
      after: (id, state) =>
        this.#bytes[id]?.reduce<AutomatonState | null>((reached, byte) => reached?.step(byte) ?? null, state) ?? null,
    });
  }

  #table(state: AutomatonState, vocabulary: number): TokenTable {
    const flags = new Uint8Array(vocabulary);
    const reserves = new Int32Array(vocabulary);
    if (state.accepts) for (const id of this.#endTokens) flags[id] = 1;
    /** States after 0, 1, … bytes of the previous token. */
    const path: (AutomatonState | null)[] = [state];
    for (const [i, id] of this.#order.entries()) {
      const text = this.#bytes[id]!;
      path.length = Math.min(path.length, this.#shared[i]! + 1);
      let reached: AutomatonState | null = path.at(-1)!;
      while (reached && path.length <= text.length) {
        reached = reached.step(text[path.length - 1]!);
        path.push(reached);
      }
      if (!reached || path.length !== text.length + 1) continue;
      flags[id] = 1;
      // the end of a response is a token too
      reserves[id] = reached.reserve + 1;
    }
    return { flags, reserves, most: reserves.reduce((most, reserve) => Math.max(most, reserve), 0) };
  }
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}
