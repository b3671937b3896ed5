/**
 * An expression as an automaton: Thompson's construction, and its subsets made as they are reached, so that a text is read
 * byte by byte in constant time.
 *
 * Where a text may continue or end (repetitions, free text), continuing is marked as optional: without the optional ways, what
 * is left is the shortest way out with every choice still open, which is how a response ends within its limit of tokens.
 */
import { GymError } from '@vlgym/core';
import type { Expression } from './expression.js';
import { statesWithout } from './without.js';

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

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly target: number;
}

interface Node {
  /** Nodes reached without a byte. */
  readonly empty: number[];
  /** The same, where the text may end without them. */
  readonly optional: number[];
  readonly edges: Edge[];
}

/** A set of nodes: all that is known after some bytes. */
export interface AutomatonState {
  /** The bytes so far are a whole text. */
  readonly accepts: boolean;
  /** Null if no text continues with this byte. */
  step(byte: number): AutomatonState | null;
  /** The same place, from which nothing optional is written. */
  readonly closing: AutomatonState;
  /** Bytes of the longest text that can follow once the state is closing. */
  readonly reserve: number;
}

export function automaton(expression: Expression): AutomatonState {
  const nodes: Node[] = [];
  const node = (): number => {
    if (nodes.length >= MAX_NODES) throw new GrammarTooLargeError();
    return nodes.push({ empty: [], optional: [], edges: [] }) - 1;
  };
  const optional = (from: number): number => {
    const start = node();
    nodes[from]!.optional.push(start);
    return start;
  };
  /** Adds an expression that begins at `from`; returns where it ends. */
  const add = (part: Expression, from: number): number => {
    if (part.kind === 'bytes') {
      const target = node();
      const start = node();
      nodes[from]!.empty.push(start);
      nodes[start]!.edges.push({ from: part.from, to: part.to, target });
      return target;
    }
    if (part.kind === 'sequence') return part.parts.reduce((place, next) => add(next, place), from);
    const end = node();
    if (part.kind === 'choice') {
      for (const option of part.options) nodes[add(option, from)]!.empty.push(end);
      return end;
    }
    if (part.kind === 'without') {
      const states = statesWithout(part.texts).map((ranges) => ({ ranges, place: node() }));
      nodes[from]!.empty.push(states[0]!.place);
      for (const { ranges, place } of states) {
        nodes[place]!.empty.push(end);
        const edges = ranges.map((range) => ({ ...range, target: states[range.target]!.place }));
        nodes[optional(place)]!.edges.push(...edges);
      }
      return end;
    }
    let place = from;
    for (let i = 0; i < part.min; i += 1) place = add(part.part, place);
    if (part.max === undefined) {
      const loop = node();
      nodes[place]!.empty.push(loop);
      nodes[add(part.part, optional(loop))]!.empty.push(loop);
      nodes[loop]!.empty.push(end);
      return end;
    }
    for (let i = part.min; i < part.max; i += 1) {
      nodes[place]!.empty.push(end);
      place = add(part.part, optional(place));
    }
    nodes[place]!.empty.push(end);
    return end;
  };
  const start = node();
  const end = add(expression, start);
  return new States(nodes, end).of([start], false)!;
}

class States {
  readonly #known = new Map<string, AutomatonState>();
  /** By node: bytes of the longest way from it to the end without anything optional. */
  readonly #reserves: Int32Array;

  constructor(
    readonly nodes: readonly Node[],
    readonly end: number,
  ) {
    this.#reserves = new Int32Array(nodes.length).fill(-1);
  }

  /** Equal sets are one object. */
  of(places: readonly number[], isClosing: boolean): AutomatonState | null {
    const live = this.#live(places, isClosing);
    if (live.length === 0) return null;
    const closing = isClosing ? live : this.#live(places, true);
    const key = `${isClosing} ${live.join()} ${closing.join()}`;
    const known = this.#known.get(key);
    if (known) return known;
    const edges = live.flatMap((place) => this.nodes[place]!.edges);
    const next = new Map<number, AutomatonState | null>();
    const states = this;
    let reserve: number | undefined;
    const state: AutomatonState = {
      accepts: live.includes(this.end),
      step: (byte) => {
        if (!next.has(byte)) {
          const targets = edges.filter(({ from, to }) => from <= byte && byte <= to).map(({ target }) => target);
          next.set(byte, this.of(targets, isClosing));
        }
        return next.get(byte)!;
      },
      get closing() {
        return isClosing ? state : states.of(places, true)!;
      },
      get reserve() {
        reserve ??= Math.max(...closing.map((place) => states.#reserve(place)));
        return reserve;
      },
    };
    this.#known.set(key, state);
    return state;
  }

  /** The nodes with edges, and the end, that are reached without a byte. */
  #live(places: readonly number[], isClosing: boolean): number[] {
    const reached = new Set<number>();
    const waiting = [...places];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (reached.has(place)) continue;
      reached.add(place);
      const { empty, optional } = this.nodes[place]!;
      waiting.push(...empty);
      if (!isClosing) waiting.push(...optional);
    }
    const isLive = (place: number) => this.nodes[place]!.edges.length > 0 || place === this.end;
    return [...reached].filter(isLive).sort((a, b) => a - b);
  }

  /** Depth first with an explicit stack: a long text would overflow the call stack. */
  #reserve(from: number): number {
    const waiting = [from];
    while (waiting.length > 0) {
      const place = waiting.at(-1)!;
      const { empty, edges } = this.nodes[place]!;
      const next = [...empty, ...edges.map(({ target }) => target)].filter((target) => this.#reserves[target]! < 0);
      if (this.#reserves[place]! < 0 && next.length > 0) {
        waiting.push(...next);
        continue;
      }
      waiting.pop();
      const ways = [
        ...empty.map((target) => this.#reserves[target]!),
        ...edges.map(({ target }) => this.#reserves[target]! + 1),
      ];
      this.#reserves[place] = Math.max(0, ...ways);
    }
    return this.#reserves[from]!;
  }
}
