/**
 * What the environments of the Python package have in common: games in our order, a place in a process, episodes that end well.
 *
 * Rules: `docs/specs/alfworld.md`, sections 11 and 16. The first `reset` takes a place in the process that serves
 * environments like this one, and starts it where there is none. A process that dies or hangs costs the running episodes
 * of all, which end truncated; their next `reset` starts another. A call that raises costs only its own.
 */
import {
  BaseEnv,
  type Dialogue,
  InvalidActionError,
  parseReset,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type Space,
  type StepResult,
  spaces,
  type TaskInfo,
} from '@vlgym/core';
import { householdDialogue, MAX_ACTION } from '../env/dialogue.js';
import { styled, taskSentence } from '../env/observation.js';
import { EPISODE_OPTIONS, fileOptions } from '../env/options.js';
import { type RewardRule, rewardRule } from '../env/reward.js';
import { GameFileError } from '../errors.js';
import { defaultDataFolder } from '../games/collection.js';
import { FileSource, type SourceRecord } from '../games/source.js';
import { PythonError } from './python-error.js';
import { type BridgeOptions, DEFAULT_MAX_STEPS } from './python-options.js';
import { defaultPython } from './python-place.js';
import { bridgeScript } from './script.js';
import { leasePython, type PythonLease } from './shared-process.js';
import { type PythonHouseholdInfo, type PythonVersions, type Seen, seenSchema, versionsSchema } from './told.js';

const LONGEST_CALL = 600_000;

/** A step without what is seen, which is decoded anew each time. */
type Outcome = Omit<StepResult<unknown, PythonHouseholdInfo>, 'observation'>;

interface Episode {
  readonly record: SourceRecord;
  readonly task: string;
  seen: Seen;
  steps: number;
  /** How the episode ended; it is what every further step gives. */
  end: Outcome | undefined;
}

/** What sets the engines apart. */
export interface Engine<Observation> {
  readonly space: Space<Observation>;
  /** Of the call `create`: which engine, and how it is set up. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether environments may have one process together. */
  readonly shared: boolean;
  /** A fresh observation. @param text  In the style that was asked for. */
  readonly observe: (text: string, seen: Seen) => Observation;
}

export abstract class BridgedEnv<Observation> extends BaseEnv<Observation, string, PythonHouseholdInfo> {
  readonly observationSpace: Space<Observation>;
  readonly actionSpace = spaces.text({ minLength: 0, maxLength: MAX_ACTION });
  readonly dialogue: Dialogue<Observation, string, PythonHouseholdInfo>;

  readonly #options: BridgeOptions;
  readonly #engine: Engine<Observation>;
  readonly #source: FileSource;
  readonly #reward: RewardRule;
  #place: PythonLease | undefined;
  #versions: PythonVersions | undefined;
  #episode: Episode | undefined;

  /** @param options  Checked. */
  constructor(options: BridgeOptions, engine: Engine<Observation>) {
    super({ renderMode: options.renderMode });
    const { dialogue: style, actionOnly, matching } = options;
    this.#options = options;
    this.#engine = engine;
    this.observationSpace = engine.space;
    this.#source = new FileSource(fileOptions(options));
    this.#reward = rewardRule(options.reward ?? 'sparse');
    this.dialogue = householdDialogue({ style, actionOnly, matching }) as unknown as typeof this.dialogue;
  }

  /**
   * The next game of the order; with a seed, the first of the order that the seed gives.
   *
   * @param options.options.game  A game by its id (`info.game`) instead; the order is not touched.
   * @throws {PythonError} The process cannot be started, cannot load the game, or does not answer.
   * @throws {GymError} `NO_GAMES`, `UNKNOWN_GAME`
   */
  async reset(given?: ResetOptions): Promise<ResetResult<Observation, PythonHouseholdInfo>> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, EPISODE_OPTIONS);
    if (seed !== undefined) {
      this.reseed(seed);
      this.#source.seed(seed);
    }
    const { game } = options;
    this.#episode = undefined;
    const record = game === undefined ? this.#source.deal() : this.#source.find(game);
    const drawn = this.rng.integers(2 ** 32);
    const seen = await this.#begin({ game: record.file, seed: drawn });
    this.#episode = { record, task: taskSentence(seen.observation), seen, steps: 0, end: undefined };
    const info = { ...this.#info(this.#episode, true), ...this.#taskOf(record) };
    return { observation: this.#observe(this.#episode), info };
  }

  /** As `AlfredTextEnv`; an episode whose process is lost ends truncated, and `info.error` says why. */
  async step(action: string): Promise<StepResult<Observation, PythonHouseholdInfo>> {
    this.ensureOpen('step');
    const episode = this.#current('step');
    if (!this.actionSpace.contains(action)) throw new InvalidActionError(action, this.actionSpace.describe());
    if (episode.end) return { observation: this.#observe(episode), ...structuredClone(episode.end) };

    const legal = episode.seen.commands.includes(action.trim());
    let outcome: Outcome;
    try {
      episode.seen = await this.#ask(this.#place!, 'step', { action });
      episode.steps += 1;
      outcome = this.#outcome(episode, action, legal);
    } catch (error) {
      if (!(error instanceof PythonError)) throw error;
      await this.#leave();
      outcome = this.#lost(episode, legal, error);
    }
    if (outcome.terminated || outcome.truncated) episode.end = structuredClone(outcome);
    return { observation: this.#observe(episode), ...outcome };
  }

  override render(): RenderFrame {
    const episode = this.#current('render');
    if (this.renderMode === 'ansi') return `Task: ${episode.task}\n\n${this.#textOf(episode)}\n`;
    return this.renderNothing();
  }

  /** The next command of the package's expert; empty without the option `expert`. */
  expertPlan(): readonly string[] {
    return this.#current('expertPlan').seen.plan;
  }

  oracle(): string | undefined {
    return this.expertPlan()[0];
  }

  /** For people. */
  describeAction(action: string): string {
    return action;
  }

  /** Of what is installed; `undefined` before the first `reset`. */
  get versions(): PythonVersions | undefined {
    return this.#versions;
  }

  /** Id of the running process, which other environments may share. */
  get processId(): number | undefined {
    return this.#place?.process.lost ? undefined : this.#place?.process.id;
  }

  protected override async dispose(): Promise<void> {
    await this.#place?.release();
  }

  /** Loads a game; again where it was the call of another environment that brought the process down. */
  async #begin(parameters: Readonly<Record<string, unknown>>): Promise<Seen> {
    if (this.#place?.process.lost) await this.#leave();
    this.ensureOpen('reset'); // it may have been closed meanwhile
    const isNew = this.#place === undefined;
    const place = this.#place ?? this.#take();
    try {
      if (isNew) await this.#create(place);
      return await this.#ask(place, 'reset', parameters);
    } catch (error) {
      await this.#leave();
      const { caller = place.caller } = error as Partial<PythonError>;
      if (caller === place.caller) throw error;
      return this.#begin(parameters);
    }
  }

  #take(): PythonLease {
    const { python = defaultPython(), data = defaultDataFolder(), memoryLimit } = this.#options;
    const environment = { ...process.env, ALFWORLD_DATA: data };
    const options = { python, script: bridgeScript(), environment, memoryLimit };
    this.#place = leasePython(options, this.#engine.shared);
    return this.#place;
  }

  async #create(place: PythonLease): Promise<void> {
    const { startTimeout: timeout = 120_000, longestCall: longest = LONGEST_CALL } = this.#options;
    this.#versions = await place.ask('create', this.#engine.parameters, { schema: versionsSchema, timeout, longest });
  }

  #ask(place: PythonLease, call: 'reset' | 'step', parameters: Readonly<Record<string, unknown>>): Promise<Seen> {
    const { timeout = 60_000, longestCall: longest = LONGEST_CALL } = this.#options;
    return place.ask(call, parameters, { schema: seenSchema, timeout, longest });
  }

  /** After a failure: what the engine is left with is not known. */
  async #leave(): Promise<void> {
    const place = this.#place;
    this.#place = undefined;
    await place?.release();
  }

  #outcome(episode: Episode, action: string, legal: boolean): Outcome {
    const { steps, seen } = episode;
    // how many conditions there are is not told, and no rule that is let in asks for it
    const conditions = { met: seen.rate ?? 0, total: 1 };
    const rewardParts = this.#reward.parts({ won: seen.won, legal, steps, action, conditions, newConditions: 0 });
    const truncated = !seen.won && (seen.done || steps >= (this.#options.maxSteps ?? DEFAULT_MAX_STEPS));
    return {
      reward: Object.values(rewardParts).reduce((sum, part) => sum + part, 0),
      terminated: seen.won,
      truncated,
      info: { ...this.#info(episode, legal), rewardParts, ...(truncated && { truncatedBy: 'step-limit' as const }) },
    };
  }

  /** What was seen last stays: the action may have been executed or not. */
  #lost(episode: Episode, legal: boolean, { name, message, code }: PythonError): Outcome {
    return {
      reward: 0,
      terminated: false,
      truncated: true,
      info: {
        ...this.#info(episode, legal),
        truncatedBy: 'engine-lost',
        truncationReason: 'env-error',
        error: { name, message, code },
      },
    };
  }

  /** Nothing for a game that Python plays and this package cannot read. */
  #taskOf(record: SourceRecord): Partial<TaskInfo> {
    try {
      return { taskKey: this.#source.keyOf(record) };
    } catch (error) {
      if (error instanceof GameFileError) return {};
      throw error;
    }
  }

  #textOf({ seen }: Episode): string {
    return styled(seen.observation, this.#options.observationStyle ?? 'raw');
  }

  #observe(episode: Episode): Observation {
    return this.#engine.observe(this.#textOf(episode), episode.seen);
  }

  #current(method: string): Episode {
    if (!this.#episode) throw new ResetNeededError(method);
    return this.#episode;
  }

  #info({ record, task, seen: { won, commands, rate }, steps }: Episode, legal: boolean): PythonHouseholdInfo {
    return {
      won,
      success: won,
      admissibleCommands: [...commands],
      task,
      taskType: record.taskType ?? 'other',
      game: record.id,
      split: record.split,
      goalConditionSuccessRate: rate,
      steps,
      legal,
      gameFile: record.file,
    };
  }
}
