/** Runs collected tests one after the other. */
import type { Suite } from './vitest.js';

export interface Failure {
  readonly test: string;
  readonly message: string;
}

export interface Skip {
  readonly test: string;
  readonly reason: string;
}

export interface Outcome {
  passed: number;
  readonly failures: Failure[];
  readonly skips: Skip[];
}

export interface RunOptions {
  /** Milliseconds of one test. */
  readonly limit: number;
  /** The reason why a test is left out; undefined if it runs. */
  readonly reasonAgainst: (test: string) => string | undefined;
  /** Called after a failure; throws if the remaining tests cannot run either. */
  readonly afterFailure: () => void;
}

export async function runSuite(suite: Suite, path: string, outcome: Outcome, options: RunOptions): Promise<void> {
  const name = [path, suite.name].filter(Boolean).join(' > ');
  try {
    for (const hook of suite.before) await within(options.limit, hook);
    for (const each of suite.tests) {
      if ('tests' in each) await runSuite(each, name, outcome, options);
      else await runTest(`${name} > ${each.name}`, each, outcome, options);
    }
  } finally {
    for (const hook of suite.after) await within(options.limit, hook);
  }
}

async function runTest(
  name: string,
  { run, isSkipped }: { readonly run: () => unknown; readonly isSkipped: boolean },
  outcome: Outcome,
  { limit, reasonAgainst, afterFailure }: RunOptions,
): Promise<void> {
  const reason = isSkipped ? 'the test skips itself here' : reasonAgainst(name);
  if (reason !== undefined) {
    outcome.skips.push({ test: name, reason });
    return;
  }
  try {
    await within(limit, run);
    outcome.passed += 1;
  } catch (error) {
    outcome.failures.push({ test: name, message: messageOf(error) });
    afterFailure();
  }
}

async function within(limit: number, run: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${limit} ms`)), limit);
  });
  try {
    await Promise.race([Promise.resolve(run()), late]);
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replace(/\s+/g, ' ').slice(0, 400);
}
