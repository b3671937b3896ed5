/** Collecting, storing, and rescoring episodes. */
export { BufferBuilder, joinBuffers } from './buffer-builder.js';
export { Collector, type CollectorOptions } from './collector.js';
export type { SlotState } from './episode-slot.js';
export { type PlayEpisodeOptions, type PlayedEpisode, playEpisode } from './play-episode.js';
export type { EpisodeSummary, RewardParts, Sampler } from './record.js';
export { type RescoreOptions, rescore, sequenceOf } from './rescore.js';
export type { RolloutSampler, SampledResponse } from './sampler.js';
export type { CollectorState } from './slot-player.js';
export type { CollectEpisodesOptions, CollectOptions, OpenSource, SourceParts } from './source.js';
export { checkTokenVersions, tokenVersions, versionNumber } from './token-versions.js';
