/**
 * Any web site as an environment: page, actions, and limits as in the shop, with your tasks and your judge.
 *
 * Each episode has its own browser context, so no episode sees the cookies or storage of another.
 */
import {
  BaseEnv,
  type Dialogue,
  EpisodeOverError,
  GymError,
  InvalidActionError,
  InvalidOptionError,
  PythonRandom,
  parseReset,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  SPLITS,
  type StepResult,
  spaces,
} from '@vlgym/core';
import type { Page } from 'puppeteer-core';
import { z } from 'zod';
import { siteDialogue } from '../dialogue/site-dialogue.js';
import { checkedOptions, DIALOGUE_STYLES } from '../env/options.js';
import { BrowserPage } from './browser-page.js';
import type { SiteInfo } from './info.js';
import { input, inputAction } from './input.js';
import { SITE_VIEW } from './live-page.js';
import { requirePuppeteer } from './load-puppeteer.js';
import { PageLostError } from './page-lost.js';
import { type BrowserObservation, observePage, pageObservationSpace, pageOptions } from './page-observation.js';
import { RetainedPage } from './retained-page.js';
import { checkedTasks, originsOf, type SiteTask, siteKey, tasksInSplit } from './site-task.js';

const siteOptions = z.strictObject({
  ...pageOptions,
  /** Longest wait for open requests, in milliseconds. */
  patience: z.number().int().min(1).max(60_000).default(3000),
  /** Open the page of the next episode while this one runs. */
  warm: z.boolean().default(false),
  dialogue: z.enum(DIALOGUE_STYLES).default('json-v1'),
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
export class SiteEnv extends BaseEnv<BrowserObservation, string, SiteInfo> {
  override readonly metadata = { renderModes: ['rgb_array'] as const };
  readonly observationSpace;
  readonly actionSpace = spaces.text({ minLength: 0, maxLength: 20_000 });
  readonly dialogue: Dialogue<BrowserObservation, string, SiteInfo>;

  readonly #tasks: readonly SiteTask[];
  /** Indices of the tasks in the split. */
  readonly #selected: readonly number[];
  readonly #options: z.output<typeof siteOptions>;
  readonly #retained: RetainedPage;
  #random: PythonRandom | undefined;
  #task = 0;
  #steps = 0;
  #over = false;
  #last: BrowserObservation | undefined;

  /** @throws {InvalidOptionError | EmptySplitError | PuppeteerMissingError} */
  constructor(tasks: readonly SiteTask[], options: SiteOptions = {}) {
    requirePuppeteer();
    const checked = checkedOptions(siteOptions, options);
    super({ renderMode: checked.renderMode });
    this.#options = checked;
    this.#tasks = checkedTasks(tasks);
    this.#selected = tasksInSplit(this.#tasks, this.#options.split);
    this.dialogue = siteDialogue(this.#options.dialogue, this.#options.screenshot !== false);
    const { width, height, timeout, executablePath, sandbox, restartAfter, patience, warm } = this.#options;
    const open = { origins: originsOf(tasks), view: SITE_VIEW, width, height, timeout, patience };
    this.#retained = new RetainedPage(
      { executablePath, sandbox, restartAfter },
      ({ browser }) => BrowserPage.open(browser, open),
      warm,
    );
    this.observationSpace = pageObservationSpace(this.#options);
  }

  /** Without `options.task`, a task is drawn at random. @throws {GymError} `SITE_UNREACHABLE` */
  async reset(given?: ResetOptions): Promise<ResetResult<BrowserObservation, SiteInfo>> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, episodeOptions);
    if (seed !== undefined) this.#random = new PythonRandom(seed);
    this.#random ??= new PythonRandom();
    this.#task =
      this.#taskOf(options.task) ?? this.#selected[Math.floor(this.#random.random() * this.#selected.length)]!;
    this.#steps = 0;
    this.#last = undefined;
    const { start, prepare } = this.#tasks[this.#task]!;
    const { observation } = await this.#retained.dropOnError(async () => {
      await this.#retained.beginEpisode();
      const page = await this.#retained.openFresh();
      await page.enter(start).catch((cause: unknown) => {
        throw new GymError(`The site does not answer at ${start}.`, {
          code: 'SITE_UNREACHABLE',
          value: start,
          cause,
          hint: 'start the server, or correct `start` of the task',
        });
      });
      await prepare?.(page.page);
      return observePage(page, this.#options, '');
    });
    this.#last = observation;
    this.#over = false;
    return { observation, info: { ...this.#info(), taskKey: siteKey(this.#tasks[this.#task]!) } };
  }

  async step(action: string): Promise<StepResult<BrowserObservation, SiteInfo>> {
    this.ensureOpen('step');
    const before = this.#last;
    if (!before) throw new ResetNeededError('step');
    if (!this.actionSpace.contains(action)) throw new InvalidActionError(action, this.actionSpace.describe());
    if (this.#over) throw new EpisodeOverError();
    this.#steps += 1;
    const answer = /^\s*stop\[(.*)\]\s*$/s.exec(action)?.[1];
    try {
      const page = this.#retained.current!;
      const reason = answer === undefined ? await this.#perform(page, action, before) : undefined;
      const { observation } = await observePage(page, this.#options, reason ?? '');
      this.#last = observation;
      const look = { page: page.page, observation, action, steps: this.#steps };
      const { judge } = this.#tasks[this.#task]!;
      const { reward, done } = await judge(answer === undefined ? look : { ...look, answer });
      this.#over = done || answer !== undefined;
      const info: SiteInfo = {
        ...this.#info(),
        actionValid: reason === undefined,
        actionEffective: observation.text !== before.text || observation.url !== before.url,
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

  /** Besides mouse and keyboard: `click[name]` by the name of an element, `goto[address]` within the allowed origins. */
  async #perform(page: BrowserPage, action: string, { elements }: BrowserObservation): Promise<string | undefined> {
    const parsed = inputAction(action);
    if (!parsed) return 'not of the form name[argument]';
    const { name, argument } = parsed;
    const target = { elements, wholePage: this.#options.screenshot === 'page' };
    if (name === 'goto') return page.visit(argument);
    if (name !== 'click') return input(page, parsed, target);
    const wanted = argument.trim().toLowerCase();
    const element = elements.find((candidate) => candidate.name.trim().toLowerCase() === wanted);
    if (!element) return 'nothing on this page has this name';
    return input(page, { name: 'mark', argument: String(element.mark) }, target);
  }

  override async render(): Promise<RenderFrame> {
    if (!this.#last) throw new ResetNeededError('render');
    return this.renderMode === 'rgb_array' ? this.#last.screenshot : this.renderNothing();
  }

  /** Puppeteer's page, for anything that no action covers; `undefined` before the first reset and after a loss. */
  get page(): Page | undefined {
    return this.#retained.current?.page;
  }

  protected override async dispose(): Promise<void> {
    await this.#retained.drop();
  }

  #info(): SiteInfo {
    const { instruction } = this.#tasks[this.#task]!;
    return { instruction, task: this.#task, blockedRequests: this.#retained.current?.blockedRequests ?? 0 };
  }

  #taskOf(task: unknown): number | undefined {
    if (task === undefined) return undefined;
    if (typeof task === 'number' && Number.isInteger(task) && task >= 0 && task < this.#tasks.length) return task;
    throw new InvalidOptionError('task', task, `the index of one of ${this.#tasks.length} tasks`);
  }
}
