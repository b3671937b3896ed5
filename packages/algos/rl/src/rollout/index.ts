/** Collecting, storing, and rescoring episodes. */

export { RecordLog, type RecordLogState, recordLogState } from '../storage/record-log.js';
export { decodeSequence, encodeSequence } from '../storage/sequence-codec.js';
export { BufferBuilder, joinBuffers } from './buffer-builder.js';
export { Collector, type CollectorOptions } from './collector.js';
export { type EpisodeHooks, type RunningTurn, refuseHooks, type TurnOrders } from './episode-hooks.js';
export type { SlotState } from './episode-slot.js';
export { expertAnswer, type Opening } from './opening.js';
export { type PlayEpisodeOptions, type PlayedEpisode, playEpisode } from './play-episode.js';
export type { EpisodeSummary, Fork, ForkOrigin, RewardParts, SampleOrigin } from './record.js';
export { type RescoreOptions, rescore, sequenceOf } from './rescore.js';
export type { RolloutSampler, SampledResponse } from './sampler.js';
export type { CollectorState } from './slot-player.js';
export type { CollectEpisodesOptions, CollectOptions, OpenSource, SourceParts } from './source.js';
export { checkTokenVersions, tokenVersions, versionNumber } from './token-versions.js';
