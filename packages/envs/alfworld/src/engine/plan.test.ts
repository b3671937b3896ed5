/** Joins agree with brute force over every combination. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Domain, Problem } from '../pddl/domain.js';
import type { Formula } from '../pddl/formula.js';
import { visitEach } from './join.js';
import { Planner } from './plan.js';
import { World } from './world.js';

const OBJECTS = ['a', 'b', 'c', 'd'];
const TYPES: Readonly<Record<string, string>> = { a: 'box', b: 'box', c: 'ball', d: 'ball' };
const ARITIES: Readonly<Record<string, number>> = { p: 1, q: 2, r: 2, s: 3, z: 0 };
const VARIABLES = ['?x', '?y', '?u', '?v'];
const ALL_TYPES = ['object', 'box', 'ball', 'thing,'];

const term = fc.constantFrom(...VARIABLES, 'a', 'c');
const atom = fc
  .constantFrom(...Object.keys(ARITIES))
  .chain((predicate) =>
    fc
      .tuple(...Array.from({ length: ARITIES[predicate]! }, () => term))
      .map((terms): Formula => ({ kind: 'atom', predicate, terms })),
  );

const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.record({ kind: fc.constant('equal' as const), left: term, right: term }),
    fc.record({ kind: fc.constant('not' as const), part: tie('formula') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('formula'), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constantFrom('exists' as const, 'forall' as const),
      variables: fc.array(
        fc.record({ name: fc.constantFrom('?u', '?v'), types: fc.constantFrom(...ALL_TYPES).map((type) => [type]) }),
        {
          minLength: 1,
          maxLength: 2,
        },
      ),
      part: tie('formula'),
    }),
  ),
}));

const facts = fc.array(
  fc
    .constantFrom(...Object.keys(ARITIES))
    .chain((predicate) =>
      fc
        .tuple(...Array.from({ length: ARITIES[predicate]! }, () => fc.constantFrom(...OBJECTS)))
        .map((terms) => ({ predicate, terms })),
    ),
  { maxLength: 14 },
);

const isOf = (object: string, type: string) => type === 'object' || TYPES[object] === type;

/** Evaluates a formula by the definition of its connectives. */
function holds(given: Formula, bound: ReadonlyMap<string, string>, known: ReadonlySet<string>): boolean {
  const value = (name: string) => (name.startsWith('?') ? bound.get(name)! : name);
  switch (given.kind) {
    case 'atom':
      return known.has([given.predicate, ...given.terms.map(value)].join(' '));
    case 'equal':
      return value(given.left) === value(given.right);
    case 'not':
      return !holds(given.part, bound, known);
    case 'and':
      return given.parts.every((part) => holds(part, bound, known));
    case 'or':
      return given.parts.some((part) => holds(part, bound, known));
    default: {
      const results = bindings(given.variables, bound).map((inner) => holds(given.part, inner, known));
      return given.kind === 'exists' ? results.includes(true) : !results.includes(false);
    }
  }
}

function bindings(
  variables: readonly { readonly name: string; readonly types: readonly string[] }[],
  outer: ReadonlyMap<string, string>,
): ReadonlyMap<string, string>[] {
  return variables.reduce<ReadonlyMap<string, string>[]>(
    (all, { name, types }) =>
      all.flatMap((binding) =>
        OBJECTS.filter((object) => types.some((type) => isOf(object, type))).map(
          (object) => new Map([...binding, [name, object]]),
        ),
      ),
    [outer],
  );
}

describe('a plan', () => {
  it('finds every solution of a condition at least once, and nothing else', () => {
    fc.assert(
      fc.property(
        formula,
        facts,
        fc.constantFrom(...ALL_TYPES),
        fc.constantFrom(...ALL_TYPES),
        (condition, known, typeX, typeY) => {
          const domain: Domain = {
            parents: new Map(),
            constants: [],
            predicates: new Set(Object.keys(ARITIES)),
            actions: [],
          };
          const objects = OBJECTS.map((name) => ({ name, types: [TYPES[name]!] }));
          const problem: Problem = { objects, facts: known, goal: condition };
          const world = new World(domain, problem, []);
          const planner = new Planner(world, 'a test');
          const variables = [
            { name: '?x', types: [typeX] },
            { name: '?y', types: [typeY] },
            // Free in some conditions, so their values are given.
            { name: '?u', types: ['box'] },
            { name: '?v', types: ['object'] },
          ];
          const { scope, slots } = planner.declare(variables);
          const solve = planner.solutions(condition, scope, [], slots, visitEach);
          const frame = planner.frame();
          const found = new Set<string>();
          solve(world.initial, frame, () => {
            found.add(slots.map((slot) => world.ids[frame[slot]!]).join());
            return false;
          });
          const set = new Set(known.map(({ predicate, terms }) => [predicate, ...terms].join(' ')));
          const expected = bindings(variables, new Map())
            .filter((binding) => holds(condition, binding, set))
            .map((binding) => variables.map(({ name }) => binding.get(name)).join());
          expect([...found].sort()).toEqual([...new Set(expected)].sort());
        },
      ),
      { numRuns: 1500 },
    );
  });
});
