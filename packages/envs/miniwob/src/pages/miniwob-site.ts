/** `SiteEnv` on the pages: begins an episode, performs an action, and reads what the page says about its end. */
import { SiteEnv, type SiteInfo, type SiteLook, type SiteTask } from '@vlgym/site';
import { z } from 'zod';
import { TASKS } from '../tasks/tasks.js';
import { MiniWoBPageError } from './errors.js';
import { CLOCK } from './page-clock.js';
import { leasePages, type PageLease } from './page-server.js';
import { pagesFolder } from './pages-folder.js';

export interface MiniWoBSiteOptions {
  readonly executablePath?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly timeout?: number | undefined;
  readonly screenshot: boolean;
}

export interface Start {
  readonly task: string;
  readonly seed: number;
  readonly dataMode: string;
  /** The original's time limit holds. */
  readonly isLimited: boolean;
}

// The page's script is not ours: its answers are checked.
const begunSchema = z.object({
  utterance: z.string().max(10_000),
  fields: z.array(z.tuple([z.string(), z.string()])).nullable(),
  ready: z.literal(true),
  limit: z.number(),
});
const stateSchema = z.object({
  begun: z.boolean(),
  done: z.boolean(),
  reward: z.number().min(-1).max(1),
  raw: z.number().min(-1).max(1),
  reason: z.string().max(10_000),
  time: z.number(),
});
export type Begun = z.output<typeof begunSchema>;
export type PageState = z.output<typeof stateSchema>;

/** Smaller windows are no windows of `SiteEnv`; the task is in the upper left corner. */
const WINDOW = { width: 320, height: 240 };

export class MiniWoBSite {
  /** Never opened: its spaces and dialogue are those of every site. */
  readonly template: SiteEnv;
  readonly #options;
  #lease: PageLease | undefined;
  #site: SiteEnv | undefined;
  #start: Start | undefined;
  #begun: Begun | undefined;
  #state: PageState | undefined;

  constructor({ executablePath, sandbox, timeout = 30_000, screenshot }: MiniWoBSiteOptions) {
    this.#options = {
      ...WINDOW,
      timeout,
      screenshot,
      accessibility: true,
      isolated: false,
      clock: CLOCK,
      dialogue: 'browsergym-v1',
      renderMode: 'rgb_array',
      ...(executablePath !== undefined && { executablePath }),
      ...(sandbox !== undefined && { sandbox }),
    } as const;
    this.template = new SiteEnv([taskAt('http://127.0.0.1/', this)], this.#options);
  }

  /** @throws {MiniWoBPagesMissingError | MiniWoBPageError} */
  async begin(start: Start) {
    const site = await this.#open();
    this.#lease!.ensure(start.task);
    this.#start = start;
    this.#state = undefined;
    const { observation, info } = await site.reset({ options: { task: NAMES.indexOf(start.task) } });
    const state = await this.#read(site);
    return { observation, info, begun: this.#begun!, state };
  }

  /** @returns `state` is missing where the page was lost. */
  async step(action: string) {
    this.#state = undefined;
    const { observation, terminated, truncated, info } = await this.#site!.step(action);
    return { observation, terminated, truncated, info: info as SiteInfo, state: this.#state as PageState | undefined };
  }

  get page(): SiteEnv['page'] {
    return this.#site?.page;
  }

  describeAction(action: string): string {
    return (this.#site ?? this.template).describeAction(action);
  }

  async close(): Promise<void> {
    await this.template.close();
    await this.#site?.close();
    await this.#lease?.release();
  }

  /** As a task of `SiteEnv`: before the agent sees the page. */
  async prepare(page: Page): Promise<void> {
    const { task, seed, dataMode, isLimited } = this.#start!;
    const begin = `vlgymBegin(${seed}, ${JSON.stringify(dataMode)}, ${isLimited})`;
    const answer = await page.evaluate(begin).catch((cause: unknown) => {
      throw new MiniWoBPageError(task, 'does not begin', cause);
    });
    const { success, data } = begunSchema.safeParse(answer);
    if (!success) throw new MiniWoBPageError(task, 'does not become ready', answer);
    this.#begun = data;
  }

  /** As a task of `SiteEnv`: after each action. A page that was left or loaded again ends without reward. */
  async judge({ page, observation }: SiteLook) {
    const answer = await page.evaluate('globalThis.vlgymState?.()');
    const { data } = stateSchema.safeParse(answer);
    const left = !data?.begun || !observation.url.endsWith(pathOf(this.#start!.task));
    this.#state = left ? { ...LEFT, time: data?.time ?? 0 } : data;
    return { reward: 0, done: left || data.done };
  }

  async #read({ page }: SiteEnv): Promise<PageState> {
    return stateSchema.parse(await page!.evaluate('vlgymState()'));
  }

  async #open(): Promise<SiteEnv> {
    this.#lease ??= await leasePages(pagesFolder());
    const { origin } = this.#lease;
    this.#site ??= new SiteEnv(
      NAMES.map((name) => taskAt(`${origin}${pathOf(name)}`, this)),
      this.#options,
    );
    return this.#site;
  }
}

/** Order of the tasks of the site. */
const NAMES = [...TASKS.keys()];
const pathOf = (task: string) => `/miniwob/${task}.html`;

const LEFT = { begun: false, done: true, reward: 0, raw: 0, reason: 'the page was left' };

type Page = SiteLook['page'];

function taskAt(start: string, site: MiniWoBSite): SiteTask {
  return { instruction: '', start, prepare: (page) => site.prepare(page), judge: (look) => site.judge(look) };
}
