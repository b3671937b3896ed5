/**
 * Any web site as an environment: the page, the actions and the limits of the shop's, with the user's tasks and judge.
 *
 * Each episode has a browser context of its own, so cookies and storage of one are not seen by the next.
 */
import {
  BaseEnv,
  type Dialogue,
  EmptySplitError,
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
  splitOf,
  taskKey,
} from '@vlgym/core';
import type { Page } from 'puppeteer-core';
import { z } from 'zod';
import { siteDialogue } from '../dialogue/site-dialogue.js';
import { checkedOptions, DIALOGUE_STYLES } from '../env/options.js';
import { BrowserPage } from './browser-page.js';
import { HeldPage } from './held-page.js';
import { input, inputAction } from './input.js';
import { SITE_VIEW } from './live-page.js';
import { PageLostError } from './page-lost.js';
import { type BrowserObservation, observePage, pageObservationSpace, pageOptions } from './page-observation.js';

export interface SiteTask {
  /** What the agent is told. */
  readonly instruction: string;
  /** Where an episode begins, e.g. `http://localhost:8080/login`. */
  readonly start: string;
  /** Origins beside that of `start` that the page may use, e.g. `https://cdn.example`. All else is blocked and counted. */
  readonly origins?: readonly string[];
  /** Before the agent sees the page: signs in, fills a basket. */
  readonly prepare?: (page: Page) => void | Promise<void>;
  /** After every action. What it throws is thrown by `step`. */
  readonly judge: (look: SiteLook) => SiteVerdict | Promise<SiteVerdict>;
}

export interface SiteLook {
  readonly page: Page;
  readonly observation: BrowserObservation;
  readonly action: string;
  /** What `stop[…]` said; absent for other actions. */
  readonly answer?: string;
  /** Actions of this episode, this one included. */
  readonly steps: number;
}

export interface SiteVerdict {
  readonly reward: number;
  readonly done: boolean;
}

export type SiteInfo = {
  instruction: string;
  /** Which task, from 0. */
  task: number;
  /** At reset: address and instruction of the task. */
  taskKey?: string;
  /** Requests of this episode that went to other origins. */
  blockedRequests: number;
  actionValid?: boolean;
  /** Text or address are not what they were. */
  actionEffective?: boolean;
  reason?: string;
  /** Why the episode was truncated. */
  lost?: string;
};

const siteOptions = z.strictObject({
  ...pageOptions,
  /** Longest wait for requests that do not end, milliseconds. */
  patience: z.number().int().min(1).max(60_000).default(3000),
  /** The page of the next episode is opened while this one runs. */
  warm: z.boolean().default(false),
  dialogue: z.enum(DIALOGUE_STYLES).default('json-v1'),
  /** Only tasks of this side are drawn; left out: all. */
  split: z.enum(SPLITS).optional(),
});

/** What `reset` takes under `options`: the index of a task. */
const episodeOptions = z.strictObject({ task: z.unknown().optional() });

export type SiteOptions = z.input<typeof siteOptions>;

/**
 * @example
 * const env = new SiteEnv([{
 *   instruction: 'Open the imprint.',
 *   start: 'http://localhost:8080/',
 *   judge: ({ observation }) => ({ reward: Number(observation.url.endsWith('/imprint')), done: observation.url.endsWith('/imprint') }),
 * }]);
 */
export class SiteEnv extends BaseEnv<BrowserObservation, string, SiteInfo> {
  override readonly metadata = { renderModes: ['rgb_array'] as const };
  readonly observationSpace;
  readonly actionSpace = spaces.text({ minLength: 0, maxLength: 20_000 });
  readonly dialogue: Dialogue<BrowserObservation, string, SiteInfo>;

  readonly #tasks: readonly SiteTask[];
  /** Indices of the tasks that are drawn. */
  readonly #drawn: readonly number[];
  readonly #options: z.output<typeof siteOptions>;
  readonly #held: HeldPage;
  #random: PythonRandom | undefined;
  #task = 0;
  #steps = 0;
  #over = false;
  #last: BrowserObservation | undefined;

  /** @throws {InvalidOptionError | EmptySplitError} No tasks, a task that is none, or an address that is none. */
  constructor(tasks: readonly SiteTask[], options: SiteOptions = {}) {
    const checked = checkedOptions(siteOptions, options);
    super({ renderMode: checked.renderMode });
    this.#options = checked;
    this.#tasks = checkedTasks(tasks);
    this.#drawn = drawnTasks(this.#tasks, this.#options.split);
    this.dialogue = siteDialogue(this.#options.dialogue, this.#options.screenshot !== false);
    const origins = [...new Set(tasks.flatMap(({ start, origins = [] }) => [start, ...origins].map(originOf)))];
    const { width, height, timeout, executablePath, sandbox, restartAfter, patience, warm } = this.#options;
    const open = { origins, view: SITE_VIEW, width, height, timeout, patience };
    this.#held = new HeldPage(
      { executablePath, sandbox, restartAfter },
      ({ browser }) => BrowserPage.open(browser, open),
      warm,
    );
    this.observationSpace = pageObservationSpace(this.#options);
  }

  /** `options.task` chooses a task; else it is drawn. @throws {GymError} `SITE_UNREACHABLE` */
  async reset(given?: ResetOptions): Promise<ResetResult<BrowserObservation, SiteInfo>> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, episodeOptions);
    if (seed !== undefined) this.#random = new PythonRandom(seed);
    this.#random ??= new PythonRandom();
    this.#task = this.#taskOf(options.task) ?? this.#drawn[Math.floor(this.#random.random() * this.#drawn.length)]!;
    this.#steps = 0;
    this.#last = undefined;
    const { start, prepare } = this.#tasks[this.#task]!;
    const { observation } = await this.#held.orDrop(async () => {
      await this.#held.beginEpisode();
      const page = await this.#held.fresh();
      await page.enter(start).catch((cause: unknown) => {
        throw new GymError(`The site does not answer at ${start}.`, {
          code: 'SITE_UNREACHABLE',
          value: start,
          cause,
          hint: 'start it, or give the address that it has',
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
      const page = this.#held.now!;
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
      await this.#held.drop(true);
      return { observation: { ...before, lastError: lost }, reward: 0, terminated: false, truncated: true, info };
    }
  }

  /** Beside mouse and keyboard: `click[name]` by an element's name, `goto[address]` within the allowed origins. */
  async #perform(page: BrowserPage, action: string, { elements }: BrowserObservation): Promise<string | undefined> {
    const parsed = inputAction(action);
    if (!parsed) return 'not of the form name[argument]';
    const { name, argument } = parsed;
    const seen = { elements, wholePage: this.#options.screenshot === 'page' };
    if (name === 'goto') return page.visit(argument);
    if (name !== 'click') return input(page, parsed, seen);
    const wanted = argument.trim().toLowerCase();
    const element = elements.find((each) => each.name.trim().toLowerCase() === wanted);
    if (!element) return 'nothing on this page has this name';
    return input(page, { name: 'mark', argument: String(element.mark) }, seen);
  }

  override async render(): Promise<RenderFrame> {
    if (!this.#last) throw new ResetNeededError('render');
    return this.renderMode === 'rgb_array' ? this.#last.screenshot : this.renderNothing();
  }

  /** The page itself, for what no action covers; `undefined` before the first reset and after a loss. */
  get page(): Page | undefined {
    return this.#held.now?.page;
  }

  protected override async dispose(): Promise<void> {
    await this.#held.drop();
  }

  #info(): SiteInfo {
    const { instruction } = this.#tasks[this.#task]!;
    return { instruction, task: this.#task, blockedRequests: this.#held.now?.blocked ?? 0 };
  }

  #taskOf(task: unknown): number | undefined {
    if (task === undefined) return undefined;
    if (typeof task === 'number' && Number.isInteger(task) && task >= 0 && task < this.#tasks.length) return task;
    throw new InvalidOptionError('task', task, `the index of one of ${this.#tasks.length} tasks`);
  }
}

/** `site:http://localhost:8080/ Open the imprint.`: where a task begins, and what is asked for. */
const siteKey = ({ start, instruction }: SiteTask): string => taskKey('site', `${start} ${instruction}`);

function drawnTasks(tasks: readonly SiteTask[], split: SiteOptions['split']): readonly number[] {
  const indices = [...tasks.keys()];
  if (split === undefined) return indices;
  const drawn = indices.filter((index) => splitOf(siteKey(tasks[index]!)) === split);
  if (drawn.length === 0)
    throw new EmptySplitError(split, `${tasks.length} tasks`, 'give more tasks, or leave `split` out');
  return drawn;
}

function checkedTasks(tasks: unknown): readonly SiteTask[] {
  const isTask = (task: Partial<SiteTask> | null) =>
    typeof task?.instruction === 'string' && typeof task.start === 'string' && typeof task.judge === 'function';
  if (Array.isArray(tasks) && tasks.length > 0 && tasks.every(isTask)) return tasks;
  throw new InvalidOptionError('tasks', tasks, 'at least one task, each with `instruction`, `start` and `judge`');
}

function originOf(address: string): string {
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return new URL(address).origin;
  throw new InvalidOptionError('tasks', address, 'addresses that begin with http:// or https://');
}
