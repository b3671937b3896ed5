/**
 * The shop in a real browser: screenshots of real pages, real clicks and typing.
 *
 * Goals, transitions, and rewards equal those of the text environment; text and available actions are read from the live
 * page. Actions are strings: `search[…]` and `click[…]` as in the text environment, and `mark[7]`, `at[120,340]`,
 * `type[words]`, `key[Enter]`, `scroll[400]`, `back`. Rewards come from the server's session, never from the page.
 */
import {
  BaseEnv,
  type Dialogue,
  type EnvSnapshot,
  EpisodeOverError,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type StepResult,
  spaces,
} from '@vlgym/core';
import { PythonRandom } from '@vlgym/core/random';
import {
  type BrowserObservation,
  BrowserPage,
  type LivePage,
  observePage,
  PageLostError,
  pageObservationSpace,
  RetainedPage,
} from '@vlgym/site/pages';
import { nextAction, type Plan, planOf } from '../agents/plan.js';
import { browserDialogue } from '../dialogue/browser-dialogue.js';
import { checkedOptions, episodeOptions } from '../env/options.js';
import { restoredRandom, type SavedSession, savedSession, sessionFrom } from '../env/saved-session.js';
import { checkedGoal, shopTask } from '../env/shop-task.js';
import type { GoalDrawer } from '../goals/draw-goal.js';
import { goalKey } from '../goals/goal-key.js';
import type { GoalPart } from '../goals/splits.js';
import { checkedSession } from '../server/routes.js';
import { ShopServer } from '../server/shop-server.js';
import { click } from '../shop/action.js';
import { clickables } from '../shop/observe.js';
import { type Session, sessionUrl } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';
import { checkAppearance } from '../themes/dresser.js';
import { popUpLabel } from '../themes/pop-ups.js';
import { BROWSER_DEFAULTS, browserOptions, type WebShopBrowserOptions } from './browser-options.js';
import type { BrowserInfo } from './info.js';
import { answerFromMemory, shopChannel } from './memory-answers.js';
import { perform, type ShopContext } from './perform.js';
import { type SavedVisit, SNAPSHOT_KIND, savedVisit } from './saved-visit.js';
import { SHOP_PAGE } from './shop-view.js';

export class WebShopBrowserEnv extends BaseEnv<BrowserObservation, string, BrowserInfo> {
  override readonly metadata = { renderModes: ['rgb_array'] as const };
  readonly observationSpace;
  readonly actionSpace = spaces.text({ minLength: 0, maxLength: 20_000 });
  readonly dialogue: Dialogue<BrowserObservation, string, BrowserInfo>;
  readonly shop: Shop;

  readonly #options: ReturnType<typeof browserOptions.parse>;
  readonly #strict: boolean;
  readonly #release: () => void;
  readonly #part: GoalPart;
  readonly #drawer: GoalDrawer;
  readonly #server: ShopServer;
  readonly #retained: RetainedPage;
  #session: Session | undefined;
  #random: PythonRandom | undefined;
  #over = false;
  /** Label of the button that closes the open pop-up. */
  #popUp: string | undefined;
  #last: BrowserObservation | undefined;
  /** Restored, but its page is not open yet. */
  #restored: SavedVisit | undefined;
  #plan: { readonly goal: number; readonly plan: Plan | undefined } | undefined;

  /** @param shop  An open shop, in place of the options that describe one. */
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
    } = shopTask(this.#options, { ...BROWSER_DEFAULTS, goalDraw, searchShortcuts: !this.#strict }, shop));
    const random = () => this.#random!;
    const { theme = 'parity', disturbances = [] } = this.#options;
    checkAppearance(theme, disturbances);
    const habits = { keepOptions: this.#strict, endless: !this.#strict, random };
    this.#server = new ShopServer(this.shop, { ...habits, theme, disturbances }).unref();
    this.dialogue = browserDialogue(this.#options.dialogue ?? 'json-v1', this.#options.screenshot !== false);
    this.observationSpace = pageObservationSpace(this.#options);
    const { width, height, timeout, screenshot, executablePath, sandbox, restartAfter } = this.#options;
    const drawn = screenshot !== false;
    const launch = { executablePath, sandbox, restartAfter, framesAtOnce: drawn };
    let listening: Promise<string> | undefined;
    this.#retained = new RetainedPage(launch, async ({ browser }) => {
      listening ??= this.#server.listen();
      const origins = [await listening];
      const memory = { answer: answerFromMemory(this.#server), channel: shopChannel(this.#server) };
      return BrowserPage.open(browser, { origins, ...SHOP_PAGE, width, height, timeout, drawn, ...memory });
    });
  }

  /** Takes the options of the text environment: `goal` and `session`. */
  async reset(given?: ResetOptions): Promise<ResetResult<BrowserObservation, BrowserInfo>> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, episodeOptions);
    const chosen = options.goal === undefined ? undefined : checkedGoal('goal', options.goal, this.shop);
    const name = options.session === undefined ? undefined : checkedSession(options.session);
    if (seed !== undefined) this.#random = new PythonRandom(seed);
    this.#random ??= new PythonRandom();
    // Same draws as the text environment: equal seeds give equal visits.
    const id = name ?? chosen?.toString() ?? this.#random.choices('abcdefghijklmnopqrstuvwxyz', { k: 10 }).join('');
    const goal = chosen ?? this.#part.at(this.#drawer.index(this.#random));
    if (this.#session) this.#server.drop(this.#session.id);
    this.#session = this.#server.open(id, goal);
    this.#over = false;
    this.#restored = undefined;
    const { observation, live } = await this.#retained.dropOnError(async () => {
      await this.#retained.beginEpisode();
      return this.#enter(`/${id}`);
    });
    return { observation, info: { ...this.#info(live), taskKey: goalKey(this.shop.goals[goal]!) } };
  }

  /** Opens an address of the shop as the first page of a visit. If the page is lost, retries once with a new one. */
  async #enter(path: string): Promise<{ observation: BrowserObservation; live: LivePage }> {
    const enter = async () => {
      const page = await this.#retained.ensureOpen();
      await page.enter(this.#server.url + path);
      return this.#observe('');
    };
    return enter().catch(async (error: unknown) => {
      if (!(error instanceof PageLostError)) throw error;
      await this.#retained.drop(true);
      return enter();
    });
  }

  async step(action: string): Promise<StepResult<BrowserObservation, BrowserInfo>> {
    this.ensureOpen('step');
    const session = this.#activeSession('step');
    this.checkAction(action);
    if (this.#over) throw new EpisodeOverError();
    await this.#openRestored();
    const before = this.#last!;
    try {
      const reason = await perform(this.#retained.current!, action, this.#context(session));
      const { observation, live } = await this.#observe(reason ?? '');
      this.#over = session.done;
      const outcome = {
        actionValid: reason === undefined,
        actionEffective: observation.text !== before.text || observation.url !== before.url,
        ...(reason !== undefined && { reason }),
      };
      return {
        observation,
        reward: session.done ? (session.reward ?? 0) : 0,
        terminated: session.done,
        truncated: false,
        info: { ...this.#info(live), ...outcome },
      };
    } catch (error) {
      if (!(error instanceof PageLostError)) throw error;
      return this.#truncated(error, before);
    }
  }

  /** A lost page truncates the episode; the next reset opens another. */
  async #truncated(error: PageLostError, observation: BrowserObservation) {
    this.#over = true;
    const info = this.#info(undefined);
    await this.#retained.drop(true);
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
    this.#activeSession('render');
    await this.#openRestored();
    return this.renderMode === 'rgb_array' ? this.#last?.screenshot : this.renderNothing();
  }

  /** Session and address, without scroll position, focus, and typed text. */
  snapshot(): EnvSnapshot {
    const state = this.#restored ?? {
      session: this.#session ? savedSession(this.#session, this.shop) : null,
      url: this.#last?.url ?? '',
      random: this.#random?.getState() ?? null,
    };
    return { kind: SNAPSHOT_KIND, state: structuredClone(state) };
  }

  /** The page opens on first use, and `back` stops there. */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const saved = parseSnapshot(snapshot, SNAPSHOT_KIND, savedVisit);
    // Everything that can fail comes before the first change.
    const random = saved.random ? restoredRandom(saved.random) : undefined;
    const session = saved.session ? sessionFrom(saved.session as SavedSession, this.shop) : undefined;
    if (this.#session) this.#server.drop(this.#session.id);
    this.#random = random;
    this.#popUp = undefined;
    this.#session = session;
    this.#over = saved.session?.done ?? false;
    this.#restored = saved.session ? saved : undefined;
  }

  async #openRestored(): Promise<void> {
    if (!this.#restored) return;
    const { url } = this.#restored;
    this.#server.adopt(this.#session!);
    await this.#enter(url);
    this.#restored = undefined;
  }

  oracle(): string | undefined {
    return this.plan?.reward === 1 ? this.expert() : undefined;
  }

  /** Next action of the best known plan, regardless of its reward. */
  expert(): string | undefined {
    const { plan } = this;
    if (this.#popUp !== undefined) return click(this.#popUp);
    return plan && nextAction(this.shop, this.#activeSession('expert'), plan);
  }

  /** The purchase that an expert would make for the current goal, and its reward. */
  get plan(): Plan | undefined {
    const { goalIndex, goal } = this.#activeSession('plan');
    if (this.#plan?.goal !== goalIndex) this.#plan = { goal: goalIndex, plan: planOf(this.shop, goal, this.#strict) };
    return this.#plan.plan;
  }

  /** Puppeteer's page, for anything that no action covers; `undefined` before the first reset and after a loss. */
  get page(): BrowserPage['page'] | undefined {
    return this.#retained.current?.page;
  }

  protected override async dispose(): Promise<void> {
    await this.#retained.drop();
    await this.#server.close();
    this.#release();
  }

  async #observe(lastError: string): Promise<{ observation: BrowserObservation; live: LivePage }> {
    const observed = await observePage(this.#retained.current!, this.#options, lastError, this.#server.url);
    this.#last = observed.observation;
    this.#popUp = popUpLabel(observed.live.tree);
    return observed;
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
      blockedRequests: this.#retained.current?.blockedRequests ?? 0,
      ...(live && this.#popUp !== undefined && { popUp: this.#popUp }),
      ...(page === 'done' && parts && { rewardParts: { ...parts }, success: reward === 1, exact: asin === goal.asin }),
    };
  }

  #context(session: Session): ShopContext {
    return {
      origin: this.#server.url,
      wholePage: this.#options.screenshot === 'page',
      session,
      productsPerPage: this.shop.productsPerPage,
      elements: this.#last!.elements,
      showAttributes: this.shop.showAttributes,
      strict: this.#strict,
      popUp: this.#popUp,
    };
  }

  #activeSession(method: string): Session {
    if (!this.#session) throw new ResetNeededError(method);
    return this.#session;
  }
}
