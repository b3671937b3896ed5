/**
 * Messages of the server to the page, as JSON. Everything in it comes from files of a run, so the page shows it as text only.
 * Used on both sides: no import from Node, and none from the page.
 */

export type RunState = 'running' | 'stopped' | 'done' | 'recorded';

/** One folder that can be looked at: a training run, or recorded episodes. */
export interface RunSummary {
  /** Stable while the folder stays where it is. */
  readonly id: string;
  /** Path below the folder that was given. */
  readonly name: string;
  /** `recording`: episodes of an evaluation, a cell of a suite, or a person at play. */
  readonly kind: 'training' | 'recording';
  readonly state: RunState;
  readonly algorithm?: string;
  readonly environment?: string;
  /** A recording may name several in one text. */
  readonly agent?: string;
  /** Where a recording holds several. */
  readonly agents?: readonly string[];
  readonly seed?: number;
  /** Success rate of the last evaluation. */
  readonly success?: number;
  readonly updates?: number;
  /** Planned updates. */
  readonly total?: number;
  readonly episodes?: number;
  /** Its episodes are still being read: their number will grow. */
  readonly reading?: true;
  /** Milliseconds since 1970: the last change of a file that the run writes. */
  readonly changedAt: number;
}

export interface RunList {
  readonly runs: readonly RunSummary[];
  /** Folders that were not looked into, because there are too many. */
  readonly leftOut: number;
}

/** A setting by its dotted name. */
export interface Setting {
  readonly name: string;
  readonly value: string;
  /** Its origin: `flag`, `algorithm`, `environment`, … */
  readonly origin?: string;
}

export interface RunDetails {
  readonly summary: RunSummary;
  /** The command as typed. */
  readonly command?: string;
  /** How to continue, where the run is stopped. */
  readonly resume?: string;
  readonly settings: readonly Setting[];
  readonly alarms: readonly string[];
  /** Updates whose training steps are recorded, in order. */
  readonly recorded: readonly number[];
  /** Evaluated or otherwise played episodes. */
  readonly played: boolean;
  readonly branches: number;
  /** Seeds that two agents have played in the arena. */
  readonly pairs: number;
  /** Agents that can continue an episode. */
  readonly agents: readonly string[];
  /** Those of them that can be asked in words. */
  readonly speakers: readonly string[];
  /** Those of them that can say how likely other tokens were. */
  readonly policies: readonly string[];
}

export interface UpdateRecord {
  readonly update: number;
  readonly environmentSteps: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** A part of `metrics.jsonl`: whole lines from one byte offset to another. */
export interface MetricsPart {
  readonly records: readonly UpdateRecord[];
  /** Offset of the byte after the last whole line. */
  readonly to: number;
}

/** A message of the live stream; its id is `to`. */
export interface LiveMessage extends MetricsPart {
  readonly summary: RunSummary;
  readonly recorded: readonly number[];
}

/** Episodes of a run: those played, branches of them, pairs of the arena, or those that one update learned from. */
export type EpisodeSet = 'played' | 'branches' | 'pairs' | `update-${number}`;

/** One line of a list of episodes. */
export interface EpisodeRow {
  /** Unique in its set. */
  readonly id: string;
  readonly seed?: number;
  /** Earlier attempts at the seed; absent for the first. */
  readonly repeat?: number;
  readonly environment?: string;
  readonly agent?: string;
  readonly task?: string;
  /** Rollouts of one group began in the same state. */
  readonly group?: string;
  /** Absent if unknown. */
  readonly success?: boolean;
  readonly return: number;
  readonly length: number;
  /** `open`: the update ends in the middle of it. */
  readonly endedBy: 'terminated' | 'truncated' | 'error' | 'interrupted' | 'open';
  readonly reason?: string;
  /** Boundary and code of the failure, e.g. `model MODEL_TIMEOUT`. */
  readonly error?: string;
  /** Steps whose answer had no legal action. */
  readonly illegal: number;
  readonly fallbacks: number;
  /** Mean over the steps that were learned from. */
  readonly advantage?: number;
  readonly policyVersion?: number;
  readonly parent?: string;
  /** The step of the parent that a branch replaces, and the set that the parent is in. */
  readonly at?: number;
  readonly parentSet?: string;
  /** Where the words of a search are. */
  readonly found?: { readonly step?: number; readonly excerpt: string };
}

export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface EpisodePage {
  readonly total: number;
  /** Episodes that pass the filter. */
  readonly matched: number;
  readonly succeeded: number;
  /** Position of the first row. */
  readonly from: number;
  readonly rows: readonly EpisodeRow[];
  readonly returns: readonly Bar[];
  readonly lengths: readonly Bar[];
  /** More will come: ask again. */
  readonly reading?: true;
  /** Values that occur, for the filter. */
  readonly errors: readonly string[];
}

/** A part of a prompt: text, or a picture by its hash. */
export interface ShownPart {
  readonly text?: string;
  readonly image?: string;
}

export interface ShownMessage {
  readonly role: string;
  readonly parts: readonly ShownPart[];
}

export interface ShownToolCall {
  readonly name: string;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
}

export interface ShownStep {
  readonly index: number;
  readonly prompt?: readonly ShownMessage[];
  /** Pictures that the agent saw before it acted. */
  readonly pictures: readonly string[];
  /** The observation, where that is text. */
  readonly observation?: string;
  /** The `info` of the environment, unless that is long. */
  readonly info?: Readonly<Record<string, unknown>>;
  readonly response?: string;
  /** Half-open ranges of UTF-16 offsets in `response`. */
  readonly thoughtSpan?: readonly [number, number];
  readonly actionSpan?: readonly [number, number];
  readonly thought?: string;
  readonly action?: string;
  /** The executed action as the action space writes it. */
  readonly taken?: string;
  readonly legal?: boolean;
  readonly fallback?: boolean;
  readonly reason?: string;
  readonly reward: number;
  readonly rewardParts: readonly (readonly [name: string, value: number])[];
  readonly value?: number;
  readonly advantage?: number;
  readonly return?: number;
  readonly inPolicyLoss?: boolean;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly truncationReason?: string;
  readonly policyVersion?: number;
  readonly error?: string;
  readonly toolCalls: readonly ShownToolCall[];
  readonly reasoning?: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Number of tokens that are recorded for it. */
  readonly tokens: number;
}

export interface ShownEpisode {
  readonly row: EpisodeRow;
  /** Id of the environment. */
  readonly environment?: string;
  readonly steps: readonly ShownStep[];
  /** Pictures after the last step. */
  readonly lastPictures: readonly string[];
  readonly lastObservation?: string;
  /** It can be played again: seed and environment are recorded. */
  readonly replayable: boolean;
  /** The episode that all began with, and every branch of it or of another; empty without branches. */
  readonly family: readonly Relative[];
  readonly problem?: string;
}

/** An episode among its branches. */
export interface Relative {
  readonly set: EpisodeSet;
  readonly row: EpisodeRow;
}

/** Two agents on one seed. */
export interface PlayedPair {
  readonly group: string;
  readonly first: EpisodeRow;
  readonly second: EpisodeRow;
}

/** All pairs of the same two agents. */
export interface Standing {
  readonly first: string;
  readonly second: string;
  readonly pairs: number;
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
  /** Success of the first minus that of the second, as a share of 1. */
  readonly difference: number;
  readonly interval95: readonly [number, number];
  readonly pValue: number;
}

export interface ArenaResults {
  readonly standings: readonly Standing[];
  readonly pairs: readonly PlayedPair[];
}

/** Numbers of one step, one entry per token in each column. */
export interface TokenColumns {
  readonly texts: readonly string[];
  readonly ids: readonly number[];
  /** `thought`, `action`, or empty. */
  readonly parts: readonly string[];
  readonly columns: readonly { readonly name: string; readonly title: string; readonly values: readonly number[] }[];
}

/** The likeliest tokens at each place of an answer, under weights that were chosen. */
export interface TokenPlace {
  /** The written token has it. */
  readonly logProb: number;
  /** Tokens that are likelier than it. */
  readonly rank: number;
  /** The likeliest first. The text of special tokens is empty. */
  readonly top: readonly { readonly id: number; readonly text: string; readonly logProb: number }[];
}

export interface Verification {
  readonly ok: boolean;
  readonly steps: number;
  readonly total: number;
  /** The first difference, in words. */
  readonly difference?: string;
}
