/**
 * An expression as an automaton: Thompson's construction, and its subsets made as they are reached, so that a text is read
 * byte by byte in constant time.
 */
import { GymError } from '@vlgym/core';
import type { Expression } from './expression.js';

/** Repetitions with limits are written out; this bounds what they may become. */
const MAX_NODES = 200_000;

/** A grammar that takes too many states. */
export class GrammarTooLargeError extends GymError {
  constructor() {
    super(`The grammar takes more than ${MAX_NODES} states.`, {
      code: 'GRAMMAR_TOO_LARGE',
      value: MAX_NODES,
      expected: 'lengths and choices whose product is smaller',
      hint: 'lower maxLength and maxItems in the schema, or list fewer texts',
    });
  }
}

interface Node {
  /** Nodes reached without a byte. */
  readonly empty: number[];
  edge: { readonly from: number; readonly to: number; readonly target: number } | null;
}

/** A set of nodes: all that is known after some bytes. */
export interface AutomatonState {
  /** The bytes so far are a whole text. */
  readonly accepts: boolean;
  /** Null where no text goes on with this byte. */
  step(byte: number): AutomatonState | null;
}

export function automaton(expression: Expression): AutomatonState {
  const nodes: Node[] = [];
  const node = (): number => {
    if (nodes.length >= MAX_NODES) throw new GrammarTooLargeError();
    return nodes.push({ empty: [], edge: null }) - 1;
  };
  /** Adds an expression that begins at `from`; returns where it ends. */
  const add = (part: Expression, from: number): number => {
    if (part.kind === 'bytes') {
      const target = node();
      const start = node();
      nodes[from]!.empty.push(start);
      nodes[start]!.edge = { from: part.from, to: part.to, target };
      return target;
    }
    if (part.kind === 'sequence') return part.parts.reduce((place, next) => add(next, place), from);
    const end = node();
    if (part.kind === 'choice') {
      for (const option of part.options) nodes[add(option, from)]!.empty.push(end);
      return end;
    }
    let place = from;
    for (let i = 0; i < part.min; i += 1) place = add(part.part, place);
    if (part.max === undefined) {
      const loop = node();
      nodes[place]!.empty.push(loop);
      nodes[add(part.part, loop)]!.empty.push(loop);
      nodes[loop]!.empty.push(end);
      return end;
    }
    for (let i = part.min; i < part.max; i += 1) {
      nodes[place]!.empty.push(end);
      place = add(part.part, place);
    }
    nodes[place]!.empty.push(end);
    return end;
  };
  const start = node();
  const end = add(expression, start);
  return new States(nodes, end).of([start])!;
}

class States {
  readonly #known = new Map<string, AutomatonState>();

  constructor(
    readonly nodes: readonly Node[],
    readonly end: number,
  ) {}

  /** Equal sets are one object. */
  of(places: readonly number[]): AutomatonState | null {
    const reached = new Set<number>();
    const waiting = [...places];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (reached.has(place)) continue;
      reached.add(place);
      waiting.push(...this.nodes[place]!.empty);
    }
    if (reached.size === 0) return null;
    const live = [...reached].filter((place) => this.nodes[place]!.edge || place === this.end).sort((a, b) => a - b);
    const key = live.join();
    const known = this.#known.get(key);
    if (known) return known;
    const edges = live.flatMap((place) => this.nodes[place]!.edge ?? []);
    const next = new Map<number, AutomatonState | null>();
    const state = {
      accepts: reached.has(this.end),
      step: (byte: number) => {
        if (!next.has(byte)) {
          next.set(
            byte,
            this.of(edges.filter(({ from, to }) => from <= byte && byte <= to).map(({ target }) => target)),
          );
        }
        return next.get(byte)!;
      },
    };
    this.#known.set(key, state);
    return state;
  }
}
