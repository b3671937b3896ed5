/** One environment as its clients see it, without a server. */
export { type Moment, ServedEpisode, type ServedResetOptions, type ServedState } from './session/served-episode.js';
