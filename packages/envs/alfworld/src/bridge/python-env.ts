/**
 * ALFWorld's text games in the original Python package: same games, order, words and ends as `AlfredTextEnv`.
 *
 * Rules: specification of ALFWorld, sections 11 and 16. One process per environment, started by the first `reset`. A
 * process that dies or hangs costs the running episode, which ends truncated; the next `reset` starts another.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  BaseEnv,
  type Dialogue,
  GymError,
  InvalidActionError,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type StepResult,
  spaces,
} from '@vlgym/core';
import { z } from 'zod';
import { householdDialogue, LONGEST_ACTION } from '../env/dialogue.js';
import type { HouseholdInfo } from '../env/household-env.js';
import { styled, taskSentence } from '../env/observation.js';
import { checkedTaskTypes } from '../env/options.js';
import { type RewardRule, rewardRule } from '../env/reward.js';
import { defaultDataFolder } from '../games/collection.js';
import { FileSource, type SourceRecord } from '../games/source.js';
import { PythonError } from './python-error.js';
import { type AlfredPythonOptions, checkPythonOptions, defaultPython } from './python-options.js';
import { PythonProcess } from './python-process.js';

export type PythonHouseholdInfo = Omit<HouseholdInfo, 'goalConditionSuccessRate' | 'truncatedBy'> & {
  /** Not known to the Python engine. */
  goalConditionSuccessRate: null;
  truncatedBy?: 'step-limit' | 'engine-lost';
  /** Of an episode that could not be played on, as vector environments say it. */
  truncationReason?: 'env-error';
  error?: { name: string; message: string; code: string };
};

/** Versions as the process reports them. */
export interface PythonVersions {
  readonly alfworld: string;
  readonly textworld: string;
  readonly python: string;
}

interface Episode {
  readonly record: SourceRecord;
  readonly task: string;
  observation: string;
  commands: readonly string[];
  plan: readonly string[];
  won: boolean;
  steps: number;
  /** The step that ended the episode; it is what every further step gives. */
  end: StepResult<string, PythonHouseholdInfo> | undefined;
}

const versionsSchema = z.object({ alfworld: z.string(), textworld: z.string(), python: z.string() });
const seenSchema = z.object({
  observation: z.string(),
  won: z.boolean(),
  done: z.boolean(),
  commands: z.array(z.string()),
  plan: z.array(z.string()),
});

/**
 * `alfworld/AlfredTWEnvPython-v0`: the text engine of the Python package alfworld on its own game files.
 *
 * The process starts with the first `reset` and ends with `close`; `oracle` speaks only with the option `expert`.
 */
export class AlfredPythonEnv extends BaseEnv<string, string, PythonHouseholdInfo> {
  override readonly metadata = { renderModes: ['ansi'], renderFps: 2 } as const;
  readonly observationSpace = spaces.text({ minLength: 0, maxLength: 16_384 });
  readonly actionSpace = spaces.text({ minLength: 0, maxLength: LONGEST_ACTION });
  readonly dialogue: Dialogue<string, string, PythonHouseholdInfo>;

  readonly #options: AlfredPythonOptions;
  readonly #source: FileSource;
  readonly #reward: RewardRule;
  #process: PythonProcess | undefined;
  #versions: PythonVersions | undefined;
  #episode: Episode | undefined;

  constructor(options: AlfredPythonOptions = {}) {
    checkPythonOptions(options);
    super({ renderMode: options.renderMode });
    const { data, split, games, dialogue: style, actionOnly, matching } = options;
    this.#options = options;
    this.#source = new FileSource({ data, split, games, taskTypes: checkedTaskTypes(options.taskTypes) });
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
  async reset({ seed, options = {} }: ResetOptions = {}): Promise<ResetResult<string, PythonHouseholdInfo>> {
    this.ensureOpen('reset');
    if (seed !== undefined) {
      this.reseed(seed);
      this.#source.seed(seed);
    }
    const { game, ...others } = options;
    if (Object.keys(others).length > 0 || (game !== undefined && typeof game !== 'string')) {
      throw new GymError('`reset` cannot use these options.', {
        code: 'INVALID_OPTION',
        value: options,
        expected: '{ game: <id of a game> }',
      });
    }
    this.#episode = undefined;
    const record = game === undefined ? this.#source.deal() : this.#source.find(game);
    const nameSeed = this.#options.domainRandomization ? this.rng.integers(2 ** 32) : 0;
    const { observation, ...seen } = await this.#ask(await this.#running(), 'reset', {
      game: record.file,
      seed: nameSeed,
    });
    this.#episode = {
      ...seen,
      record,
      task: taskSentence(observation),
      observation: styled(observation, this.#options.observationStyle ?? 'raw'),
      steps: 0,
      end: undefined,
    };
    return { observation: this.#episode.observation, info: this.#info(this.#episode, true) };
  }

  /** As `AlfredTextEnv`; an episode whose process is lost ends truncated, and `info.error` says why. */
  async step(action: string): Promise<StepResult<string, PythonHouseholdInfo>> {
    this.ensureOpen('step');
    const episode = this.#current('step');
    if (!this.actionSpace.contains(action)) throw new InvalidActionError(action, this.actionSpace.describe());
    if (episode.end) return structuredClone(episode.end);

    const legal = episode.commands.includes(action.trim());
    let result: StepResult<string, PythonHouseholdInfo>;
    try {
      const { done, ...seen } = await this.#ask(this.#process!, 'step', { action });
      const observation = styled(seen.observation, this.#options.observationStyle ?? 'raw');
      Object.assign(episode, { ...seen, observation, steps: episode.steps + 1 });
      result = this.#result(episode, action, legal, done);
    } catch (error) {
      if (!(error instanceof PythonError)) throw error;
      result = this.#lost(episode, legal, error);
    }
    if (result.terminated || result.truncated) episode.end = structuredClone(result);
    return result;
  }

  override render(): RenderFrame {
    const { observation, task } = this.#current('render');
    return this.renderMode === 'ansi' ? `Task: ${task}\n\n${observation}\n` : undefined;
  }

  /** The next command of the package's expert; only with the option `expert`. */
  expertPlan(): readonly string[] | undefined {
    return this.#options.expert === undefined ? undefined : this.#current('expertPlan').plan;
  }

  oracle(): string | undefined {
    return this.expertPlan()?.[0];
  }

  /** For people. */
  describeAction(action: string): string {
    return action;
  }

  /** Of what is installed; `undefined` before the first `reset`. */
  get versions(): PythonVersions | undefined {
    return this.#versions;
  }

  /** Id of the running process. */
  get processId(): number | undefined {
    return this.#process?.lost ? undefined : this.#process?.id;
  }

  protected override async dispose(): Promise<void> {
    await this.#process?.close();
  }

  #ask(engine: PythonProcess, call: 'reset' | 'step', parameters: Record<string, unknown>) {
    return engine.call(call, parameters, { schema: seenSchema, timeout: this.#options.timeout ?? 60_000 });
  }

  /** The process, started anew where the last one is lost. */
  async #running(): Promise<PythonProcess> {
    if (this.#process && !this.#process.lost) return this.#process;
    const { python, data, maxSteps = 50, expert, domainRandomization = false, startTimeout = 120_000 } = this.#options;
    const engine = new PythonProcess({
      python: python ?? defaultPython(),
      script: scriptPath(),
      environment: { ...process.env, ALFWORLD_DATA: data ?? defaultDataFolder() },
    });
    this.#process = engine;
    const parameters = { steps: maxSteps, expert: expert !== undefined, shuffle: domainRandomization };
    this.#versions = await engine.call('create', parameters, { schema: versionsSchema, timeout: startTimeout });
    return engine;
  }

  #result(episode: Episode, action: string, legal: boolean, done: boolean): StepResult<string, PythonHouseholdInfo> {
    const { won, steps, observation } = episode;
    const unknown = { conditions: { met: 0, total: 1 }, newConditions: 0 }; // no rule that is let in reads them
    const rewardParts = this.#reward.parts({ won, legal, steps, action, ...unknown });
    const truncated = done && !won;
    return {
      observation,
      reward: Object.values(rewardParts).reduce((sum, part) => sum + part, 0),
      terminated: won,
      truncated,
      info: { ...this.#info(episode, legal), rewardParts, ...(truncated && { truncatedBy: 'step-limit' as const }) },
    };
  }

  /** The last that was seen, once more: the action may have been executed or not. */
  #lost(
    episode: Episode,
    legal: boolean,
    { name, message, code }: PythonError,
  ): StepResult<string, PythonHouseholdInfo> {
    return {
      observation: episode.observation,
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

  #current(method: string): Episode {
    if (!this.#episode) throw new ResetNeededError(method);
    return this.#episode;
  }

  #info({ record, commands, task, won, steps }: Episode, legal: boolean): PythonHouseholdInfo {
    return {
      won,
      success: won,
      admissibleCommands: [...commands],
      task,
      taskType: record.taskType ?? 'other',
      game: record.id,
      split: record.split,
      goalConditionSuccessRate: null,
      steps,
      legal,
      gameFile: record.file,
    };
  }
}

/** `python/bridge.py` of this package, seen from the built entry point or from this source. */
function scriptPath(): string {
  const candidates = ['../python/bridge.py', '../../python/bridge.py'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return candidates.find((path) => existsSync(path)) ?? candidates[0]!;
}
