/**
 * The cursor has moved to an update that lacks the episode which was open: the episode of the same seed there is opened at the
 * same step, or the first one, so that pictures go with the cursor.
 */
import { useEffect } from 'preact/hooks';
import type { EpisodeSet } from '../src/protocol.js';
import { go } from './place.js';
import { useRowsOf } from './rows.js';

let lastSeed: number | undefined;

/** Whose like is opened next. */
export function remember(seed: number | undefined): void {
  lastSeed = seed;
}

export function Likewise({ run, set }: { readonly run: string; readonly set: EpisodeSet }) {
  const rows = useRowsOf(run, set);
  useEffect(() => {
    if (!rows) return;
    const like = rows.find(({ seed }) => seed !== undefined && seed === lastSeed) ?? rows[0];
    go({ episode: like?.id, token: undefined }, true);
  }, [rows]);
  return <section class="episode soft">Reading the episode …</section>;
}
