/**
 * A household to act in, one command in words at a time.
 *
 * The game decides what is said and what can be done (`docs/specs/alfworld.md`, sections 9 and 10); this class adds
 * what the Gym layer of ALFWorld adds - limit, order of games, what follows the end (11) - and rewards, goal
 * conditions, experts, dialogues and snapshots.
 */
import {
  BaseEnv,
  type Dialogue,
  type EnvSnapshot,
  Generator,
  InvalidActionError,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  SnapshotMismatchError,
  type Space,
  type StepResult,
  spaces,
} from '@vlgym/core';
import { Play } from '../engine/play.js';
import { pythonStrip } from '../engine/strip.js';
import { type GoalConditions, goalConditions } from '../experts/goal-conditions.js';
import { adviseHandCoded, type ExpertMemory } from '../experts/hand-coded.js';
import { isIdle, planToGoal } from '../experts/planner.js';
import type { GameSource, LoadedGame } from '../games/source.js';
import type { TaskType } from '../games/task.js';
import type { InstanceMap } from '../pictures/painter.js';
import { householdDialogue, MAX_ACTION } from './dialogue.js';
import { styled, taskSentence } from './observation.js';
import { EPISODE_OPTIONS, type ExpertName, type HouseholdOptions } from './options.js';
import { type RewardOption, type RewardRule, rewardRule } from './reward.js';
import { SAVED_HOUSEHOLD } from './saved-household.js';
import { type SeenObservation, Views } from './views.js';

export type HouseholdInfo = {
  won: boolean;
  /** The same, under the name that `evaluate` looks for. */
  success: boolean;
  /** Sorted by code point. */
  admissibleCommands: readonly string[];
  /** The sentence after `Your task is to: `. */
  task: string;
  /** One of the six; `other` for a goal of another form. */
  taskType: TaskType | 'other';
  /** Id of the game: the episode can be played again with `reset({ options: { game } })`. */
  game: string;
  /** At reset: the room and the goal, whatever lies where. */
  taskKey?: string;
  split: string;
  /** Conditions met over conditions in all, 0 to 1: a level, not an increase. */
  goalConditionSuccessRate: number;
  /** Steps so far, admissible or not. */
  steps: number;
  /** Was the last action admissible? True after a reset. */
  legal: boolean;
  /** The reward by its parts; absent after a reset. */
  rewardParts?: Record<string, number>;
  /** Why the episode was truncated. */
  truncatedBy?: 'step-limit' | 'cut';
  /** Path of the game's file, where it has one. */
  gameFile?: string;
};

/** A step without what is seen, which follows from the state. */
type Outcome = Omit<StepResult<unknown, HouseholdInfo>, 'observation'>;

interface Episode {
  readonly loaded: LoadedGame;
  readonly nameSeed: number | undefined;
  readonly play: Play;
  readonly task: string;
  observation: string;
  steps: number;
  /** Most conditions met at once so far. */
  best: number;
  /** Last action and how often it came in a row. */
  repeated: readonly [action: string, times: number];
  memory: ExpertMemory;
  /** The step that ended the episode; it is what every further step gives. */
  end: Outcome | undefined;
  /** What is left of a plan that the agent has followed so far; `null` where none was found from here. */
  plan: readonly string[] | null | undefined;
}

export interface HouseholdSettings extends HouseholdOptions {
  readonly source: GameSource;
  readonly defaultReward: RewardOption;
}

const SNAPSHOT_KIND = 'alfworld/1';
const DEFAULT_MAX_STEPS = 50;
/** Pixels of either side; the visual engine's own (`docs/specs/alfworld.md`, section 15). */
const DEFAULT_SIDE = 300;

export class HouseholdEnv<Observation extends SeenObservation = string> extends BaseEnv<
  Observation,
  string,
  HouseholdInfo
> {
  override readonly metadata = { renderModes: ['ansi', 'rgb_array'], renderFps: 2 } as const;
  readonly observationSpace: Space<Observation>;
  readonly actionSpace = spaces.text({ minLength: 0, maxLength: MAX_ACTION });
  readonly dialogue: Dialogue<Observation, string, HouseholdInfo>;

  readonly #source: GameSource;
  readonly #settings: HouseholdSettings;
  readonly #reward: RewardRule;
  readonly #maxSteps: number;
  readonly #expert: ExpertName;
  readonly #views: Views;
  #episode: Episode | undefined;

  /** @throws {GymError} `PICTURES_NOT_LOADED`: pictures are asked for before `loadPictures`. */
  constructor(settings: HouseholdSettings) {
    super({ renderMode: settings.renderMode });
    const { source, reward, defaultReward, maxSteps = DEFAULT_MAX_STEPS, expert = 'planner' } = settings;
    this.#settings = settings;
    this.#source = source;
    this.#reward = rewardRule(reward ?? defaultReward);
    this.#maxSteps = maxSteps;
    this.#expert = expert;
    const { dialogue: style, actionOnly, matching } = settings;
    this.dialogue = householdDialogue({ style, actionOnly, matching }) as Dialogue<Observation, string, HouseholdInfo>;
    const { observation = 'text', obsWidth: width = DEFAULT_SIDE, obsHeight: height = DEFAULT_SIDE } = settings;
    this.#views = new Views(observation, { width, height });
    this.observationSpace = this.#views.space as unknown as Space<Observation>;
  }

  /**
   * The next game of the order; with a seed, the first of the order that the seed gives.
   *
   * @param options.options.game  A game by its id (`info.game`) instead; the order is not touched.
   * @throws {GymError} The game cannot be loaded: `NO_GAMES`, `UNKNOWN_GAME`, or what is wrong with its file.
   */
  reset(given?: ResetOptions): ResetResult<Observation, HouseholdInfo> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, EPISODE_OPTIONS);
    if (seed !== undefined) {
      this.reseed(seed);
      this.#source.seed(seed);
    }
    const { game } = options;
    const nameSeed = this.#settings.domainRandomization ? this.rng.integers(2 ** 32) : undefined;
    const loaded = game === undefined ? this.#source.next({ nameSeed }) : this.#source.load(game, { nameSeed });
    const play = new Play(loaded.game);
    const introduction = play.reset();
    this.#episode = {
      loaded,
      nameSeed,
      play,
      task: taskSentence(introduction),
      observation: styled(introduction, this.#settings.observationStyle ?? 'raw'),
      steps: 0,
      best: goalConditions(play).met,
      repeated: ['', 0],
      memory: [],
      end: undefined,
      plan: undefined,
    };
    const { taskKey } = loaded;
    return { observation: this.#observe(this.#episode), info: { ...this.#info(this.#episode, true), taskKey } };
  }

  /**
   * Executes an admissible command; at any other text nothing happens, and the step counts.
   *
   * After the end every step gives the last result again, as the original does.
   */
  step(action: string): StepResult<Observation, HouseholdInfo> {
    this.ensureOpen('step');
    const episode = this.#current('step');
    if (!this.actionSpace.contains(action)) throw new InvalidActionError(action, this.actionSpace.describe());
    if (episode.end) return { observation: this.#observe(episode), ...structuredClone(episode.end) };

    const { play } = episode;
    const { feedback, accepted, won } = play.step(action);
    episode.steps += 1;
    episode.observation = styled(feedback, this.#settings.observationStyle ?? 'raw');
    const command = pythonStrip(action);
    if (accepted && !isIdle(command)) {
      episode.plan = episode.plan?.[0] === command ? episode.plan.slice(1) : undefined;
    }
    episode.repeated = [action, action === episode.repeated[0] ? episode.repeated[1] + 1 : 1];
    const conditions = goalConditions(play);
    const newConditions = Math.max(0, conditions.met - episode.best);
    episode.best += newConditions;

    const { steps } = episode;
    const { cut } = this.#reward;
    const isCut = !won && cut !== undefined && (steps > cut.actions || episode.repeated[1] >= cut.repeats);
    const parts = isCut
      ? { cut: cut.reward }
      : this.#reward.parts({ won, legal: accepted, conditions, newConditions, steps, action });
    const atLimit = !won && steps >= this.#maxSteps;
    const result: Outcome = {
      reward: Object.values(parts).reduce((sum, part) => sum + part, 0),
      terminated: won,
      truncated: isCut || atLimit,
      info: {
        ...this.#info(episode, accepted, conditions),
        rewardParts: parts,
        ...(isCut ? { truncatedBy: 'cut' } : atLimit ? { truncatedBy: 'step-limit' } : {}),
      },
    };
    if (result.terminated || result.truncated) episode.end = structuredClone(result);
    return { observation: this.#observe(episode), ...result };
  }

  /** The last text and the task for `ansi`, the picture for `rgb_array`. */
  override render(): RenderFrame {
    const episode = this.#current('render');
    if (this.renderMode === 'rgb_array') return this.#views.picture(episode);
    if (this.renderMode === 'ansi') return `Task: ${episode.task}\n\n${episode.observation}\n`;
    return this.renderNothing();
  }

  /**
   * The first-person picture of this moment, `obsHeight` x `obsWidth`, whatever the observation is.
   *
   * @throws {GymError} `PICTURES_NOT_LOADED`: await `loadPictures()` first.
   */
  picture(): RgbImage {
    return this.#views.picture(this.#current('picture'));
  }

  /** Which object of the game each pixel of `picture()` shows, with the names of all objects. */
  instances(): InstanceMap {
    return this.#views.instances(this.#current('instances'));
  }

  /** Names of what covers at least ten pixels of `picture()`, largest first. */
  visibleObjects(): string[] {
    return this.#views.seen(this.#current('visibleObjects'));
  }

  /** What the expert would do from here: the whole way (`planner`), or the next command (`hand-coded`). */
  expertPlan(): readonly string[] | undefined {
    const episode = this.#current('expertPlan');
    if (this.#expert === 'planner') {
      if (episode.plan === undefined) episode.plan = planToGoal(episode.play) ?? null;
      return episode.plan ?? undefined;
    }
    if (episode.play.won) return [];
    const { command, memory } = adviseHandCoded(episode.play, episode.memory);
    episode.memory = memory;
    return [command];
  }

  /** The next command of the expert; `undefined` where no way leads to success, or none further is needed. */
  oracle(): string | undefined {
    return this.expertPlan()?.[0];
  }

  /** For people. */
  describeAction(action: string): string {
    return action;
  }

  /** Conditions of the task that are met, and how many there are. */
  goalConditions(): GoalConditions {
    return goalConditions(this.#current('goalConditions').play);
  }

  snapshot(): EnvSnapshot {
    const episode = this.#episode;
    const saved = episode
      ? {
          game: episode.loaded.id,
          objects: fingerprint(episode.play),
          nameSeed: episode.nameSeed,
          play: episode.play.save(),
          observation: episode.observation,
          steps: episode.steps,
          best: episode.best,
          repeated: [...episode.repeated],
          memory: [...episode.memory],
          end: episode.end ?? null,
        }
      : null;
    const state = { source: this.#source.save(), rng: this.rng.getState(), episode: saved };
    return { kind: SNAPSHOT_KIND, state: JSON.parse(JSON.stringify(state)) };
  }

  /** @throws {SnapshotMismatchError} Made by another environment, or the game it was made in has changed. */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const { source, rng, episode: saved } = parseSnapshot(snapshot, SNAPSHOT_KIND, SAVED_HOUSEHOLD);
    let episode: Episode | undefined;
    if (saved) {
      const { game, objects, play: facts, end, ...rest } = saved;
      const loaded = this.#source.load(game, { nameSeed: saved.nameSeed });
      const play = new Play(loaded.game);
      if (fingerprint(play) !== objects) throw new SnapshotMismatchError(`${snapshot.kind} of another ${game}`, game);
      const task = taskSentence(play.reset());
      play.load(facts);
      const ended = (end ?? undefined) as Outcome | undefined;
      episode = { ...rest, nameSeed: saved.nameSeed, loaded, play, task, end: ended, plan: undefined };
    }
    const generator = new Generator(0);
    generator.setState(rng);
    this.#source.restore(source); // refuses before it changes anything
    this.rng = generator;
    this.#episode = episode;
  }

  #observe(episode: Episode): Observation {
    return this.#views.observe(episode) as Observation;
  }

  #current(method: string): Episode {
    if (!this.#episode) throw new ResetNeededError(method);
    return this.#episode;
  }

  #info(episode: Episode, legal: boolean, conditions = goalConditions(episode.play)): HouseholdInfo {
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
}

/** Tells games apart whose objects differ (FNV-1a over their ids). */
function fingerprint(play: Play): number {
  let hash = 0x811c9dc5;
  for (const id of play.game.world.ids) {
    for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
    hash = Math.imul(hash ^ 10, 0x01000193);
  }
  return hash >>> 0;
}
