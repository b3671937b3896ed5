/**
 * Jinja as `@huggingface/jinja` runs it, with limits: a template of strangers ends after a bounded number of steps and characters
 * instead of looping for hours or filling the memory. Endlessly nested calls exhaust the stack, which is an error.
 */
import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';

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
  return String(new BoundedInterpreter(environment, iterablesOf(program)).run(program).value);
}

class BoundedInterpreter extends Interpreter {
  #spent = 0;

  constructor(
    environment: Environment,
    readonly iterables: ReadonlySet<unknown>,
  ) {
    super(environment);
  }

  override evaluate(statement: Statement | undefined, environment: Environment): Value {
    this.#spend(STEP);
    const value = super.evaluate(statement, environment);
    // what is only looked up costs nothing more, unless a loop goes through it
    if (statement && this.iterables.has(statement)) this.#spend(sizeOf(value.value, ITERATION));
    else if (statement && !isLookup(statement)) this.#spend(sizeOf(value.value, ENTRY));
    return value;
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

/** The expressions that loops go through: an empty loop evaluates nothing else. */
function iterablesOf(program: Program): Set<unknown> {
  const found = new Set<unknown>();
  const open: unknown[] = [program];
  while (open.length > 0) {
    const node = open.pop();
    if (node instanceof Map) open.push(...node.keys(), ...node.values());
    else if (typeof node === 'object' && node !== null) {
      const { type, iterable } = node as { readonly type?: string; readonly iterable?: unknown };
      if (type === 'For') found.add(iterable).add((iterable as { readonly lhs?: unknown }).lhs);
      open.push(...Object.values(node));
    }
  }
  return found;
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

/** The fields of Python's `strftime` that chat templates use; others stay as they are. */
function formatted(date: Date, format: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const month = (style: 'short' | 'long') => new Intl.DateTimeFormat('en', { month: style }).format(date);
  const fields: Record<string, () => string> = {
    Y: () => String(date.getFullYear()),
    m: () => two(date.getMonth() + 1),
    d: () => two(date.getDate()),
    H: () => two(date.getHours()),
    M: () => two(date.getMinutes()),
    b: () => month('short'),
    B: () => month('long'),
    '%': () => '%',
  };
  return format.replace(/%([YmdHMbB%])/g, (_, field: string) => fields[field]!());
}
