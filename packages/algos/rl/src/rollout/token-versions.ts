/** Which weights sampled which token: a server may change its weights in the middle of a response. */
import type { TokenVersions } from '@vlgym/agents/model';
import { GymError } from '@vlgym/core';
import type { StepRecord } from './record.js';

/** A token's weights are unknown, so it cannot be known how stale it is. */
class TokenVersionError extends GymError {
  constructor(problem: string, value: unknown) {
    super(`The token versions of a step are incomplete: ${problem}.`, {
      code: 'TOKEN_VERSION_UNKNOWN',
      value,
      expected: 'spans that cover every token of the response, in order, without gaps',
      hint: 'ask the sampling engine for weight versions, or publish weights under a new name per version',
    });
  }
}

/** The spans of a step; one span over all tokens where a single set of weights sampled them. */
export function tokenVersions({ versions, policyVersion, responseIds }: StepRecord): readonly TokenVersions[] {
  return versions ?? [{ version: String(policyVersion), start: 0, end: responseIds.length }];
}

/** @throws {TokenVersionError} The spans do not cover `length` tokens one after the other. */
export function checkTokenVersions(versions: readonly TokenVersions[], length: number): void {
  let next = 0;
  for (const span of versions) {
    if (span.start !== next || span.end <= span.start) throw new TokenVersionError(`token ${next} has none`, versions);
    next = span.end;
  }
  if (next !== length) throw new TokenVersionError(`${next} of ${length} tokens have one`, versions);
}

/** The number at the end of a version's name: `policy-000012` and `12` are 12. */
export function versionNumber(version: string): number {
  let start = version.length;
  while (start > 0 && /\d/.test(version[start - 1]!)) start -= 1;
  const digits = version.slice(start);
  if (digits === '') throw new TokenVersionError(`"${version}" does not end in a number`, version);
  return Number(digits);
}
