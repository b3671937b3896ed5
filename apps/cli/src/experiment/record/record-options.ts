/** The options of a record, and what it says at the end. */
import type { Algorithm } from '@vlgym/rl';
import type { RunSpec } from '../spec.js';
import type { RecordTally, TrainingRecordOptions } from './training-record.js';

const MEGABYTE = 1e6;
const DEFAULT_MEGABYTES = 1000;
const DEFAULT_EPISODES = 32;
/** Percent; with what writing takes, a record stays below two percent of the training's time (`bench/record.ts`). */
const DEFAULT_SCORES = 0.5;

export function recordChoices(
  plan: Pick<RunSpec, 'record' | 'recordEpisodes' | 'recordMegabytes' | 'recordScores'>,
  config: Algorithm['config'],
): Omit<TrainingRecordOptions, 'folder' | 'policy' | 'done'> {
  const {
    record = 1,
    recordEpisodes = DEFAULT_EPISODES,
    recordMegabytes = DEFAULT_MEGABYTES,
    recordScores = DEFAULT_SCORES,
  } = plan;
  return {
    every: record,
    episodes: recordEpisodes,
    bytes: recordMegabytes * MEGABYTE,
    // 100 is asked for by name: every step, whatever it takes
    share: recordScores === 100 ? Number.POSITIVE_INFINITY : recordScores / 100,
    temperature: config.loss.temperature,
    epochs: config.optimizer.epochs,
    // algorithms with a merged teacher say how it is merged
    hasTeacher: 'merge' in config,
  };
}

/** The steps that were kept, and those that were dropped for an option. */
export function recordNote(tally: RecordTally): string {
  const { updates, episodes, steps, scored, fullUpdates, leftOutEpisodes, leftOutSteps, bytes } = tally;
  const dropped = [
    ...(leftOutEpisodes > 0 ? [`${leftOutEpisodes} episodes (${leftOutSteps} steps) by --record-episodes`] : []),
    ...(fullUpdates > 0 ? [`${fullUpdates} whole updates by --record-megabytes`] : []),
  ];
  return [
    `recorded ${updates} updates: ${episodes} episodes, ${steps} steps, ${(bytes / MEGABYTE).toFixed(1)} MB in training`,
    ...(scored < steps ? [`reference, sight and ratio after the update on ${scored} of them (--record-scores)`] : []),
    ...(dropped.length > 0 ? [`left out ${dropped.join(' and ')}`] : []),
  ].join('; ');
}
