/** One environment as its clients see it, without a server. */
export { Episode, type EpisodeResetOptions, type EpisodeState, type Moment } from './session/episode.js';
