/**
 * The part of vitest that the test files of packages/gpu use, for a machine with only Node and one bundle: esbuild takes
 * this file for `vitest` (`--alias:vitest=…`). Assertions are vitest's own.
 */
import { format } from 'node:util';
import { chai, GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from '@vitest/expect';

type Hook = () => unknown;
type Body = (...values: never[]) => unknown;

/** A group of tests; the root of a file has no name. */
export interface Suite {
  readonly name: string;
  readonly tests: (Suite | { readonly name: string; readonly run: () => unknown; readonly isSkipped: boolean })[];
  readonly before: Hook[];
  readonly after: Hook[];
}

let current: Suite = { name: '', tests: [], before: [], after: [] };

/** The tests that a module declares while it is loaded. */
export async function collect(load: () => Promise<unknown>): Promise<Suite> {
  current = { name: '', tests: [], before: [], after: [] };
  const root = current;
  await load();
  return root;
}

function addTest(name: string, run: () => unknown, isSkipped = false): void {
  current.tests.push({ name, run, isSkipped });
}

function addSuite(name: string, declare: () => unknown): void {
  const outer = current;
  current = { name, tests: [], before: [], after: [] };
  outer.tests.push(current);
  declare();
  current = outer;
}

/** `%s` and `%o` take the values of a row in turn, `$name` those of an object. */
function titleOf(title: string, values: readonly unknown[]): string {
  const [first] = values;
  const named = title.replace(/\$(\w+)/g, (whole, key) =>
    typeof first === 'object' && first !== null && key in first
      ? String((first as Record<string, unknown>)[key])
      : whole,
  );
  const places = named.match(/%[sdifjoO]/g)?.length ?? 0;
  return format(
    named,
    ...values.slice(0, places).map((value) => (typeof value === 'number' ? String(value) : value)),
  ).replace(/\s+/g, ' ');
}

const each =
  (add: (name: string, run: () => unknown) => void) =>
  (rows: readonly unknown[]) =>
  (title: string, body: Body): void => {
    for (const row of rows) {
      const values = Array.isArray(row) ? row : [row];
      add(titleOf(title, values), () => body(...(values as never[])));
    }
  };

const test = (name: string, body: Body) => addTest(name, body as () => unknown);
const skipped = (name: string, body: Body) => addTest(name, body as () => unknown, true);
export const it = Object.assign(test, {
  each: each(addTest),
  skipIf: (condition: unknown) => (condition ? skipped : test),
  runIf: (condition: unknown) => (condition ? test : skipped),
});
export const describe = Object.assign(addSuite, { each: each(addSuite) });
export const beforeAll = (hook: Hook): void => void current.before.push(hook);
export const afterAll = (hook: Hook): void => void current.after.push(hook);

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
export const expect = Object.assign(chai.expect, {
  unreachable: (message = 'this line was not to be reached') => chai.assert.fail(message),
});
Object.defineProperty(globalThis, GLOBAL_EXPECT, { value: expect, configurable: true });
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect as never);
