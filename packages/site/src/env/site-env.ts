/**
 * Any web site as an environment: a screenshot, numbered elements and their text, mouse and keyboard or BrowserGym's actions, with your tasks and
 * your judge.
 *
 * Each episode has its own browser context, so no episode sees the cookies or storage of another.
 */

import type { Page } from '@vlgym/chromium';
import {
  BaseEnv,
  type Dialogue,
  EpisodeOverError,
  GymError,
  InvalidOptionError,
  parseOptions,
  parseReset,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  SPLITS,
  type StepResult,
} from '@vlgym/core';
import { PythonRandom } from '@vlgym/core/random';
import { z } from 'zod';
import { describeCall, SiteActionSpace } from '../actions/site-action-space.js';
import { siteDialogue } from '../dialogue/site-dialogue.js';
import { DIALOGUE_STYLES } from '../dialogue/styles.js';
import {
  effectKey,
  markedPicture,
  type SiteMoment,
  type SiteObservation,
  siteObservationSpace,
} from '../observation/site-observation.js';
import { LIVE_SITE } from '../observation/site-view.js';
import { BrowserPage } from '../page/browser-page.js';
import { PageLostError } from '../page/page-lost.js';
import { pageOptions } from '../page/page-observation.js';
import { RetainedPage } from '../page/retained-page.js';
import type { SiteInfo } from './site-info.js';
import { type Performed, SiteSession } from './site-session.js';
import { checkedTasks, originsOf, type SiteTask, siteKey, tasksInSplit } from './site-task.js';

const siteOptions = z.strictObject({
  ...pageOptions,
  /** Longest wait for open requests, in milliseconds. */
  patience: z.number().int().min(1).max(60_000).default(3000),
  /** Open the page of the next episode while this one runs. */
  warm: z.boolean().default(false),
  /** A browser context for each episode; without it, cookies and storage stay, and an episode begins sooner. */
  isolated: z.boolean().default(true),
  /**
   * Function of the page's scripts that runs their private clock, e.g. `game.run`: called after each action, and with the
   * milliseconds of `noop`. Then the page is read at once.
   */
  clock: z.string().min(1).optional(),
  /** Let the agent open tabs, and the page open windows as tabs; without it, links open in one window. */
  tabs: z.boolean().default(false),
  dialogue: z.enum([...DIALOGUE_STYLES, 'browsergym-v1']).default('json-v1'),
  /** Draw tasks from this split only; default: from all. */
  split: z.enum(SPLITS).optional(),
});

/** Options of `reset`: the index of a task. */
const episodeOptions = z.strictObject({ task: z.unknown().optional() });

export type SiteOptions = z.input<typeof siteOptions>;

/**
 * @example
 * const env = new SiteEnv([{
 *   instruction: 'Open the imprint.',
 *   start: 'http://localhost:8080/',
 *   judge({ observation }) {
 *     const found = observation.url.endsWith('/imprint');
 *     return { reward: found ? 1 : 0, done: found };
 *   },
 * }]);
 */
export class SiteEnv extends BaseEnv<SiteObservation, string, SiteInfo> {
  override readonly metadata = { renderModes: ['rgb_array'] as const };
  readonly observationSpace;
  /** Any text; samples are valid calls on the page that is open, once there is one. */
  readonly actionSpace = new SiteActionSpace(() => this.#last?.observation.elements ?? []);
  readonly dialogue: Dialogue<SiteObservation, string, SiteInfo>;

  readonly #tasks: readonly SiteTask[];
  /** Indices of the tasks in the split. */
  readonly #selected: readonly number[];
  readonly #options: z.output<typeof siteOptions>;
  readonly #retained: RetainedPage;
  readonly #session: SiteSession;
  #random: PythonRandom | undefined;
  #task = 0;
  #steps = 0;
  #over = false;
  #last: SiteMoment | undefined;

  /** @throws {InvalidOptionError | EmptySplitError} */
  constructor(tasks: readonly SiteTask[], options: SiteOptions = {}) {
    const checked = parseOptions(options, siteOptions);
    super({ renderMode: checked.renderMode });
    this.#options = checked;
    this.#tasks = checkedTasks(tasks);
    this.#selected = tasksInSplit(this.#tasks, this.#options.split);
    this.dialogue = siteDialogue(this.#options.dialogue, this.#options.screenshot !== false);
    const { width, height, timeout, executablePath, sandbox, restartAfter, patience, warm, clock } = this.#options;
    this.#session = new SiteSession(this.#options);
    const { handlers } = this.#session;
    const size = { width, height, timeout, patience, clock };
    const open = { origins: originsOf(tasks), view: LIVE_SITE, isolated: true, ...size, ...handlers };
    this.#retained = new RetainedPage(
      { executablePath, sandbox, restartAfter, framesAtOnce: clock !== undefined },
      ({ browser }) => BrowserPage.open(browser, open),
      warm,
    );
    this.observationSpace = siteObservationSpace(this.#options);
  }

  /** Without `options.task`, a task is drawn at random. @throws {GymError} `SITE_UNREACHABLE` */
  async reset(given?: ResetOptions): Promise<ResetResult<SiteObservation, SiteInfo>> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, episodeOptions);
    if (seed !== undefined) this.#random = new PythonRandom(seed);
    this.#random ??= new PythonRandom();
    this.#task =
      this.#taskOf(options.task) ?? this.#selected[Math.floor(this.#random.random() * this.#selected.length)]!;
    this.#steps = 0;
    this.#last = undefined;
    const task = this.#tasks[this.#task]!;
    const { start, prepare } = task;
    const moment = await this.#retained.dropOnError(async () => {
      await this.#retained.beginEpisode();
      const page = await (this.#options.isolated ? this.#retained.openFresh() : this.#retained.ensureOpen());
      this.#session.begin(page, task);
      await page.enter(start).catch((cause: unknown) => {
        throw new GymError(`The site does not answer at ${start}.`, {
          code: 'SITE_UNREACHABLE',
          value: start,
          cause,
          hint: 'start the server, or correct `start` of the task',
        });
      });
      await prepare?.(page.page);
      return this.#session.observe('');
    });
    this.#last = moment;
    this.#over = false;
    return { observation: moment.observation, info: { ...this.#info(), taskKey: siteKey(this.#tasks[this.#task]!) } };
  }

  async step(action: string): Promise<StepResult<SiteObservation, SiteInfo>> {
    this.ensureOpen('step');
    const before = this.#last?.observation;
    if (!before) throw new ResetNeededError('step');
    this.checkAction(action);
    if (this.#over) throw new EpisodeOverError();
    this.#steps += 1;
    try {
      const { reason, stopped, ...said }: Performed = await this.#session.perform(action, before.elements);
      const moment = await this.#session.observe(reason ?? '');
      const { observation } = moment;
      this.#last = moment;
      const look = { page: this.#session.page, observation, action, steps: this.#steps, ...said };
      const { reward, done } = await this.#tasks[this.#task]!.judge(look);
      this.#over = done || stopped;
      const info: SiteInfo = {
        ...this.#info(),
        actionValid: reason === undefined,
        actionEffective: observation.dialogs.length > 0 || effectKey(observation) !== effectKey(before),
        ...(reason !== undefined && { reason }),
      };
      return { observation, reward, terminated: this.#over, truncated: false, info };
    } catch (error) {
      if (!(error instanceof PageLostError)) throw error;
      const lost = error.message.split('\n')[0]!;
      const info = { ...this.#info(), lost, reason: lost };
      this.#over = true;
      await this.#retained.drop(true);
      return { observation: { ...before, lastError: lost }, reward: 0, terminated: false, truncated: true, info };
    }
  }

  /** The screenshot with the numbers of the elements. */
  override async render(): Promise<RenderFrame> {
    if (!this.#last) throw new ResetNeededError('render');
    return this.renderMode === 'rgb_array' ? markedPicture(this.#last, this.#options) : this.renderNothing();
  }

  /** For people: number and name of the element, e.g. `7 Shipping`. */
  describeAction(action: string): string {
    return describeCall(action, this.#last?.observation.elements ?? []);
  }

  describeTask(): string {
    return this.#tasks[this.#task]!.instruction;
  }

  /** Puppeteer's page, for anything that no action covers; `undefined` before the first reset and after a loss. */
  get page(): Page | undefined {
    return this.#retained.current && this.#session.page;
  }

  protected override async dispose(): Promise<void> {
    this.#session.end();
    await this.#retained.drop();
  }

  #info(): SiteInfo {
    const { instruction } = this.#tasks[this.#task]!;
    return {
      instruction,
      task: this.#task,
      blockedRequests: this.#retained.current ? this.#session.blockedRequests : 0,
    };
  }

  #taskOf(task: unknown): number | undefined {
    if (task === undefined) return undefined;
    if (typeof task === 'number' && Number.isInteger(task) && task >= 0 && task < this.#tasks.length) return task;
    throw new InvalidOptionError('task', task, `the index of one of ${this.#tasks.length} tasks`);
  }
}
