/**
 * Grammars that responses are held to: a list of texts, such as the actions that a mask allows now, or a JSON schema.
 *
 * A token may come next where its bytes go on with an allowed text; the end tokens may where the text is whole.
 */
import { InvalidOptionError } from '@vlgym/core';
import type { TextTokenizer } from '../tokenizer/tokenizer.js';
import { type AutomatonState, automaton } from './automaton.js';
import { choice, type Expression, literal } from './expression.js';
import { type JsonSchema, jsonExpression } from './json-schema.js';
import type { ConstraintState, TokenConstraint } from './token-constraint.js';

/** What a response may be; made by `oneOf` or `jsonOf`, compiled by the policy that samples. */
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

/** The tokens of one vocabulary, by their bytes. */
export class GrammarVocabulary {
  /** Ids of tokens with text, their bytes ascending. */
  readonly #order: readonly number[];
  readonly #bytes: readonly (Uint8Array | undefined)[];
  /** Leading bytes that each token in `#order` shares with the one before it. */
  readonly #shared: readonly number[];
  readonly #endTokens: ReadonlySet<number>;

  constructor(tokenizer: TextTokenizer, endTokens: ReadonlySet<number>) {
    const all = Array.from({ length: tokenizer.size }, (_, id) => tokenizer.bytesOf(id));
    const order = all.flatMap((text, id) => (text && text.length > 0 && !endTokens.has(id) ? [id] : []));
    order.sort((a, b) => Buffer.compare(all[a]!, all[b]!));
    this.#shared = order.map((id, i) => (i === 0 ? 0 : sharedBytes(all[order[i - 1]!]!, all[id]!)));
    this.#order = order;
    this.#bytes = all;
    this.#endTokens = endTokens;
  }

  compile(grammar: TextGrammar): TokenConstraint {
    const states = new Map<AutomatonState, ConstraintState>();
    const of = (state: AutomatonState): ConstraintState => {
      const known = states.get(state);
      if (known) return known;
      let flags: Uint8Array | undefined;
      const made: ConstraintState = {
        allowed: (vocabulary) => {
          flags ??= this.#allowed(state, vocabulary);
          return flags;
        },
        next: (id) => of(this.#bytes[id]!.reduce<AutomatonState>((reached, byte) => reached.step(byte)!, state)),
      };
      states.set(state, made);
      return made;
    };
    return { start: of(automaton(grammar.expression)) };
  }

  #allowed(state: AutomatonState, vocabulary: number): Uint8Array {
    const flags = new Uint8Array(vocabulary);
    if (state.accepts) for (const id of this.#endTokens) flags[id] = 1;
    /** States after 0, 1, … bytes of the token before. */
    const path: (AutomatonState | null)[] = [state];
    for (const [i, id] of this.#order.entries()) {
      const text = this.#bytes[id]!;
      path.length = Math.min(path.length, this.#shared[i]! + 1);
      let reached: AutomatonState | null = path.at(-1)!;
      while (reached && path.length <= text.length) {
        reached = reached.step(text[path.length - 1]!);
        path.push(reached);
      }
      if (reached && path.length === text.length + 1) flags[id] = 1;
    }
    return flags;
  }
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}
