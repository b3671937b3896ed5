/**
 * Where the reader is: everything that was chosen is in the fragment of the address, so that a link leads to the same state,
 * and nothing but the reader changes it.
 */
import { useEffect, useState } from 'preact/hooks';

export interface Place {
  readonly run?: string;
  /** The run that it is compared with. */
  readonly other?: string;
  /** The agents that are compared, of recordings that hold several. */
  readonly first?: string;
  readonly second?: string;
  readonly view?: 'group' | 'settings';
  /** The cursor: an update. Absent: the newest is followed. */
  readonly update?: string;
  readonly set?: string;
  readonly episode?: string;
  readonly step?: string;
  readonly token?: string;
  /** Column of numbers that colors the tokens. */
  readonly column?: string;
  /** Seed or group whose episodes are side by side. */
  readonly group?: string;
  readonly outcome?: string;
  readonly search?: string;
  /** `all`: search in every text of the episodes. */
  readonly texts?: string;
  readonly returns?: string;
  readonly lengths?: string;
  readonly order?: string;
  /** Curves: all of them, or those whose name has this text. */
  readonly metrics?: string;
}

export type Changes = { readonly [K in keyof Place]?: Place[K] | undefined };

const read = (): Place => Object.fromEntries(new URLSearchParams(location.hash.slice(1))) as Place;

const listeners = new Set<(place: Place) => void>();
let current = read();

function tell(): void {
  current = read();
  for (const listener of listeners) listener(current);
}
addEventListener('hashchange', tell);
addEventListener('popstate', tell);

export function usePlace(): Place {
  const [place, setPlace] = useState(current);
  useEffect(() => {
    listeners.add(setPlace);
    setPlace(current);
    return () => void listeners.delete(setPlace);
  }, []);
  return place;
}

/** Undefined or empty removes. @param quietly  Without an entry in the history: a cursor that moves. */
export function go(changes: Changes, quietly = false): void {
  const address = hrefOf(changes);
  if (quietly) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  tell();
}

/** A link to the present place with changes. */
export function hrefOf(changes: Changes): string {
  const next = Object.entries({ ...current, ...changes }).filter(([, value]) => value !== undefined && value !== '');
  return `#${new URLSearchParams(next as [string, string][]).toString()}`;
}

/** Fields that belong to an episode, to be removed with it. */
export const NO_EPISODE = { episode: undefined, step: undefined, token: undefined } as const;
/** A group lies in one set. */
export const NO_GROUP = { view: undefined, group: undefined } as const;
export const NO_RUN = {
  ...NO_EPISODE,
  ...{ run: undefined, other: undefined, first: undefined, second: undefined },
  ...{ view: undefined, update: undefined, set: undefined, group: undefined },
  ...{
    outcome: undefined,
    search: undefined,
    texts: undefined,
    returns: undefined,
    lengths: undefined,
    order: undefined,
    metrics: undefined,
  },
} as const;
