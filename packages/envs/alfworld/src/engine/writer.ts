/**
 * Compiles texts of the grammar against one game: a text in a context of placeholders becomes a function of the facts.
 *
 * Rules: `docs/specs/alfworld.md` 8.3 and 8.4. A symbol uses its first rule whose condition has a solution, and is
 * written in the same context, without the objects that the condition found. Lists run over solutions in the order of
 * the facts, and all placeholders of a context stand for different objects.
 */
import { GameFileError } from '../errors.js';
import type { Expression } from '../grammar/expression.js';
import { type Placeholder, type Query, readQuery } from '../grammar/query.js';
import { type Conditional, type Piece, readText } from '../grammar/text.js';
import type { Rule } from '../grammar/twl2.js';
import { atomStep, type Frame, type Step, stop, visitEach } from './join.js';
import type { Relation } from './relation.js';
import type { Mask, World } from './world.js';

/** Writes a text. `frame` holds the objects of the context's placeholders. */
export type Write = (relations: readonly Relation[], frame: Frame, depth: number) => string;

/** More levels than any grammar has; stops a symbol that contains itself. */
const MAX_DEPTH = 60;

/** Grammar and names of one game. */
export interface Vocabulary {
  readonly world: World;
  readonly symbols: ReadonlyMap<string, readonly Rule[]>;
  /** Display names by object number. */
  readonly names: readonly string[];
}

/** Placeholders in the order of their slots, and compiled texts. */
export class TextContext {
  readonly placeholders: readonly Placeholder[];
  readonly #vocabulary: Vocabulary;
  readonly #masks: readonly Mask[];
  readonly #symbols = new Map<string, Write>();
  readonly #inner = new Map<string, TextContext>();

  constructor(vocabulary: Vocabulary, placeholders: readonly Placeholder[]) {
    this.#vocabulary = vocabulary;
    this.placeholders = placeholders;
    this.#masks = placeholders.map(({ type }) => vocabulary.world.mask([type]));
  }

  text(text: string): Write {
    const parts = readText(text).map((piece) => this.#piece(piece));
    if (parts.length === 1) return parts[0]!;
    return (relations, frame, depth) => {
      let written = '';
      for (const part of parts) written += part(relations, frame, depth);
      return written;
    };
  }

  #piece(piece: Piece): Write {
    switch (piece.kind) {
      case 'words':
        return () => piece.text;
      case 'symbol':
        return this.#symbol(piece.name);
      case 'conditional': {
        const items = this.#items(piece);
        return (relations, frame, depth) => items(relations, frame, depth).join('');
      }
      case 'list': {
        const items = this.#items(piece.item);
        return (relations, frame, depth) => {
          const written = items(relations, frame, depth);
          const [only = ''] = written;
          if (written.length === 1) return only;
          if (written.length === 0) return this.#symbol('list_empty')(relations, frame, depth);
          const separator = this.#symbol('list_separator')(relations, frame, depth);
          const lastSeparator = this.#symbol('list_last_separator')(relations, frame, depth);
          return written.slice(0, -1).join(separator) + lastSeparator + written.at(-1);
        };
      }
    }
  }

  /** Compiled on first use, because symbols may contain each other. */
  #symbol(name: string): Write {
    return (relations, frame, depth) => {
      if (depth > MAX_DEPTH) throw invalid(`The symbol #${name}# of the grammar contains itself.`, name);
      let write = this.#symbols.get(name);
      if (write === undefined) {
        write = this.#rules(name);
        this.#symbols.set(name, write);
      }
      return write(relations, frame, depth + 1);
    };
  }

  #rules(name: string): Write {
    const rules = this.#vocabulary.symbols.get(name);
    if (rules === undefined) throw invalid(`The grammar has no symbol #${name}#.`, name);
    const cases = rules.map(({ rhs, condition }) => {
      const holds = condition === undefined ? undefined : this.#test(readQuery(condition));
      return { holds, write: this.text(rhs) };
    });
    return (relations, frame, depth) => {
      for (const { holds, write } of cases) {
        if (holds === undefined || holds(relations, frame)) return write(relations, frame, depth);
      }
      throw invalid(`No rule of #${name}# applies.`, name);
    };
  }

  #test(query: Query): (relations: readonly Relation[], frame: Frame) => boolean {
    const { inner, step } = this.#query(query, stop);
    return (relations, frame) => step(relations, inner.#widened(frame), () => true);
  }

  #items({ body, query }: Conditional): (relations: readonly Relation[], frame: Frame, depth: number) => string[] {
    if (query === undefined) {
      const write = this.#body(body);
      return (relations, frame, depth) => [write(relations, frame, depth)];
    }
    const { inner, step } = this.#query(query, visitEach);
    const write = inner.#body(body);
    return (relations, frame, depth) => {
      const items: string[] = [];
      const widened = inner.#widened(frame);
      step(relations, widened, () => {
        items.push(write(relations, widened, depth));
        return false;
      });
      return items;
    };
  }

  #body(body: Conditional['body']): Write {
    return body.kind === 'symbol' ? this.#symbol(body.name) : this.#value(body.expression);
  }

  #value(expression: Expression): Write {
    switch (expression.kind) {
      case 'literal':
        return () => expression.text;
      case 'join': {
        const parts = expression.parts.map((part) => this.#value(part));
        return (relations, frame, depth) => parts.map((part) => part(relations, frame, depth)).join('');
      }
      case 'or': {
        const parts = expression.parts.map((part) => this.#value(part));
        return (relations, frame, depth) => {
          let written = '';
          for (const part of parts) {
            written = part(relations, frame, depth);
            if (written !== '') break;
          }
          return written;
        };
      }
      case 'property': {
        const { variable, property } = expression;
        const slot = this.placeholders.findLastIndex(({ name }) => name === variable);
        if (slot < 0) throw invalid(`The placeholder ${variable} is not bound here.`, variable);
        if (property === 'indefinite') return () => 'a';
        if (property === 'definite') return () => 'the';
        const { names, world } = this.#vocabulary;
        const texts = property === 'name' ? names : world.ids;
        return (_relations, frame) => texts[frame[slot]!]!;
      }
    }
  }

  /** Nested loops, in the order of the query. */
  #query(query: Query, last: Step): { readonly inner: TextContext; readonly step: Step } {
    const known = [...this.placeholders];
    const isKnown = ({ name, type }: Placeholder) =>
      known.some((placeholder) => placeholder.name === name && placeholder.type === type);
    const boundBefore = query.map((atom) => {
      const bound = known.length;
      for (const placeholder of atom.arguments) if (!isKnown(placeholder)) known.push(placeholder);
      return bound;
    });
    const inner = this.#extended(known);
    let step = last;
    for (let index = query.length - 1; index >= 0; index -= 1) {
      const atom = query[index]!;
      const relation = this.#vocabulary.world.findRelation(atom.predicate, atom.arguments.length);
      step = atomStep(
        {
          relation,
          slots: atom.arguments.map(({ name, type }) =>
            known.findIndex((placeholder) => placeholder.name === name && placeholder.type === type),
          ),
          isBound: (slot) => slot < boundBefore[index]!,
          maskOf: (slot) => inner.#masks[slot],
          different: Array.from({ length: boundBefore[index]! }, (_, slot) => slot),
        },
        step,
      );
    }
    return { inner, step };
  }

  #extended(placeholders: readonly Placeholder[]): TextContext {
    if (placeholders.length === this.placeholders.length) return this;
    const key = placeholders.map(({ name, type }) => `${name}:${type}`).join();
    let inner = this.#inner.get(key);
    if (inner === undefined) {
      inner = new TextContext(this.#vocabulary, placeholders);
      this.#inner.set(key, inner);
    }
    return inner;
  }

  /** Extends the frame by the placeholders that only this context has. */
  #widened(frame: Frame): Frame {
    const widened = new Int32Array(this.placeholders.length);
    widened.set(frame.length > widened.length ? frame.subarray(0, widened.length) : frame);
    return widened;
  }
}

function invalid(message: string, value: string): GameFileError {
  return new GameFileError(message, { code: 'INVALID_GRAMMAR', value });
}
