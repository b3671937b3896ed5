/**
 * A household, played by one text command per step.
 *
 * The game defines texts and admissible commands (`docs/specs/alfworld.md`, sections 9 and 10); this class adds
 * what the Gym layer of ALFWorld adds - step limit, order of games, steps after the end (11) - and rewards, goal
 * conditions, experts, dialogues, and snapshots.
 */
import {
  BaseEnv,
  type Dialogue,
  type EnvSnapshot,
  Generator,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  type Space,
  type StepResult,
  spaces,
} from '@vlgym/core';
import { pythonStrip } from '@vlgym/core/internal';
import { type GoalConditions, goalConditions } from '../experts/goal-conditions.js';
import { adviseHandCoded } from '../experts/hand-coded.js';
import { isIdle, planToGoal } from '../experts/planner.js';
import type { GameSource } from '../games/source.js';
import type { InstanceMap } from '../pictures/painter.js';
import { householdDialogue, MAX_ACTION } from './dialogue.js';
import { type Episode, infoOf, loadEpisode, type Outcome, saveEpisode, startEpisode } from './episode.js';
import type { HouseholdInfo } from './info.js';
import { styled } from './observation.js';
import { EPISODE_OPTIONS, type ExpertName, type HouseholdOptions } from './options.js';
import { endWords, refusalOf } from './player-words.js';
import { type RewardOption, type RewardRule, rewardRule } from './reward.js';
import { SAVED_HOUSEHOLD } from './saved-household.js';
import { type SeenObservation, Views } from './views.js';

export interface HouseholdSettings extends HouseholdOptions {
  readonly source: GameSource;
  readonly defaultReward: RewardOption;
}

const SNAPSHOT_KIND = 'alfworld/1';
const DEFAULT_MAX_STEPS = 50;
/** Width and height in pixels, as in the visual engine (`docs/specs/alfworld.md`, section 15). */
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

  /** @throws {GymError} `PICTURES_NOT_LOADED`: the options need pictures; call `loadPictures` first. */
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

  get stepLimit(): number {
    return this.#maxSteps;
  }

  /**
   * Starts the next game of the order; with a seed, the first game of that seed's order.
   *
   * @param options.options.game  Id of a game (`info.game`) to start instead; the order does not advance.
   * @throws {GymError} The game cannot be loaded: `NO_GAMES`, `UNKNOWN_GAME`, or an error in its file.
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
    this.#episode = startEpisode(loaded, nameSeed, this.#settings.observationStyle ?? 'raw');
    const { taskKey } = loaded;
    return { observation: this.#observe(this.#episode), info: { ...infoOf(this.#episode, true), taskKey } };
  }

  /**
   * Executes an admissible command. Any other text has no effect, but counts as a step.
   *
   * After the end every step returns the last result again, as in the original.
   */
  step(action: string): StepResult<Observation, HouseholdInfo> {
    this.ensureOpen('step');
    const episode = this.#current('step');
    this.checkAction(action);
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
        ...infoOf(episode, accepted, conditions),
        rewardParts: parts,
        ...(isCut ? { truncatedBy: 'cut' } : atLimit ? { truncatedBy: 'step-limit' } : {}),
      },
    };
    if (result.terminated || result.truncated) episode.end = structuredClone(result);
    return { observation: this.#observe(episode), ...result };
  }

  /** Last text and task for `ansi`, picture for `rgb_array`. */
  override render(): RenderFrame {
    const episode = this.#current('render');
    if (this.renderMode === 'rgb_array') return this.#views.picture(episode);
    if (this.renderMode === 'ansi') return `Task: ${episode.task}\n\n${episode.observation}\n`;
    return this.renderNothing();
  }

  /**
   * Current first-person picture, `obsHeight` x `obsWidth`, for every kind of observation.
   *
   * @throws {GymError} `PICTURES_NOT_LOADED`: await `loadPictures()` first.
   */
  picture(): RgbImage {
    return this.#views.picture(this.#current('picture'));
  }

  /** The object that each pixel of `picture()` shows, and the names of all objects. */
  instances(): InstanceMap {
    return this.#views.instances(this.#current('instances'));
  }

  /** Names of objects that cover at least ten pixels of `picture()`, largest first. */
  visibleObjects(): string[] {
    return this.#views.visible(this.#current('visibleObjects'));
  }

  /** The expert's advice: all remaining commands (`planner`), or the next one (`hand-coded`). */
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

  /** Next command of the expert; `undefined` if it finds none or the game is won. */
  oracle(): string | undefined {
    return this.expertPlan()?.[0];
  }

  describeAction(action: string): string {
    return action;
  }

  /** The last text: what a player would read in a terminal. */
  describeState(): string {
    return this.#current('describeState').observation.trim();
  }

  /** Any text that is not a possible command would cost a step without effect. */
  describeRefusal(action: string): string | undefined {
    return refusalOf(action, this.#current('describeRefusal').play.admissible);
  }

  /** The reason for the end, for people. */
  describeEnd({ terminated, info }: StepResult<Observation, HouseholdInfo>): string {
    return endWords(terminated, info);
  }

  /** Met conditions of the task, and their total number. */
  goalConditions(): GoalConditions {
    return goalConditions(this.#current('goalConditions').play);
  }

  snapshot(): EnvSnapshot {
    const saved = this.#episode ? saveEpisode(this.#episode) : null;
    const state = { source: this.#source.save(), rng: this.rng.getState(), episode: saved };
    return { kind: SNAPSHOT_KIND, state: JSON.parse(JSON.stringify(state)) };
  }

  /** @throws {SnapshotMismatchError} The snapshot is from another environment, or its game has changed. */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const { source, rng, episode: saved } = parseSnapshot(snapshot, SNAPSHOT_KIND, SAVED_HOUSEHOLD);
    const episode = saved ? loadEpisode(saved, this.#source, snapshot.kind) : undefined;
    const generator = new Generator(0);
    generator.setState(rng);
    this.#source.restore(source); // throws before it changes anything
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
}
