/** The interface of a check of `checkEnv`, and helpers that checks share. */
import type { AnyEnv } from '../env.js';
import type { Finding, FindingCode } from './finding.js';

export interface CheckSubject {
  readonly env: AnyEnv;
  /** Makes another instance, if possible. */
  readonly create: (() => Promise<AnyEnv>) | undefined;
  readonly seed: number;
  /** Steps per rollout. */
  readonly steps: number;
  /** Also play in worker threads. */
  readonly workers: boolean;
}

export interface EnvCheck {
  /** The claim. */
  readonly name: string;
  /** The reason why the check does not apply; `undefined` to run it. */
  readonly skip?: (subject: CheckSubject) => string | undefined;
  readonly run: (subject: CheckSubject) => Promise<readonly Finding[]>;
}

export const error = (code: FindingCode, message: string): Finding => ({ code, severity: 'error', message });
export const warning = (code: FindingCode, message: string): Finding => ({ code, severity: 'warning', message });
export const differs = (code: FindingCode, message: string, difference: string | undefined): Finding[] =>
  difference === undefined ? [] : [error(code, `${message} (${difference})`)];

export const whenNondeterministic = ({ env }: CheckSubject) =>
  env.spec?.nondeterministic ? 'the spec says nondeterministic' : undefined;

export async function withEnv<T>(create: () => Promise<AnyEnv>, use: (env: AnyEnv) => Promise<T>): Promise<T> {
  const env = await create();
  try {
    return await use(env);
  } finally {
    await env.close();
  }
}

export const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
