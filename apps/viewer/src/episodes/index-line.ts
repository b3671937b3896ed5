/** Lines of an index as data that is safe to use: another program may have written them. */
import type { IndexLine } from '@vlgym/core/internal';
import { flag, number, record, text } from '../folders/values.js';
import type { EpisodeRow } from '../protocol.js';

const ENDS: readonly string[] = ['terminated', 'truncated', 'error', 'interrupted', 'open'];

const count = (value: unknown): number | undefined => {
  const found = number(value);
  return found !== undefined && Number.isSafeInteger(found) && found >= 0 ? found : undefined;
};

/** Without one of the fields that every line has, it is none. */
export function indexedEpisode(value: unknown): IndexLine | undefined {
  const line = record(value);
  const id = text(line.id);
  const [from, to] = [count(line.from), count(line.to)];
  if (id === undefined || from === undefined || to === undefined || to <= from) return undefined;
  // one shape for all: there may be many
  return {
    id,
    from,
    to,
    after: count(line.after) ?? 0,
    env: text(line.env),
    seed: number(line.seed),
    repeat: count(line.repeat),
    task: text(line.task),
    agent: text(line.agent),
    group: text(line.group),
    return: number(line.return) ?? 0,
    length: count(line.length) ?? 0,
    success: flag(line.success),
    endedBy: endOf(line.endedBy) as IndexLine['endedBy'],
    reason: text(line.reason),
    error: text(line.error),
    illegal: count(line.illegal) ?? 0,
    fallbacks: count(line.fallbacks) ?? 0,
    policyVersion: number(line.policyVersion),
    parent: text(line.parent),
    at: count(line.at),
    parentSet: text(line.parentSet),
  } as IndexLine;
}

export const endOf = (value: unknown): EpisodeRow['endedBy'] =>
  ENDS.includes(value as string) ? (value as EpisodeRow['endedBy']) : 'interrupted';

/** The same for the page. */
export function rowOf(line: EpisodeRow & { readonly env?: string }): EpisodeRow {
  const { from: _, to: __, after: ___, env, ...row } = line as typeof line & Partial<IndexLine>;
  return { ...row, ...(env !== undefined && { environment: env }) };
}
