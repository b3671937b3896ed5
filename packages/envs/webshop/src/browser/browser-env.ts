/**
 * The shop in a real browser: pictures of real pages, real clicks and typing.
 *
 * Same goals, transitions and rewards as the text environment; text and available actions are read from the live page.
 * Actions are words: `search[…]` and `click[…]` as in the text environment, and `mark[7]`, `at[120,340]`, `type[words]`,
 * `key[Enter]`, `scroll[400]`, `back`. Rewards come from the server's session, never from the page.
 */
import {
  BaseEnv,
  type Dialogue,
  type EnvSnapshot,
  EpisodeOverError,
  InvalidActionError,
  PythonRandom,
  parseReset,
  parseSnapshot,
  pythonRandomState,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type StepResult,
  spaces,
} from '@vlgym/core';
import { z } from 'zod';
import { nextAction, type Plan, planOf } from '../agents/plan.js';
import { browserDialogue } from '../dialogue/browser-dialogue.js';
import type { WebShopInfo } from '../env/info.js';
import { checkedOptions, DIALOGUE_STYLES, episodeOptions, shopOptions } from '../env/options.js';
import { restoredRandom, type SavedSession, savedFields, savedSession, sessionFrom } from '../env/saved-session.js';
import { checkedGoal, shopTask } from '../env/shop-task.js';
import type { GoalDrawer } from '../goals/draw-goal.js';
import { goalKey } from '../goals/goal-key.js';
import type { GoalPart } from '../goals/splits.js';
import { checkedSession } from '../server/routes.js';
import { ShopServer } from '../server/shop-server.js';
import { clickables } from '../shop/observe.js';
import type { Session } from '../shop/session.js';
import { sessionUrl } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';
import { BrowserPage } from './browser-page.js';
import { HeldPage } from './held-page.js';
import { type LivePage, SHOP_VIEW } from './live-page.js';
import { PageLostError } from './page-lost.js';
import { type BrowserObservation, observePage, pageObservationSpace, pageOptions } from './page-observation.js';
import { performed, type ShopAction } from './perform.js';

export type BrowserInfo = WebShopInfo & {
  /** Requests of this episode that would have left the shop. */
  blockedRequests: number;
  /** Why the episode was truncated. */
  lost?: string;
};

const browserOptions = z.strictObject({
  ...shopOptions,
  ...pageOptions,
  dialogue: z.union([z.enum(DIALOGUE_STYLES), z.templateLiteral(['browser-', z.enum(DIALOGUE_STYLES)])]).optional(),
});

export type WebShopBrowserOptions = z.input<typeof browserOptions>;

const DEFAULTS = { catalog: { visual: 0.25 }, goals: 'human' } as const;

const SNAPSHOT_KIND = 'webshop-browser/1';

const SAVED_VISIT = z.strictObject({
  session: savedFields.nullable(),
  /** Address of the page without the origin: it begins with a slash, or a host could stand there. */
  url: z
    .string()
    .max(100_000)
    .regex(/^(?:\/|$)/),
  random: pythonRandomState.nullable(),
});
type SavedVisit = z.input<typeof SAVED_VISIT>;

export class WebShopBrowserEnv extends BaseEnv<BrowserObservation, string, BrowserInfo> {
  override readonly metadata = { renderModes: ['rgb_array'] as const };
  readonly observationSpace;
  readonly actionSpace = spaces.text({ minLength: 0, maxLength: 20_000 });
  readonly dialogue: Dialogue<BrowserObservation, string, BrowserInfo>;
  readonly shop: Shop;

  readonly #options: z.output<typeof browserOptions>;
  readonly #strict: boolean;
  readonly #release: () => void;
  readonly #part: GoalPart;
  readonly #drawer: GoalDrawer;
  readonly #server: ShopServer;
  readonly #held: HeldPage;
  #session: Session | undefined;
  #random: PythonRandom | undefined;
  #over = false;
  #last: BrowserObservation | undefined;
  /** Restored, and not opened yet. */
  #away: SavedVisit | undefined;
  #plan: { readonly goal: number; readonly plan: Plan | undefined } | undefined;

  /** @param shop  One that is open already, in place of the options that describe one. */
  constructor(options: WebShopBrowserOptions = {}, shop?: Shop) {
    const checked = checkedOptions(browserOptions, options);
    super({ renderMode: checked.renderMode });
    this.#options = checked;
    this.#strict = this.#options.strict ?? true;
    const goalDraw = this.#strict ? 'fixed' : 'parity';
    ({
      shop: this.shop,
      part: this.#part,
      drawer: this.#drawer,
      release: this.#release,
    } = shopTask(this.#options, { ...DEFAULTS, goalDraw, searchShortcuts: !this.#strict }, shop));
    const random = () => this.#random!;
    this.#server = new ShopServer(this.shop, { keepOptions: this.#strict, endless: !this.#strict, random });
    this.dialogue = browserDialogue(this.#options.dialogue ?? 'json-v1', this.#options.screenshot !== false);
    this.observationSpace = pageObservationSpace(this.#options);
    const { width, height, timeout, executablePath, sandbox, restartAfter } = this.#options;
    this.#held = new HeldPage({ executablePath, sandbox, restartAfter }, async ({ browser }) => {
      const origins = [await this.#listening()];
      return BrowserPage.open(browser, { origins, view: SHOP_VIEW, width, height, timeout });
    });
  }

  /** Options as in the text environment: `goal` and `session`. */
  async reset(given?: ResetOptions): Promise<ResetResult<BrowserObservation, BrowserInfo>> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, episodeOptions);
    const chosen = options.goal === undefined ? undefined : checkedGoal('goal', options.goal, this.shop);
    const name = options.session === undefined ? undefined : checkedSession(options.session);
    if (seed !== undefined) this.#random = new PythonRandom(seed);
    this.#random ??= new PythonRandom();
    // drawn as the text environment draws: equal seeds, equal visits
    const id = name ?? chosen?.toString() ?? this.#random.choices('abcdefghijklmnopqrstuvwxyz', { k: 10 }).join('');
    const goal = chosen ?? this.#part.at(this.#drawer.index(this.#random));
    if (this.#session) this.#server.drop(this.#session.id);
    this.#session = this.#server.open(id, goal);
    this.#over = false;
    this.#away = undefined;
    const { observation, live } = await this.#held.orDrop(async () => {
      await this.#held.beginEpisode();
      return this.#enter(`/${id}`);
    });
    return { observation, info: { ...this.#info(live), taskKey: goalKey(this.shop.goals[goal]!) } };
  }

  /** Opens an address of the shop as the first page of a visit; once more with another page where one is lost. */
  async #enter(path: string): Promise<{ observation: BrowserObservation; live: LivePage }> {
    const enter = async () => {
      const page = await this.#held.opened();
      await page.enter(this.#server.url + path);
      return this.#observe('');
    };
    return enter().catch(async (error: unknown) => {
      if (!(error instanceof PageLostError)) throw error;
      await this.#held.drop(true);
      return enter();
    });
  }

  async step(action: string): Promise<StepResult<BrowserObservation, BrowserInfo>> {
    this.ensureOpen('step');
    const session = this.#visiting('step');
    if (!this.actionSpace.contains(action)) throw new InvalidActionError(action, this.actionSpace.describe());
    if (this.#over) throw new EpisodeOverError();
    await this.#arrive();
    const before = this.#last!;
    try {
      const reason = await performed(this.#held.now!, action, this.#context(session));
      const { observation, live } = await this.#observe(reason ?? '');
      this.#over = session.done;
      const done = {
        actionValid: reason === undefined,
        actionEffective: observation.text !== before.text || observation.url !== before.url,
        ...(reason !== undefined && { reason }),
      };
      return {
        observation,
        reward: session.done ? (session.reward ?? 0) : 0,
        terminated: session.done,
        truncated: false,
        info: { ...this.#info(live), ...done },
      };
    } catch (error) {
      if (!(error instanceof PageLostError)) throw error;
      return this.#truncated(error, before);
    }
  }

  /** A lost page ends the episode as data; the next reset opens another. */
  async #truncated(error: PageLostError, observation: BrowserObservation) {
    this.#over = true;
    const info = this.#info(undefined);
    await this.#held.drop(true);
    const lost = error.message.split('\n')[0]!;
    return {
      observation: { ...observation, lastError: lost },
      reward: 0,
      terminated: false,
      truncated: true,
      info: { ...info, lost, reason: lost },
    };
  }

  override async render(): Promise<RenderFrame> {
    this.#visiting('render');
    await this.#arrive();
    return this.renderMode === 'rgb_array' ? this.#last?.screenshot : this.renderNothing();
  }

  /** The session and the address; not how far the page is scrolled, where the focus is, or what was typed. */
  snapshot(): EnvSnapshot {
    const state = this.#away ?? {
      session: this.#session ? savedSession(this.#session, this.shop) : null,
      url: this.#last?.url ?? '',
      random: this.#random?.getState() ?? null,
    };
    return { kind: SNAPSHOT_KIND, state: structuredClone(state) };
  }

  /** The page is opened when it is first needed; `back` goes no further than to it. */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const saved = parseSnapshot(snapshot, SNAPSHOT_KIND, SAVED_VISIT);
    // all that can fail comes before the first change
    const random = saved.random ? restoredRandom(saved.random) : undefined;
    const session = saved.session ? sessionFrom(saved.session as SavedSession, this.shop) : undefined;
    if (this.#session) this.#server.drop(this.#session.id);
    this.#random = random;
    this.#session = session;
    this.#over = saved.session?.done ?? false;
    this.#away = saved.session ? saved : undefined;
  }

  async #arrive(): Promise<void> {
    if (!this.#away) return;
    const { url } = this.#away;
    this.#server.adopt(this.#session!);
    await this.#enter(url);
    this.#away = undefined;
  }

  oracle(): string | undefined {
    return this.plan?.reward === 1 ? this.expertAction() : undefined;
  }

  /** The next action of the best known plan, whatever it pays. */
  expertAction(): string | undefined {
    const { plan } = this;
    return plan && nextAction(this.shop, this.#visiting('expertAction'), plan);
  }

  /** What an expert would buy for the current goal, and what that pays. */
  get plan(): Plan | undefined {
    const { goalIndex, goal } = this.#visiting('plan');
    if (this.#plan?.goal !== goalIndex) this.#plan = { goal: goalIndex, plan: planOf(this.shop, goal, this.#strict) };
    return this.#plan.plan;
  }

  /** The page itself, for what no action covers; `undefined` before the first reset and after a loss. */
  get page(): BrowserPage['page'] | undefined {
    return this.#held.now?.page;
  }

  protected override async dispose(): Promise<void> {
    await this.#held.drop();
    await this.#server.close();
    this.#release();
  }

  #origin: Promise<string> | undefined;

  #listening(): Promise<string> {
    this.#origin ??= this.#server.listen();
    return this.#origin;
  }

  async #observe(lastError: string): Promise<{ observation: BrowserObservation; live: LivePage }> {
    const seen = await observePage(this.#held.now!, this.#options, lastError, this.#server.url);
    this.#last = seen.observation;
    return seen;
  }

  #info(live: LivePage | undefined): BrowserInfo {
    const session = this.#session!;
    const { goal, goalIndex, page, parts, reward, asin } = session;
    const names = live ? [...clickables(live.tree).keys()] : [];
    return {
      instruction: goal.instruction,
      goalIndex,
      url: sessionUrl(session),
      page,
      availableActions: { hasSearchBar: page === 'index', clickables: names },
      blockedRequests: this.#held.now?.blocked ?? 0,
      ...(page === 'done' && parts && { rewardParts: { ...parts }, success: reward === 1, exact: asin === goal.asin }),
    };
  }

  #context(session: Session): ShopAction {
    return {
      origin: this.#server.url,
      wholePage: this.#options.screenshot === 'page',
      session,
      productsPerPage: this.shop.productsPerPage,
      elements: this.#last!.elements,
      showAttributes: this.shop.showAttributes,
      strict: this.#strict,
    };
  }

  #visiting(method: string): Session {
    if (!this.#session) throw new ResetNeededError(method);
    return this.#session;
  }
}
