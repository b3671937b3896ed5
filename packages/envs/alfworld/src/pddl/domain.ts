/**
 * Reads a PDDL domain (types, predicates, actions) and problem (objects, facts, goal) as data.
 *
 * All names are in lower case, because the original folds them on load. Costs and distances are left out.
 */
import { GameFileError, unsupportedPddl } from '../errors.js';
import {
  type Atom,
  asList,
  type Effect,
  type Formula,
  readAtom,
  readEffects,
  readFormula,
  readTypedList,
  type TypedName,
} from './formula.js';
import { readSExpression, type SExpression } from './s-expression.js';

export interface ActionSchema {
  readonly name: string;
  /** Names without their `?`, in order. */
  readonly parameters: readonly TypedName[];
  readonly precondition: Formula;
  readonly effects: readonly Effect[];
}

export interface Domain {
  /** Type → parent; every chain ends at `object`. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  readonly constants: readonly TypedName[];
  readonly predicates: ReadonlySet<string>;
  readonly actions: readonly ActionSchema[];
}

export interface Problem {
  readonly objects: readonly TypedName[];
  readonly facts: readonly Atom[];
  readonly goal: Formula;
}

const DOMAIN = 'pddl_domain';
const PROBLEM = 'pddl_problem';

/** Sections without effect here. */
const IGNORED = new Set([':requirements', ':functions', ':metric', ':domain', ':length']);

/** @throws {GameFileError} `INVALID_GAME`: the text is not a domain; `UNSUPPORTED_PDDL`: it has unsupported constructs. */
export function readDomain(text: string): Domain {
  const parents = new Map<string, readonly string[]>();
  const constants: TypedName[] = [];
  const predicates = new Set<string>();
  const actions: (readonly SExpression[])[] = [];
  for (const [head, section] of sections(text, 'domain', DOMAIN)) {
    if (head === ':types') for (const { name, types } of readTypedList(section, DOMAIN)) parents.set(name, types);
    else if (head === ':constants') constants.push(...readTypedList(section, DOMAIN));
    else if (head === ':predicates')
      for (const entry of section) predicates.add(readAtom(asList(entry, DOMAIN), undefined, DOMAIN).predicate);
    else if (head === ':action') actions.push(section);
    else if (!IGNORED.has(head)) throw unsupportedPddl(head, DOMAIN);
  }
  if (actions.length === 0) throw new GameFileError(`The ${DOMAIN} has no action.`);
  return { parents, constants, predicates, actions: actions.map((section) => readAction(section, predicates)) };
}

/** @param predicates  Predicates of the domain, for the goal. */
export function readProblem(text: string, predicates: ReadonlySet<string>): Problem {
  let objects: TypedName[] = [];
  let facts: Atom[] | undefined;
  let goal: Formula | undefined;
  for (const [head, section] of sections(text, 'problem', PROBLEM)) {
    if (head === ':objects') objects = readTypedList(section, PROBLEM);
    else if (head === ':init') facts = readFacts(section);
    else if (head === ':goal') goal = readFormula(section[0], predicates, `the goal of ${PROBLEM}`);
    else if (!IGNORED.has(head)) throw unsupportedPddl(head, PROBLEM);
  }
  if (!facts || !goal) throw new GameFileError(`The ${PROBLEM} has no ${facts ? ':goal' : ':init'}.`);
  return { objects, facts, goal };
}

function* sections(
  text: string,
  kind: string,
  part: string,
): Generator<[head: string, section: readonly SExpression[]]> {
  const [define, name, ...rest] = readSExpression(text, part);
  if (define !== 'define' || typeof name !== 'object' || name[0] !== kind) {
    throw new GameFileError(`The ${part} is not a PDDL ${kind}.`, { expected: `(define (${kind} …) …)` });
  }
  for (const section of rest) {
    const [head, ...content] = asList(section, part);
    if (typeof head !== 'string') throw new GameFileError(`The ${part} has a section without a name.`);
    yield [head, content];
  }
}

function readFacts(section: readonly SExpression[]): Atom[] {
  const facts: Atom[] = [];
  for (const entry of section) {
    const list = asList(entry, PROBLEM);
    if (list[0] === '=') continue; // distances and costs
    if (list[0] === 'not') continue; // facts that are not stated are false anyway
    facts.push(readAtom(list, undefined, PROBLEM));
  }
  return facts;
}

const ACTION_KEYS = new Set([':parameters', ':precondition', ':effect']);

function readAction(section: readonly SExpression[], predicates: ReadonlySet<string>): ActionSchema {
  const [name, ...rest] = section;
  if (typeof name !== 'string') throw new GameFileError(`The ${DOMAIN} has an action without a name.`);
  const entries = new Map<string, SExpression | undefined>();
  for (let index = 0; index < rest.length; index += 2) {
    const key = String(rest[index]);
    if (!ACTION_KEYS.has(key)) throw unsupportedPddl(key, `action ${name}`);
    entries.set(key, rest[index + 1]);
  }
  const part = `action ${name}`;
  return {
    name,
    parameters: readTypedList(asList(entries.get(':parameters') ?? [], part), part).map((parameter) => ({
      ...parameter,
      name: parameter.name.replace(/^\?/, ''),
    })),
    precondition: readFormula(entries.get(':precondition'), predicates, part),
    effects: readEffects(entries.get(':effect'), predicates, part),
  };
}
