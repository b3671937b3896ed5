/**
 * Reads conditions and effects of PDDL as trees, and typed lists.
 *
 * It reads what ALFWorld's domain uses and a little more (`docs/specs/alfworld.md` 5.4); other constructs are
 * refused by name, because skipping a condition would silently change the game.
 */
import { GameFileError, unsupportedPddl } from '../errors.js';
import type { SExpression } from './s-expression.js';

/** A variable or parameter and its possible types; `['object']` if none is given. */
export interface TypedName {
  readonly name: string;
  readonly types: readonly string[];
}

export interface Atom {
  readonly predicate: string;
  /** Variables start with `?`; all others are objects. */
  readonly terms: readonly string[];
}

export type Formula =
  | ({ readonly kind: 'atom' } & Atom)
  | { readonly kind: 'equal'; readonly left: string; readonly right: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] }
  | { readonly kind: 'not'; readonly part: Formula }
  | { readonly kind: 'exists' | 'forall'; readonly variables: readonly TypedName[]; readonly part: Formula };

/** One add or delete, with its quantified variables and its condition. */
export interface Effect {
  readonly atom: Atom;
  readonly negated: boolean;
  readonly variables: readonly TypedName[];
  readonly condition: Formula;
}

export const TRUE: Formula = { kind: 'and', parts: [] };

/** Heads of PDDL constructs that are not predicates and not supported. */
const FOREIGN = new Set([
  ...['<', '>', '<=', '>=', '+', '-', '*', '/', 'preference', 'always', 'sometime', 'within', 'at-most-once'],
  ...['sometime-after', 'sometime-before', 'always-within', 'hold-during', 'hold-after', 'at', 'over', 'all'],
  ...['assign', 'decrease', 'scale-up', 'scale-down', 'oneof', 'unknown', 'probabilistic', 'increase', 'when'],
]);

/** `a b - t c` → a and b of type t, c of type object; `(either t u)` gives both types. */
export function readTypedList(list: readonly SExpression[], part: string): TypedName[] {
  const read: TypedName[] = [];
  let names: string[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const entry = list[index]!;
    if (entry === '-') {
      const types = readTypes(list[index + 1], part);
      for (const name of names) read.push({ name, types });
      names = [];
      index += 1;
    } else if (typeof entry === 'string') {
      names.push(entry);
    } else {
      throw malformed('a typed list', entry, part);
    }
  }
  for (const name of names) read.push({ name, types: ['object'] });
  return read;
}

function readTypes(entry: SExpression | undefined, part: string): readonly string[] {
  if (typeof entry === 'string') return [entry];
  const [head, ...types] = entry ?? [];
  if (head !== 'either' || !types.every((type) => typeof type === 'string')) throw malformed('a type', entry, part);
  return types as string[];
}

/** @param declared  Predicates of the domain; other heads are refused. */
export function readFormula(expression: SExpression | undefined, declared: ReadonlySet<string>, part: string): Formula {
  if (expression === undefined || expression.length === 0) return TRUE;
  if (typeof expression === 'string') throw malformed('a condition', expression, part);
  const [head, ...rest] = expression;
  const inner = (index: number) => readFormula(rest[index] ?? missing(expression, part), declared, part);
  switch (head) {
    case 'and':
    case 'or':
      return { kind: head, parts: rest.map((_, index) => inner(index)) };
    case 'not':
      return { kind: 'not', part: inner(0) };
    case 'imply':
      return { kind: 'or', parts: [{ kind: 'not', part: inner(0) }, inner(1)] };
    case 'exists':
    case 'forall':
      return { kind: head, variables: readTypedList(asList(rest[0], part), part), part: inner(1) };
    case '=':
      return { kind: 'equal', left: asTerm(rest[0], part), right: asTerm(rest[1], part) };
    default:
      return { kind: 'atom', ...readAtom(expression, declared, part) };
  }
}

/** Reads effects in their written order, without costs. */
export function readEffects(
  expression: SExpression | undefined,
  declared: ReadonlySet<string>,
  part: string,
): readonly Effect[] {
  if (expression === undefined || expression.length === 0) return [];
  if (typeof expression === 'string') throw malformed('an effect', expression, part);
  const [head, ...rest] = expression;
  switch (head) {
    case 'and':
      return rest.flatMap((effect) => readEffects(effect, declared, part));
    case 'increase': // costs never influence play
      return [];
    case 'forall': {
      const variables = readTypedList(asList(rest[0], part), part);
      return readEffects(rest[1], declared, part).map((effect) => ({
        ...effect,
        variables: [...variables, ...effect.variables],
      }));
    }
    case 'when': {
      const condition = readFormula(rest[0], declared, part);
      return readEffects(rest[1], declared, part).map((effect) => ({
        ...effect,
        condition: { kind: 'and', parts: [condition, effect.condition] },
      }));
    }
    case 'not':
      return [{ atom: readAtom(asList(rest[0], part), declared, part), negated: true, variables: [], condition: TRUE }];
    default:
      return [{ atom: readAtom(expression, declared, part), negated: false, variables: [], condition: TRUE }];
  }
}

/** Reads a ground or lifted atom. For facts of a problem `declared` is undefined: any predicate is allowed. */
export function readAtom(
  expression: readonly SExpression[],
  declared: ReadonlySet<string> | undefined,
  part: string,
): Atom {
  const [predicate, ...terms] = expression;
  if (typeof predicate !== 'string') throw malformed('an atom', expression, part);
  if (declared && !declared.has(predicate)) {
    if (FOREIGN.has(predicate)) throw unsupportedPddl(predicate, part);
    throw new GameFileError(`"${predicate}" in ${part} is neither a connective nor a declared predicate.`, {
      code: 'UNSUPPORTED_PDDL',
      value: predicate,
      expected: `one of ${[...declared].slice(0, 12).join(', ')}, …`,
    });
  }
  for (const term of terms) if (typeof term !== 'string') throw unsupportedPddl('a function as an argument', part);
  return { predicate, terms: terms as string[] };
}

export function asList(expression: SExpression | undefined, part: string): readonly SExpression[] {
  if (typeof expression === 'object') return expression;
  throw malformed('a list', expression, part);
}

function asTerm(expression: SExpression | undefined, part: string): string {
  if (typeof expression === 'string') return expression;
  if (expression === undefined) throw malformed('a term', expression, part);
  throw unsupportedPddl('a function in =', part);
}

function missing(expression: SExpression, part: string): never {
  throw malformed('a condition', expression, part);
}

function malformed(what: string, value: unknown, part: string): GameFileError {
  return new GameFileError(`Expected ${what} in ${part}.`, {
    value: JSON.stringify(value)?.slice(0, 200),
  });
}
