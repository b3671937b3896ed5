/** Compiles regular expressions over numbered symbols to the smallest deterministic automaton. */

/** Adds the expression to an automaton after a state, and returns its end state. */
export type Expression = (automaton: Automaton, from: number) => number;

class Automaton {
  /** Transitions per state, without and with a symbol. */
  readonly silent: number[][] = [];
  readonly moves: (readonly [symbol: number, to: number])[][] = [];

  state(): number {
    this.silent.push([]);
    return this.moves.push([]) - 1;
  }
}

export const symbols =
  (allowed: readonly number[]): Expression =>
  (automaton, from) => {
    const to = automaton.state();
    for (const symbol of allowed) automaton.moves[from]!.push([symbol, to]);
    return to;
  };

export const sequence =
  (...parts: readonly Expression[]): Expression =>
  (automaton, from) =>
    parts.reduce((state, part) => part(automaton, state), from);

export const oneOf =
  (...parts: readonly Expression[]): Expression =>
  (automaton, from) => {
    const to = automaton.state();
    for (const part of parts) {
      const start = automaton.state();
      automaton.silent[from]!.push(start);
      automaton.silent[part(automaton, start)]!.push(to);
    }
    return to;
  };

export const maybe = (part: Expression): Expression => oneOf(part, sequence());

export const many =
  (part: Expression): Expression =>
  (automaton, from) => {
    const start = automaton.state();
    automaton.silent[from]!.push(start);
    automaton.silent[part(automaton, start)]!.push(start);
    const to = automaton.state();
    automaton.silent[start]!.push(to);
    return to;
  };

export const repeated = (part: Expression): Expression => sequence(part, many(part));

export interface Compiled {
  /** Next state, `[states, symbols]`; 0 is the dead state, 1 the start. */
  readonly transitions: readonly number[][];
  readonly accepts: readonly boolean[];
}

export function compile(expression: Expression, symbolCount: number): Compiled {
  const automaton = new Automaton();
  const start = automaton.state();
  const end = expression(automaton, start);
  const closure = (states: Iterable<number>) => {
    const reached = new Set(states);
    for (const state of reached) for (const next of automaton.silent[state]!) reached.add(next);
    return [...reached].sort((a, b) => a - b);
  };
  const numbers = new Map<string, number>();
  const subsets: number[][] = [];
  const numberOf = (subset: number[]) => {
    const key = subset.join();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, subsets.length);
    return subsets.push(subset) - 1;
  };
  numberOf([]);
  numberOf(closure([start]));
  const transitions: number[][] = [];
  for (let number = 0; number < subsets.length; number += 1) {
    transitions.push(
      Array.from({ length: symbolCount }, (_, symbol) =>
        numberOf(
          closure(
            subsets[number]!.flatMap((state) =>
              automaton.moves[state]!.filter(([read]) => read === symbol).map(([, to]) => to),
            ),
          ),
        ),
      ),
    );
  }
  return smallest(
    transitions,
    subsets.map((subset) => subset.includes(end)),
  );
}

/** Merges equivalent states (Moore). */
function smallest(transitions: readonly number[][], accepts: readonly boolean[]): Compiled {
  let block = accepts.map(Number);
  for (let blocks = 0; ; ) {
    const keys = new Map<string, number>();
    const next = block.map((current, state) => {
      const key = [current, ...transitions[state]!.map((to) => block[to]!)].join();
      if (!keys.has(key)) keys.set(key, keys.size);
      return keys.get(key)!;
    });
    block = next;
    if (keys.size === blocks) break;
    blocks = keys.size;
  }
  const representatives: number[] = [];
  for (const [state, number] of block.entries()) representatives[number] ??= state;
  return {
    transitions: representatives.map((state) => transitions[state]!.map((to) => block[to]!)),
    accepts: representatives.map((state) => accepts[state]!),
  };
}
