/**
 * Jinja as `@huggingface/jinja` runs it, with limits: a template of strangers ends after a bounded number of steps and characters
 * instead of looping for hours or filling the memory. Endlessly nested calls exhaust the stack, which is an error.
 */
import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { pythonText, type TemplateValue } from './python-text.js';

type Program = ReturnType<typeof parse>;
type Statement = Program['body'][number];
type Value = ReturnType<Interpreter['run']>;

/** Work of one rendering: about a second. A conversation of a million words takes half of it. */
const LIMIT = 2 ** 26;
/** Costs of an evaluation, and of an entry of a new list; a character of a new text costs 1. */
const STEP = 8;
const ENTRY = 32;
/** An entry that a loop goes through: two microseconds. */
const ITERATION = 128;
const MAX_RANGE = 100_000;

/** The program of a template. @throws {Error} It is not Jinja. */
export function parseJinja(template: string): Program {
  return parse(tokenize(template, { lstrip_blocks: true, trim_blocks: true }));
}

/** @throws {Error} The template fails, or exceeds the limit of its work. */
export function renderJinja(program: Program, items: Readonly<Record<string, unknown>>): string {
  const environment = new Environment();
  for (const [name, value] of Object.entries({ ...GLOBALS, ...items })) environment.set(name, value);
  return String(new BoundedInterpreter(environment, nodesOf(program)).run(program).value);
}

class BoundedInterpreter extends Interpreter {
  #spent = 0;

  constructor(
    environment: Environment,
    readonly nodes: Nodes,
  ) {
    super(environment);
  }

  override evaluate(statement: Statement | undefined, environment: Environment): Value {
    this.#spend(STEP);
    const value = super.evaluate(statement, environment);
    // what is only looked up costs nothing more, unless a loop goes through it
    if (statement && this.nodes.iterables.has(statement)) this.#spend(sizeOf(value.value, ITERATION));
    else if (statement && !isLookup(statement)) this.#spend(sizeOf(value.value, ENTRY));
    return statement && this.nodes.outputs.has(statement) ? written(value) : value;
  }

  #spend(work: number): void {
    this.#spent += work;
    if (this.#spent > LIMIT) throw new RangeError('it loops or grows endlessly');
  }
}

function isLookup(statement: Statement): boolean {
  const { type, property } = statement as { readonly type: string; readonly property?: Statement };
  return type === 'Identifier' || (type === 'MemberExpression' && property?.type !== 'SliceExpression');
}

function sizeOf(value: unknown, entry: number): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return entry * value.length;
  return value instanceof Map ? entry * value.size : 0;
}

interface Nodes {
  /** The expressions that loops go through: an empty loop evaluates nothing else. */
  readonly iterables: ReadonlySet<unknown>;
  /** The expressions whose values are written. */
  readonly outputs: ReadonlySet<unknown>;
}

/** Keys of the parts of statements that are written. */
const BODIES: ReadonlySet<string> = new Set(['body', 'alternate', 'defaultBlock']);
/** They give no value. */
const STATEMENTS = /^(?:Program|If|For|Break|Continue|Set|Macro|Comment|CallStatement|FilterStatement)$/;

function nodesOf(program: Program): Nodes {
  const iterables = new Set<unknown>();
  const outputs = new Set<unknown>();
  const open: unknown[] = [program];
  while (open.length > 0) {
    const node = open.pop();
    if (node instanceof Map) open.push(...node.keys(), ...node.values());
    else if (typeof node === 'object' && node !== null) {
      const { type, iterable } = node as { readonly type?: string; readonly iterable?: unknown };
      if (type === 'For') iterables.add(iterable).add((iterable as { readonly lhs?: unknown }).lhs);
      for (const [key, part] of Object.entries(node)) {
        if (BODIES.has(key) && Array.isArray(part))
          for (const each of part) if (!STATEMENTS.test((each as Statement).type)) outputs.add(each);
        open.push(part);
      }
    }
  }
  return { iterables, outputs };
}

/** The text of a value, as Jinja writes it. */
function written(value: Value): Value {
  if (value.type === 'StringValue') return value;
  const scope = new Environment();
  scope.set('text', pythonText(value as TemplateValue));
  return scope.lookupVariable('text');
}

/** As in `setupGlobals` of `@huggingface/jinja`, which it does not export. */
const GLOBALS = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  raise_exception: (message: unknown) => {
    throw new Error(String(message));
  },
  range,
  strftime_now: (format: string) => formatted(new Date(), format),
};

function range(first: number, last?: number, step = 1): number[] {
  const [start, stop] = last === undefined ? [0, first] : [first, last];
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (!(length <= MAX_RANGE)) throw new RangeError(`range() has ${length} entries, more than ${MAX_RANGE}`);
  return Array.from({ length }, (_, index) => start + index * step);
}

/** The fields of Python's `strftime` in English. @throws {Error} Another one. */
function formatted(date: Date, format: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const named = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', options).format(date);
  const hour = date.getHours() % 12 || 12;
  const firstDay = Date.UTC(date.getFullYear(), 0, 1);
  const day = Math.round((Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - firstDay) / 86_400_000) + 1;
  const fields: Readonly<Record<string, string>> = {
    ...{ Y: String(date.getFullYear()), y: two(date.getFullYear() % 100), m: two(date.getMonth() + 1) },
    ...{ d: two(date.getDate()), H: two(date.getHours()), I: two(hour), M: two(date.getMinutes()) },
    ...{ S: two(date.getSeconds()), p: date.getHours() < 12 ? 'AM' : 'PM', j: String(day).padStart(3, '0') },
    ...{ b: named({ month: 'short' }), B: named({ month: 'long' }), '%': '%' },
    ...{ a: named({ weekday: 'short' }), A: named({ weekday: 'long' }) },
  };
  // a minus leaves out zeros in front
  return format.replace(/%(-?)([a-zA-Z%]?)/g, (whole, minus: string, name: string) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) throw new Error(`strftime_now() has the field ${whole}`);
    return minus && /^\d+$/.test(field) ? String(Number(field)) : field;
  });
}
