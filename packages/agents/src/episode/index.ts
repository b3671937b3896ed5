/** An episode in progress: read, decide, act, snapshot, fork. */

export { playTurns, type TurnTaker } from '../evaluate/play-turns.js';
export type { Decision } from './decision.js';
export { type AnyEpisode, Episode } from './episode.js';
export { EpisodeNotRunningError, ForkDiffersError, NotForkableError } from './errors.js';
export type { ForkOptions } from './fork.js';
export type { EpisodeOptions, EpisodeResetOptions } from './options.js';
export { EPISODE_SNAPSHOT, type EpisodeSnapshot } from './snapshot.js';
export type { EpisodeState, EpisodeSummary } from './state.js';
export { INVALID_REWARD } from './step-result.js';
