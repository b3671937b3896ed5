/** One episode on a web site: its tabs, dialogs and files, and the actions of a step. */
import type { Page } from '@vlgym/chromium';
import { performCall, type SiteHands } from '../actions/perform-call.js';
import { looksLikeCalls, readCalls } from '../actions/python-calls.js';
import { bindCall } from '../actions/site-actions.js';
import { type AnsweredDialog, observeSite, type SiteMoment } from '../observation/site-observation.js';
import type { SiteElement } from '../observation/site-view.js';
import type { BrowserPage } from '../page/browser-page.js';
import type { BrowserPageOptions } from '../page/browser-page-options.js';
import type { DialogAnswer } from '../page/guard-page.js';
import { input, inputAction, scrollTo } from '../page/input.js';
import { PageLostError } from '../page/page-lost.js';
import type { PageOptions } from '../page/page-observation.js';
import type { SiteTask } from './site-task.js';
import { Tabs } from './tabs.js';
import { TaskFiles } from './task-files.js';

export interface Performed {
  /** The reason why an action was not performed; later actions were not performed either. */
  readonly reason?: string;
  /** The agent ended the episode. */
  readonly stopped: boolean;
  readonly answer?: string;
  readonly infeasible?: string;
}

/** Actions per step. */
const MAX_ACTIONS = 50;

type Act = () => Promise<string | undefined>;

export class SiteSession {
  readonly #options: PageOptions & { readonly tabs: boolean };
  readonly #tabs = new Tabs();
  readonly #files = new TaskFiles();
  readonly #hands: SiteHands;
  #dialogs: AnsweredDialog[] = [];
  #nextAnswer: DialogAnswer | undefined;
  #said: { answer?: string; infeasible?: string } = {};

  constructor(options: PageOptions & { readonly tabs: boolean }) {
    this.#options = options;
    this.#hands = {
      tabs: this.#tabs,
      manyTabs: options.tabs,
      inWindow: async (x, y) => (options.screenshot === 'page' ? scrollTo(this.#tabs.page, x, y) : [x, y]),
      fileAt: (name) => this.#files.pathOf(name),
      answerNextDialog: (answer) => {
        this.#nextAnswer = answer;
      },
      said: (kind, text) => {
        this.#said[kind] = text;
      },
    };
  }

  /** Handlers for events of the session's pages. */
  get handlers(): Pick<BrowserPageOptions, 'onPopup' | 'onDialog'> {
    return {
      ...(this.#options.tabs && { onPopup: (popup: Page) => this.#tabs.adopt(popup) }),
      onDialog: ({ type, message }) => {
        // Always confirm that the agent wants to leave a page.
        const answer = type === 'beforeunload' ? { accept: true } : (this.#nextAnswer ?? { accept: false });
        if (type !== 'beforeunload') this.#nextAnswer = undefined;
        this.#dialogs.push({ type, message, accepted: answer.accept });
        return answer;
      },
    };
  }

  begin(page: BrowserPage, task: SiteTask): void {
    this.#tabs.begin(page);
    this.#files.begin(task);
    this.#dialogs = [];
    this.#nextAnswer = undefined;
  }

  end(): void {
    this.#files.discard();
  }

  get page(): Page {
    return this.#tabs.page.page;
  }

  get blockedRequests(): number {
    return this.#tabs.blockedRequests;
  }

  /** @throws {PageLostError} */
  async observe(lastError: string): Promise<SiteMoment> {
    for (;;) {
      // The browser reports a window that the page opened after the click that did it.
      if (this.#options.tabs) await this.#settle();
      const observing = observeSite(this.#tabs, this.#options, this.#dialogs, lastError);
      const moment = await observing.catch((error) => this.#unlessClosed(error));
      if (!moment) continue; // the tab before is shown next
      this.#dialogs = [];
      return moment;
    }
  }

  /** Performs the actions of a step in order, up to the first that cannot be done. @throws {PageLostError} */
  async perform(action: string, elements: readonly SiteElement[]): Promise<Performed> {
    this.#said = {};
    const answer = /^\s*stop\[(.*)\]\s*$/s.exec(action)?.[1];
    if (answer !== undefined) return { stopped: true, answer };
    const acts = looksLikeCalls(action) ? this.#calls(action) : this.#brackets(action, elements);
    if (typeof acts === 'string') return { stopped: false, reason: acts };
    for (const [index, act] of acts.entries()) {
      if (index > 0) await this.#settle();
      const reason = await act().catch((error) => this.#unlessClosed(error));
      if (reason === undefined) continue;
      const which = acts.length > 1 ? `action ${index + 1} of ${acts.length}: ` : '';
      return { stopped: false, reason: which + reason, ...this.#said };
    }
    return { stopped: false, ...this.#said };
  }

  /** The first action of each line by its short form, e.g. `mark[7]`. */
  #brackets(text: string, elements: readonly SiteElement[]): readonly Act[] | string {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length > MAX_ACTIONS) return `a step has at most ${MAX_ACTIONS} actions`;
    const parsed = lines.map((line) => inputAction(line));
    if (parsed.length === 0 || parsed.includes(undefined)) return 'not of the form name[argument]';
    return parsed.map((action) => () => {
      const { name, argument } = action!;
      if (name === 'goto') return this.#tabs.page.visit(argument);
      const wanted = argument.trim().toLowerCase();
      const named = elements.find((element) => element.name.trim().toLowerCase() === wanted);
      if (name === 'click' && !named) return Promise.resolve('nothing on this page has this name');
      if (name === 'click' || name === 'mark') {
        const values = { bid: name === 'click' ? named!.mark : Number(argument), button: 'left', modifiers: [] };
        return performCall({ name: 'click', values }, this.#hands);
      }
      return input(this.#tabs.page, action!, { elements, wholePage: this.#options.screenshot === 'page' });
    });
  }

  #calls(text: string): readonly Act[] | string {
    const calls = readCalls(text);
    if (typeof calls === 'string') return `not a call: ${calls}`;
    if (calls.length > MAX_ACTIONS) return `a step has at most ${MAX_ACTIONS} actions`;
    const bound = calls.map(bindCall);
    const wrong = bound.find((call) => typeof call === 'string');
    if (wrong !== undefined) return wrong;
    return bound.map((call) => () => performCall(call as Exclude<typeof call, string>, this.#hands));
  }

  async #settle(): Promise<void> {
    await this.#tabs.page.settle().catch((error) => this.#unlessClosed(error));
    await this.#tabs.settle();
  }

  /** A tab may close itself in answer to an action; the first one may not. */
  async #unlessClosed(error: unknown): Promise<undefined> {
    if (error instanceof PageLostError && (await this.#tabs.closedItself())) return undefined;
    throw error;
  }
}
