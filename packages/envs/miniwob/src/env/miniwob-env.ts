/**
 * MiniWoB++ as an environment: the pages of miniwob 1.1.0 under `SiteEnv`, their clock run by actions, their chance by a
 * number. The same numbers and actions give the same pages, rewards and, in one Chromium, pictures.
 *
 * What an episode is follows `miniwob/selenium_instance.py`; `pages/page-clock.ts` begins it. A snapshot is the task, its
 * number and the actions so far.
 */
import {
  BaseEnv,
  type Dialogue,
  EmptySplitError,
  type EnvSnapshot,
  EpisodeOverError,
  generatorState,
  InvalidOptionError,
  option,
  parseOptions,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  type ResetOptions,
  type ResetResult,
  type Split,
  type StepResult,
  splitOf,
} from '@vlgym/core';
import { SiteActionSpace, type SiteEnv, type SiteInfo } from '@vlgym/site';
import { z } from 'zod';
import { nextAction } from '../expert/expert.js';
import { type Begun, MiniWoBSite, type PageState } from '../pages/miniwob-site.js';
import { type MiniWoBTask, TASKS } from '../tasks/tasks.js';
import { miniWoBDialogue } from './dialogue.js';
import type { MiniWoBInfo } from './info.js';
import { afterTheEnd, type MiniWoBObservation, observationOf, observationSpaceOf } from './observation.js';
import { type MiniWoBOptions, optionsSchema } from './options.js';
import { contentKey, fingerprint } from './task-key.js';
import { calledElement } from './thought-check.js';

/** Numbers of pages that are drawn: those of BrowserGym's benchmark. */
const PAGE_SEEDS = 1_000_001;
/** Pages that are begun to find one of the wanted split. */
const MAX_DRAWS = 100;
const MAX_ACTIONS = 10_000;
const KIND = 'miniwob/1';

const pageSeed = option.integer(0, 2 ** 32 - 1);
/** Options of `reset`: an episode by task and number. */
const episodeOptions = z.strictObject({
  task: option.oneOf([...TASKS.keys()]).optional(),
  pageSeed: pageSeed.optional(),
});

/** The episode that is played. */
interface Played {
  readonly task: MiniWoBTask;
  readonly pageSeed: number;
  readonly begun: Begun;
  readonly key: string;
  readonly actions: string[];
  readonly observation: MiniWoBObservation;
  readonly state: PageState;
  readonly over: boolean;
  readonly site: SiteInfo;
}

/**
 * @example
 * const env = new MiniWoBEnv({ task: 'click-button' });
 * const { observation, info } = await env.reset({ seed: 3 }); // as `env.reset(seed=3)` of miniwob/click-button-v1
 */
export class MiniWoBEnv extends BaseEnv<MiniWoBObservation, string, MiniWoBInfo> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'] as const };
  readonly observationSpace;
  /** Any text; samples are valid calls on the open page. */
  readonly actionSpace = new SiteActionSpace(() => this.#played?.observation.elements ?? []);
  readonly dialogue: Dialogue<MiniWoBObservation, string, MiniWoBInfo>;

  readonly #tasks: readonly MiniWoBTask[];
  readonly #split: Split | undefined;
  readonly #isLimited: boolean;
  readonly #dataMode: string;
  readonly #site: MiniWoBSite;
  #played: Played | undefined;

  /** @throws {InvalidOptionError | UnknownOptionError} */
  constructor(options: MiniWoBOptions = {}) {
    const checked = parseOptions(options, optionsSchema);
    super({ renderMode: checked.renderMode });
    const { dialogue = 'browsergym-v1', observation = 'both', task, kind, level = 3 } = checked;
    this.#tasks = [...TASKS.values()].filter(
      (each) =>
        (task === undefined || each.name === task) && (kind === undefined || each.kind === kind) && each.level <= level,
    );
    if (this.#tasks.length === 0) {
      throw new InvalidOptionError('level', checked.level ?? level, 'a level that has a task of this name and kind');
    }
    this.#split = checked.split;
    this.#isLimited = checked.reward === 'original';
    this.#dataMode = checked.dataMode ?? 'train';
    const { executablePath, sandbox, timeout } = checked;
    this.#site = new MiniWoBSite({ executablePath, sandbox, timeout, screenshot: observation !== 'text' });
    this.observationSpace = observationSpaceOf(this.#site.template);
    this.dialogue = miniWoBDialogue({ style: dialogue, observation, site: this.#site.template.dialogue });
  }

  /**
   * With one task, without a split, `seed` is the page's number, as in the original. Otherwise task and number are drawn.
   *
   * @throws {MiniWoBPagesMissingError | MiniWoBPageError | EmptySplitError | ChromiumMissingError | ChromiumLaunchError}
   */
  async reset(given?: ResetOptions): Promise<ResetResult<MiniWoBObservation, MiniWoBInfo>> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, episodeOptions);
    if (seed !== undefined) this.reseed(seed);
    const named = options.task === undefined ? undefined : TASKS.get(options.task);
    const exact = seed !== undefined && this.#split === undefined ? Number(seed) : undefined;
    const only = named ?? (this.#tasks.length === 1 ? this.#tasks[0] : undefined);
    const isFixed = options.pageSeed !== undefined || this.#split === undefined;
    for (let draws = 0; draws < MAX_DRAWS; draws += 1) {
      const task = only ?? this.rng.choice(this.#tasks);
      const number = options.pageSeed ?? (only ? exact : undefined) ?? this.rng.integers(PAGE_SEEDS);
      const played = await this.#begin(task, number);
      if (!isFixed && splitOf(played.key) !== this.#split) continue;
      return { observation: played.observation, info: { ...this.#info(played), taskKey: played.key } };
    }
    this.#played = undefined;
    throw new EmptySplitError(this.#split!, `${MAX_DRAWS} pages drawn`, 'choose tasks with more than one instruction');
  }

  async step(action: string): Promise<StepResult<MiniWoBObservation, MiniWoBInfo>> {
    this.ensureOpen('step');
    const before = this.#shown('step');
    this.checkAction(action);
    if (before.over) throw new EpisodeOverError();
    const { observation: seen, terminated, truncated, info: site, state } = await this.#site.step(action);
    const over = terminated || truncated;
    const played: Played = {
      ...before,
      actions: [...before.actions, action],
      observation: over ? afterTheEnd(seen) : observationOf(seen, before.begun.utterance),
      state: state ?? before.state,
      over,
      site,
    };
    this.#played = played;
    const { done, reward, raw } = played.state;
    const gained = terminated && done ? (this.#isLimited ? reward : raw) : 0;
    return { observation: played.observation, reward: gained, terminated, truncated, info: this.#info(played) };
  }

  /** The next action of the expert, for tasks that it knows. */
  oracle(): string | undefined {
    const { task, begun, observation, actions, over } = this.#shown('oracle');
    return over ? undefined : nextAction(task.name, { instruction: begun.utterance, observation, actions });
  }

  oracleReason(): string | undefined {
    const { task } = this.#shown('oracleReason');
    return this.oracle() === undefined ? `no expert knows ${task.name} from here` : undefined;
  }

  override render(): RenderFrame {
    const { observation, begun } = this.#shown('render');
    if (this.renderMode === 'rgb_array') return observation.screenshot;
    if (this.renderMode === 'ansi') return `${begun.utterance}\n${observation.accessibility}\n`;
    return this.renderNothing();
  }

  describeTask(): string {
    return this.#played?.begun.utterance ?? '';
  }

  describeAction(action: string): string {
    return this.#site.describeAction(action);
  }

  describeState(): string {
    return this.#shown('describeState').observation.accessibility;
  }

  snapshot(): EnvSnapshot {
    const played = this.#played && {
      task: this.#played.task.name,
      pageSeed: this.#played.pageSeed,
      actions: [...this.#played.actions],
      digest: fingerprint(this.#played.observation),
    };
    return { kind: KIND, state: { rng: this.rng.getState(), dataMode: this.#dataMode, played: played ?? null } };
  }

  /** Plays the episode again up to the snapshot. @throws {SnapshotMismatchError} */
  async restore(snapshot: EnvSnapshot): Promise<void> {
    this.ensureOpen('restore');
    const episode = z.strictObject({
      task: option.oneOf([...TASKS.keys()]),
      pageSeed,
      actions: z.array(z.string().max(20_000)).max(MAX_ACTIONS),
      digest: z.string(),
    });
    const state = z.strictObject({
      rng: generatorState,
      dataMode: z.literal(this.#dataMode),
      played: episode.nullable(),
    });
    const saved = parseSnapshot(snapshot, KIND, state);
    this.#played = undefined;
    if (saved.played) {
      const { task, pageSeed: number, actions, digest } = saved.played;
      await this.#begin(TASKS.get(task)!, number);
      for (const action of actions) await this.step(action);
      const again = fingerprint(this.#shown('restore').observation);
      parseSnapshot({ kind: KIND, state: again }, KIND, z.literal(digest));
    }
    this.rng.setState(saved.rng);
  }

  /** Puppeteer's page, for anything that no action covers; `undefined` before the first reset and after a loss. */
  get page(): SiteEnv['page'] {
    return this.#site.page;
  }

  protected override dispose(): Promise<void> {
    return this.#site.close();
  }

  async #begin(task: MiniWoBTask, number: number): Promise<Played> {
    this.#played = undefined;
    const start = { task: task.name, seed: number, dataMode: this.#dataMode, isLimited: this.#isLimited };
    const { observation: seen, info: site, begun, state } = await this.#site.begin(start);
    const observation = observationOf(seen, begun.utterance);
    const key = contentKey(task.name, observation);
    const played = { task, pageSeed: number, begun, key, actions: [], observation, state, over: false, site };
    this.#played = played;
    return played;
  }

  #shown(method: string): Played {
    return this.started(method, this.#played);
  }

  #info({ task, pageSeed: number, begun, observation, state, over, site }: Played): MiniWoBInfo {
    const { instruction: _, task: __, taskKey: ___, ...rest } = site;
    const end = over && {
      rawReward: state.done ? state.raw : 0,
      success: state.done && state.raw >= 1,
      ...(state.reason !== '' && { endReason: state.reason }),
    };
    return {
      instruction: begun.utterance,
      task: task.name,
      pageSeed: number,
      timeLimit: begun.limit / 1000,
      time: state.time / 1000,
      elements: observation.elements.map(calledElement),
      ...rest,
      ...end,
    };
  }
}
