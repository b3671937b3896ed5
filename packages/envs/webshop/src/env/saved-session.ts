/** A session as JSON data, and back. */
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
