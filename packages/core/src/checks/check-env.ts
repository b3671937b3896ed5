/** `checkEnv`: checks an environment against the contract, in a test of two lines. */
import type { AnyEnv, Awaitable } from '../env.js';
import { checkNames, names } from '../options.js';
import type { CheckSubject, EnvCheck } from './env-check.js';
import { envChecks } from './env-checks.js';
import { CheckFailedError, type Finding, type FindingCode } from './finding.js';

export interface CheckOptions {
  readonly seed?: number | undefined;
  /** Steps of each rollout. */
  readonly steps?: number | undefined;
  /** Also play in worker threads, for an environment whose spec names its module; default false. Needs a build. */
  readonly workers?: boolean | undefined;
  /** Codes of findings to ignore. */
  readonly allow?: readonly FindingCode[] | undefined;
  /** True (default): throws when there are errors. */
  readonly throws?: boolean | undefined;
}

export interface CheckReport {
  /** Its id, or the name of its class. */
  readonly environment: string;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  /** Claims that hold. */
  readonly passed: readonly string[];
  readonly skipped: readonly { readonly check: string; readonly why: string }[];
}

/** An environment, or a function that makes one. With a function the checks also compare separate instances. */
export type EnvOrFactory = AnyEnv | (() => Awaitable<AnyEnv>);

/** Without these, the other checks would report nonsense. */
const BASIC: readonly FindingCode[] = ['SPACE_INVALID', 'RESET_RESULT', 'STEP_RESULT', 'THREW'];

const CHECK_ENV_OPTIONS = names<CheckOptions>({ seed: 0, steps: 0, workers: 0, allow: 0, throws: 0 });

/**
 * Runs every check and closes the environment.
 *
 * @throws {CheckFailedError}  With the findings, unless `throws` is false. Warnings alone never throw.
 *
 * @example
 * it('meets the contract of every environment', async () => {
 *   await checkEnv(() => new NumberLineEnv());
 * });
 */
export async function checkEnv(envOrFactory: EnvOrFactory, options: CheckOptions = {}): Promise<CheckReport> {
  checkNames('options', options, CHECK_ENV_OPTIONS);
  const { seed = 123, steps = 50, workers = false, allow = [], throws = true } = options;
  const subject = await subjectOf(envOrFactory, { seed, steps, workers });
  const environment = nameOf(subject.env);
  const findings: Finding[] = [];
  const passed: string[] = [];
  const skipped: { check: string; why: string }[] = [];
  for (const check of envChecks) {
    const broken = check.name !== 'closes twice' && findings.some(({ code }) => BASIC.includes(code));
    const why = broken ? 'a more basic check failed' : check.skip?.(subject);
    if (why !== undefined) {
      skipped.push({ check: check.name, why });
      continue;
    }
    const found = (await runCheck(check, subject)).filter(({ code }) => !allow.includes(code));
    findings.push(...found);
    if (!found.some(({ severity }) => severity === 'error')) passed.push(check.name);
  }
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (throws && errors.length > 0) throw new CheckFailedError(environment, errors);
  return { environment, ok: errors.length === 0, findings, passed, skipped };
}

/** The interface of a test runner such as vitest, jest or `node:test`. */
export interface TestRunner {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly it: (name: string, test: (context?: TestContext) => Promise<void>) => unknown;
}

/** The argument that vitest and `node:test` pass to a test. */
export interface TestContext {
  readonly skip?: (reason: string) => unknown;
}

const CONFORMANCE_OPTIONS = names<Omit<CheckOptions, 'throws'>>({ seed: 0, steps: 0, workers: 0, allow: 0 });

/**
 * The same checks as one test each, in your own test runner. A check that does not apply, because the environment has
 * no snapshots or no dialogue, is reported as skipped with the reason. Jest cannot skip a running test, and shows it as
 * passed.
 *
 * @example
 * conformance('NumberLine', () => new NumberLineEnv(), { describe, it });
 */
export function conformance(
  name: string,
  create: () => Awaitable<AnyEnv>,
  { describe, it }: TestRunner,
  options: Omit<CheckOptions, 'throws'> = {},
): void {
  checkNames('options', options, CONFORMANCE_OPTIONS);
  const { seed = 123, steps = 50, workers = false, allow = [] } = options;
  describe(`${name} keeps the contract of an environment: it`, () => {
    for (const check of envChecks) {
      // Rest parameters, because jest takes a test with one declared parameter for one with a callback.
      it(check.name, async (...[context]: [TestContext?]) => {
        const subject = await subjectOf(create, { seed, steps, workers });
        try {
          const why = check.skip?.(subject);
          if (why !== undefined) {
            context?.skip?.(why);
            return;
          }
          const found = await runCheck(check, subject);
          const errors = found.filter(({ code, severity }) => severity === 'error' && !allow.includes(code));
          if (errors.length > 0) throw new CheckFailedError(nameOf(subject.env), errors);
        } finally {
          await subject.env.close();
        }
      });
    }
  });
}

async function subjectOf(
  envOrFactory: EnvOrFactory,
  settings: Pick<CheckSubject, 'seed' | 'steps' | 'workers'>,
): Promise<CheckSubject> {
  if (typeof envOrFactory !== 'function') return { env: envOrFactory, create: undefined, ...settings };
  const create = async () => envOrFactory();
  return { env: await create(), create, ...settings };
}

async function runCheck(check: EnvCheck, subject: CheckSubject): Promise<Finding[]> {
  try {
    return distinct(await check.run(subject));
  } catch (reason) {
    const what = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
    return [{ code: 'THREW', severity: 'error', message: `the check "${check.name}" could not be finished: ${what}` }];
  }
}

/** The first finding of each code, so that one fault in fifty steps is reported once. */
function distinct(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ code }, index) => findings.findIndex((other) => other.code === code) === index);
}

function nameOf(env: AnyEnv): string {
  return env.spec?.id ?? env.unwrapped?.constructor?.name ?? 'The environment';
}
