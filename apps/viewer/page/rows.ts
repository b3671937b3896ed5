/** The rows of a set, from the server or from the file that the page is. */
import { groupOf } from '../src/episodes/query.js';
import type { EpisodePage, EpisodeRow, EpisodeSet } from '../src/protocol.js';
import { embedded, useAnswer } from './data.js';

/** As many as the server gives at once. @param group  Only those of a seed or a group. */
export function useRowsOf(run: string, set: EpisodeSet, group?: string): readonly EpisodeRow[] | undefined {
  const only = group === undefined ? '' : `&group=${encodeURIComponent(group)}`;
  const { value } = useAnswer<EpisodePage>(embedded ? undefined : `runs/${run}/episodes?set=${set}&count=500${only}`);
  const own = useAnswer<readonly EpisodeRow[]>(embedded && `runs/${run}/rows?set=${set}`);
  if (!embedded) return value?.rows;
  return own.value?.filter((row) => group === undefined || groupOf(row) === group);
}
