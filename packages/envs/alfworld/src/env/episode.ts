/** An episode of a household: its state between steps, as JSON data in snapshots, and what `info` says of it. */
import { SnapshotMismatchError, type StepResult } from '@vlgym/core';
import type { z } from 'zod';
import { Play } from '../engine/play.js';
import { goalConditions } from '../experts/goal-conditions.js';
import type { ExpertMemory } from '../experts/hand-coded.js';
import type { GameSource, LoadedGame } from '../games/source.js';
import type { HouseholdInfo } from './info.js';
import { type ObservationStyle, styled, taskSentence } from './observation.js';
import type { SAVED_HOUSEHOLD } from './saved-household.js';

/** A step without its observation, which the state determines. */
export type Outcome = Omit<StepResult<unknown, HouseholdInfo>, 'observation'>;

export interface Episode {
  readonly loaded: LoadedGame;
  readonly nameSeed: number | undefined;
  readonly play: Play;
  readonly task: string;
  observation: string;
  steps: number;
  /** Highest number of conditions met at once. */
  best: number;
  /** Last action, and its number of consecutive repetitions. */
  repeated: readonly [action: string, times: number];
  memory: ExpertMemory;
  /** The step that ended the episode; every further step returns it. */
  end: Outcome | undefined;
  /** Rest of a plan that the agent has followed; `null` if none was found from here. */
  plan: readonly string[] | null | undefined;
}

export function startEpisode(loaded: LoadedGame, nameSeed: number | undefined, style: ObservationStyle): Episode {
  const play = new Play(loaded.game);
  const introduction = play.reset();
  return {
    loaded,
    nameSeed,
    play,
    task: taskSentence(introduction),
    observation: styled(introduction, style),
    steps: 0,
    best: goalConditions(play).met,
    repeated: ['', 0],
    memory: [],
    end: undefined,
    plan: undefined,
  };
}

export function saveEpisode(episode: Episode) {
  const { loaded, nameSeed, play, observation, steps, best, repeated, memory, end } = episode;
  return {
    game: loaded.id,
    objects: fingerprint(play),
    nameSeed,
    play: play.save(),
    observation,
    steps,
    best,
    repeated: [...repeated],
    memory: [...memory],
    end: end ?? null,
  };
}

/**
 * @param kind  Kind of the snapshot, for the error.
 * @throws {SnapshotMismatchError} The game has other objects than the one that was saved.
 */
export function loadEpisode(
  saved: NonNullable<z.output<typeof SAVED_HOUSEHOLD>['episode']>,
  source: GameSource,
  kind: string,
): Episode {
  const { game, objects, play: facts, end, ...rest } = saved;
  const loaded = source.load(game, { nameSeed: saved.nameSeed });
  const play = new Play(loaded.game);
  if (fingerprint(play) !== objects) throw new SnapshotMismatchError(`${kind} of another ${game}`, game);
  const task = taskSentence(play.reset());
  play.load(facts);
  const ended = (end ?? undefined) as Outcome | undefined;
  return { ...rest, nameSeed: saved.nameSeed, loaded, play, task, end: ended, plan: undefined };
}

export function infoOf(episode: Episode, legal: boolean, conditions = goalConditions(episode.play)): HouseholdInfo {
  const { loaded, play, task, steps } = episode;
  return {
    won: play.won,
    success: play.won,
    admissibleCommands: [...play.admissible],
    task,
    taskType: loaded.taskType ?? 'other',
    game: loaded.id,
    split: loaded.split,
    goalConditionSuccessRate: conditions.met / conditions.total,
    steps,
    legal,
    ...(loaded.file === undefined ? {} : { gameFile: loaded.file }),
  };
}

/** Distinguishes games with different objects (FNV-1a over their ids). */
function fingerprint(play: Play): number {
  let hash = 0x811c9dc5;
  for (const id of play.game.world.ids) {
    for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
    hash = Math.imul(hash ^ 10, 0x01000193);
  }
  return hash >>> 0;
}
