/**
 * Base of the environments that play in the Python package: order of games, use of a process, ends of episodes.
 *
 * Rules: `docs/specs/alfworld.md`, sections 11 and 16. The first `reset` leases the process that serves
 * environments like this one, or starts it. If a process dies or hangs, all its running episodes are truncated, and the
 * next `reset` starts another. A call that raises truncates only its own episode.
 */
import {
  BaseEnv,
  type Dialogue,
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
import { refusalOf } from '../env/player-words.js';
import { type RewardRule, rewardRule } from '../env/reward.js';
import { GameFileError } from '../errors.js';
import { defaultDataFolder } from '../games/collection.js';
import { FileSource, type SourceRecord } from '../games/source.js';
import { type PythonHouseholdInfo, type PythonVersions, type Seen, seenSchema, versionsSchema } from './protocol.js';
import { PythonError } from './python-error.js';
import { type BridgeOptions, DEFAULT_MAX_STEPS } from './python-options.js';
import { defaultPython } from './python-place.js';
import { bridgeScript } from './script.js';
import { leasePython, type PythonLease } from './shared-process.js';

const DEFAULT_LONGEST_CALL = 600_000;

/** A step without its observation, which is decoded each time. */
type Outcome = Omit<StepResult<unknown, PythonHouseholdInfo>, 'observation'>;

interface Episode {
  readonly record: SourceRecord;
  readonly task: string;
  seen: Seen;
  steps: number;
  /** The step that ended the episode; every further step returns it. */
  end: Outcome | undefined;
}

/** How the engines differ. */
export interface Engine<Observation> {
  readonly space: Space<Observation>;
  /** Parameters of the call `create`: the engine and its settings. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether environments may share a process. */
  readonly shared: boolean;
  /** Builds an observation. @param text  In the requested style. */
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

  /** @param options  Already checked. */
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

  get stepLimit(): number {
    return this.#options.maxSteps ?? DEFAULT_MAX_STEPS;
  }

  /**
   * Starts the next game of the order; with a seed, the first game of that seed's order.
   *
   * @param options.options.game  Id of a game (`info.game`) to start instead; the order does not advance.
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

  /** Like `AlfredTextEnv`. If the process is lost, the episode is truncated and `info.error` says why. */
  async step(action: string): Promise<StepResult<Observation, PythonHouseholdInfo>> {
    this.ensureOpen('step');
    const episode = this.#current('step');
    this.checkAction(action);
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

  /** Next command of the package's expert; needs the option `expert`. */
  expertPlan(): readonly string[] {
    return this.#current('expertPlan').seen.plan;
  }

  oracle(): string | undefined {
    return this.expertPlan()[0];
  }

  describeAction(action: string): string {
    return action;
  }

  describeState(): string {
    return this.#textOf(this.#current('describeState')).trim();
  }

  describeRefusal(action: string): string | undefined {
    return refusalOf(action, this.#current('describeRefusal').seen.commands);
  }

  /** Versions of the installed packages; `undefined` before the first `reset`. */
  get versions(): PythonVersions | undefined {
    return this.#versions;
  }

  /** Id of the running process, possibly shared with other environments. */
  get processId(): number | undefined {
    return this.#place?.process.lost ? undefined : this.#place?.process.id;
  }

  protected override async dispose(): Promise<void> {
    await this.#place?.release();
  }

  /** Loads a game; tries again if the call of another environment ended the process. */
  async #begin(parameters: Readonly<Record<string, unknown>>): Promise<Seen> {
    if (this.#place?.process.lost) await this.#leave();
    this.ensureOpen('reset'); // it may have been closed in the meantime
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
    const { startTimeout: timeout = 120_000, longestCall: longest = DEFAULT_LONGEST_CALL } = this.#options;
    this.#versions = await place.ask('create', this.#engine.parameters, { schema: versionsSchema, timeout, longest });
  }

  #ask(place: PythonLease, call: 'reset' | 'step', parameters: Readonly<Record<string, unknown>>): Promise<Seen> {
    const { timeout = 60_000, longestCall: longest = DEFAULT_LONGEST_CALL } = this.#options;
    return place.ask(call, parameters, { schema: seenSchema, timeout, longest });
  }

  /** Gives up the process after a failure, because the state of the engine is unknown. */
  async #leave(): Promise<void> {
    const place = this.#place;
    this.#place = undefined;
    await place?.release();
  }

  #outcome(episode: Episode, action: string, legal: boolean): Outcome {
    const { steps, seen } = episode;
    // The number of conditions is unknown, and no allowed reward needs it.
    const conditions = { met: seen.rate ?? 0, total: 1 };
    const rewardParts = this.#reward.parts({ won: seen.won, legal, steps, action, conditions, newConditions: 0 });
    const truncated = !seen.won && (seen.done || steps >= this.stepLimit);
    return {
      reward: Object.values(rewardParts).reduce((sum, part) => sum + part, 0),
      terminated: seen.won,
      truncated,
      info: { ...this.#info(episode, legal), rewardParts, ...(truncated && { truncatedBy: 'step-limit' as const }) },
    };
  }

  /** Keeps the last observation: the action may or may not have been executed. */
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

  /** Empty for a game that Python plays but this package cannot read. */
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
