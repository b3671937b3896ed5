/** A session as JSON data, and back. */
import { type EnvSnapshot, GymError, PythonRandom, type PythonRandomState } from '@vlgym/core';
import type { Session } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';

export type SavedSession = Omit<Session, 'goal' | 'asins' | 'options' | 'kept'> & {
  readonly asins: readonly string[];
  readonly options: readonly (readonly [string, string])[];
  readonly kept: readonly (readonly [string, readonly (readonly [string, string])[]])[];
};

export function savedSession({ goal: _, asins, options, kept, ...rest }: Session): SavedSession {
  return {
    ...rest,
    asins: [...asins],
    options: [...options],
    kept: [...kept].map(([asin, chosen]) => [asin, [...chosen]] as const),
  };
}

export function sessionFrom({ asins, options, kept, ...rest }: SavedSession, shop: Shop): Session {
  return {
    ...rest,
    goal: shop.newSession(rest.id, rest.goalIndex).goal,
    asins: new Set(asins),
    options: new Map(options),
    kept: new Map(kept.map(([asin, chosen]) => [asin, new Map(chosen)])),
  };
}

/** The state in a snapshot, as a copy. @throws {GymError} `SNAPSHOT_MISMATCH`: of another environment. */
export function stateOf<T>(snapshot: EnvSnapshot, kind: string): T {
  if (snapshot.kind === kind) return structuredClone(snapshot.state) as T;
  throw new GymError(`This is a snapshot of the kind "${snapshot.kind}".`, {
    code: 'SNAPSHOT_MISMATCH',
    value: snapshot.kind,
    expected: kind,
    hint: 'restore a snapshot of this environment',
  });
}

export function restoredRandom(state: PythonRandomState): PythonRandom {
  const random = new PythonRandom(0);
  random.setState(state);
  return random;
}
