/**
 * One line per finished episode, next to the episodes: `episodes.index.jsonl`. A list of 100,000 episodes is read without
 * reading them, and one of them by the range of bytes that it lies in.
 *
 * The index is derived. Whoever reads it compares it with the episodes: `after` says how far they were covered before, so
 * that a part which a writer without an index has added is noticed and read itself.
 */
import type { TrajectoryEvent } from './episode.js';
import type { Trajectory, TrajectoryHeader, TrajectoryOutcome, TrajectoryStep } from './schema.js';

export const INDEX_FILE = 'episodes.index.jsonl';

/** Half-open range of bytes in the file of episodes. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** The entry of an episode in a list; every line of it lies in its range, and lines of others may lie between. */
export interface IndexedEpisode extends LineRange {
  readonly id: string;
  readonly env?: string;
  readonly seed?: number;
  /** Earlier attempts at the seed; absent for the first. */
  readonly repeat?: number;
  readonly task?: string;
  readonly agent?: string;
  readonly group?: string;
  readonly return: number;
  readonly length: number;
  readonly success?: boolean;
  readonly endedBy: TrajectoryOutcome['endedBy'];
  /** The reason of a truncation. */
  readonly reason?: string;
  /** Boundary and code of the failure. */
  readonly error?: string;
  /** Steps whose answer was not legal. */
  readonly illegal: number;
  readonly fallbacks: number;
  readonly policyVersion?: number;
  /** The episode and the step that a branch begins at. */
  readonly parent?: string;
  readonly at?: number;
  /** The set of episodes that the parent is in, where somebody has said so. */
  readonly parentSet?: string;
}

/** A line of the index. */
export interface IndexLine extends IndexedEpisode {
  /** Bytes of the file of episodes that the lines before this one, or their writer, account for. */
  readonly after: number;
}

/** Gathers the lines of one episode. */
export class EpisodeTally {
  readonly #header: TrajectoryHeader;
  #from: number;
  #length = 0;
  #return = 0;
  #illegal = 0;
  #fallbacks = 0;
  #last: TrajectoryStep | undefined;

  constructor(header: TrajectoryHeader, { from }: Pick<LineRange, 'from'>) {
    this.#header = header;
    this.#from = from;
  }

  add(step: TrajectoryStep): void {
    this.#length += 1;
    this.#return += step.reward;
    if (step.legal === false) this.#illegal += 1;
    if (step.fallback) this.#fallbacks += 1;
    this.#last = step;
  }

  /** @param outcome  Absent for an episode without an end. @param to  End of its last line. */
  end(outcome: TrajectoryOutcome | undefined, to: number): IndexedEpisode {
    const { id, env, seed, taskKey, agent, group, metadata } = this.#header;
    const { truncationReason, error, policyVersion } = this.#last ?? {};
    return {
      id,
      ...(env && { env: env.id }),
      ...(seed !== undefined && { seed }),
      ...(typeof metadata?.repeat === 'number' && metadata.repeat > 0 && { repeat: metadata.repeat }),
      ...(taskKey !== undefined && { task: taskKey }),
      ...(agent && { agent: agent.name }),
      ...(group !== undefined && { group }),
      return: outcome?.return ?? this.#return,
      length: this.#length,
      ...(outcome?.success !== undefined && { success: outcome.success }),
      endedBy: outcome?.endedBy ?? 'interrupted',
      ...(truncationReason !== undefined && { reason: truncationReason }),
      ...(error && { error: `${error.boundary} ${error.code}` }),
      illegal: this.#illegal,
      fallbacks: this.#fallbacks,
      ...(policyVersion !== undefined && { policyVersion }),
      ...branchOf(metadata),
      from: this.#from,
      to,
    };
  }
}

/** The entry of a whole trajectory in one line. */
export function indexTrajectory({ steps, outcome, ...header }: Trajectory, range: LineRange): IndexedEpisode {
  const tally = new EpisodeTally(header, range);
  for (const step of steps) tally.add(step);
  return tally.end(outcome, range.to);
}

/** Gathers the events of a writer. */
export class EpisodeIndexer {
  readonly #open = new Map<string, EpisodeTally>();
  #after: number;

  /** @param after  Size of the file of episodes before the first event. */
  constructor(after: number) {
    this.#after = after;
  }

  /** @returns the line to append, for the end of an episode. */
  take(event: TrajectoryEvent, range: LineRange): IndexLine | undefined {
    if (event.event === 'start') {
      this.#open.set(event.trajectory.id, new EpisodeTally(event.trajectory, range));
      return undefined;
    }
    const tally = this.#open.get(event.id);
    if (event.event === 'step') {
      tally?.add(event.step);
      return undefined;
    }
    this.#open.delete(event.id);
    if (!tally) return undefined;
    const line = { ...tally.end(event.outcome, range.to), after: this.#after };
    this.#after = range.to;
    return line;
  }
}

/** `metadata.branch` of a recording that continues another. */
function branchOf(metadata: TrajectoryHeader['metadata']): Pick<IndexedEpisode, 'parent' | 'at' | 'parentSet'> {
  const { branch } = metadata ?? {};
  if (typeof branch !== 'object' || branch === null || Array.isArray(branch)) return {};
  const { parent, at, set } = branch;
  return {
    ...(typeof parent === 'string' && { parent }),
    ...(typeof at === 'number' && { at }),
    ...(typeof set === 'string' && { parentSet: set }),
  };
}
