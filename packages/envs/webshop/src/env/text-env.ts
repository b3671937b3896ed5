/**
 * The shop as text: search, open, choose, buy. No browser, no server.
 *
 * Observations, URLs, available actions, histories, and rewards agree with the text environment of `princeton-nlp/WebShop`
 * (MIT), `web_agent_site/envs/web_agent_text_env.py`, byte for byte; `test/golden/webshop-traces.json.gz` pins 34 episodes.
 */
import {
  BaseEnv,
  type Dialogue,
  type EnvSnapshot,
  EpisodeOverError,
  InvalidOptionError,
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
import { nextAction, type Plan, planOf } from '../agents/plan.js';
import { webShopDialogue } from '../dialogue/dialogue.js';
import type { GoalDrawer } from '../goals/draw-goal.js';
import { goalKey } from '../goals/goal-key.js';
import type { GoalPart } from '../goals/splits.js';
import { toHtml } from '../shop/element.js';
import type { Session } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';
import { Visitor } from '../shop/visitor.js';
import { infoOf, type WebShopInfo } from './info.js';
import { checkedOptions, episodeOptions, textOptions, type WebShopOptions } from './options.js';
import { endWords, refusalOf, scoreWords } from './player-words.js';
import { restoredRandom, type SavedSession, SnapshotStateError, savedSession, sessionFrom } from './saved-session.js';
import { MAX_ACTION_LENGTH, MAX_NAMED, MAX_OBSERVATION_LENGTH, SAVED_STATE, SNAPSHOT_KIND } from './saved-visit.js';
import { checkedGoal, shopTask } from './shop-task.js';
import { terminalPage } from './terminal-page.js';

/**
 * `reset` accepts `options: { goal: 12 }` for a specific goal (default: one is drawn) and `options: { session: 'name' }`
 * for the name in URLs. Without `strict`, a name keeps its goal until the next seed, as in the original.
 */
export class WebShopEnv extends BaseEnv<string, string, WebShopInfo> {
  override readonly metadata = { renderModes: ['ansi'] as const };
  readonly observationSpace = spaces.text({ minLength: 0, maxLength: MAX_OBSERVATION_LENGTH });
  readonly actionSpace = spaces.text({ minLength: 0, maxLength: MAX_ACTION_LENGTH });
  readonly dialogue: Dialogue<string, string, WebShopInfo>;
  readonly shop: Shop;

  readonly #options: ReturnType<typeof textOptions.parse>;
  readonly #part: GoalPart;
  readonly #drawer: GoalDrawer;
  readonly #release: () => void;
  #random: PythonRandom | undefined;
  #visitor: Visitor | undefined;
  #over = false;
  /** The last page, without history. */
  #latest = '';
  #observations: string[] = [];
  #actions: string[] = [];
  /** Goals of named sessions. */
  #named = new Map<string, number>();
  #plan: { readonly goal: number; readonly plan: Plan | undefined } | undefined;

  /** @param shop  An open shop, in place of the options that describe one. */
  constructor(options: WebShopOptions = {}, shop?: Shop) {
    const checked = checkedOptions(textOptions, options);
    super({ renderMode: checked.renderMode });
    this.#options = checked;
    const { strict = false } = this.#options;
    const defaults = { goalDraw: strict ? 'fixed' : 'parity', searchShortcuts: !strict } as const;
    ({
      shop: this.shop,
      part: this.#part,
      drawer: this.#drawer,
      release: this.#release,
    } = shopTask(this.#options, defaults, shop));
    this.dialogue = webShopDialogue(this.#options.dialogue ?? 'json-v1');
  }

  /** @throws {UnknownOptionError | InvalidOptionError} An option other than `goal` and `session`, or an unknown goal. */
  reset(given?: ResetOptions): ResetResult<string, WebShopInfo> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, episodeOptions);
    const goal = options.goal === undefined ? undefined : checkedGoal('goal', options.goal, this.shop);
    const name = sessionName(options.session);
    const known = seed === undefined ? this.#goalOf(name) : undefined;
    if (seed !== undefined) {
      this.#random = new PythonRandom(seed);
      this.#named.clear();
    }
    this.#random ??= new PythonRandom();
    const id = name ?? goal?.toString() ?? this.#random.choices(LETTERS, { k: 10 }).join('');
    const index = goal ?? known ?? this.#part.at(this.#drawer.index(this.#random));
    if (name !== undefined) this.#name(name, index);
    this.#visitor = this.#visitorOf(this.shop.newSession(id, index));
    this.#over = false;
    const observation = this.#observe();
    this.#observations = [observation];
    this.#actions = [];
    this.#latest = observation;
    return { observation, info: { ...infoOf(this.#visitor!), taskKey: goalKey(this.shop.goals[index]!) } };
  }

  step(action: string): StepResult<string, WebShopInfo> {
    this.ensureOpen('step');
    const visitor = this.#visiting('step');
    this.checkAction(action);
    if (this.#over && this.#options.afterDone !== 'continue') throw new EpisodeOverError();
    const before = this.#latest;
    const { reward, done, refused } = visitor.act(action);
    const observation = this.#observe();
    this.#actions.push(action);
    const state = this.#withHistory(observation);
    this.#observations.push(observation);
    this.#latest = observation;
    this.#forgetOld();
    this.#over = this.#over || done;
    return {
      observation: state,
      reward,
      terminated: done,
      truncated: false,
      info: {
        ...infoOf(visitor),
        actionValid: refused === undefined,
        actionEffective: observation !== before,
        ...(refused !== undefined && { reason: refused }),
      },
    };
  }

  override render(): RenderFrame {
    if (this.renderMode !== 'ansi') return this.renderNothing();
    const { page, session } = this.#visiting('render');
    return terminalPage(page, new Set(session.options.values()));
  }

  /** The page in words; at the end the score, without the original's code for its workers. */
  describeState(): string {
    const { text, session } = this.#visiting('describeState');
    if (session.page === 'done') return scoreWords(session);
    return text.replaceAll(' [SEP] ', '\n');
  }

  /** A refused action would cost a step. */
  describeRefusal(action: string): string | undefined {
    const visitor = this.#visiting('describeRefusal');
    return visitor.refusal(action) && refusalOf(action, visitor.available, this.#options.strict);
  }

  /** How well the purchase fits, for people. */
  describeEnd({ terminated }: StepResult<string, WebShopInfo>): string {
    return endWords(terminated, this.#visiting('describeEnd').session);
  }

  /** The expert's next action, if its plan has a reward of 1. */
  oracle(): string | undefined {
    return this.plan?.reward === 1 ? this.expert() : undefined;
  }

  /** Next action of the best known plan, regardless of its reward. */
  expert(): string | undefined {
    const { plan } = this;
    return plan && nextAction(this.shop, this.#visiting('expert').session, plan);
  }

  /** The purchase that an expert would make for the current goal, and its reward. */
  get plan(): Plan | undefined {
    const { goalIndex, goal } = this.#visiting('plan').session;
    if (this.#plan?.goal !== goalIndex) {
      this.#plan = { goal: goalIndex, plan: planOf(this.shop, goal, this.#options.strict) };
    }
    return this.#plan.plan;
  }

  snapshot(): EnvSnapshot {
    const state = {
      session: this.#visitor ? savedSession(this.#visitor.session, this.shop) : null,
      random: this.#random?.getState() ?? null,
      observations: this.#observations,
      actions: this.#actions,
      named: [...this.#named],
    };
    return { kind: SNAPSHOT_KIND, state: structuredClone(state) };
  }

  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const saved = parseSnapshot(snapshot, SNAPSHOT_KIND, SAVED_STATE);
    const strange = saved.named?.find(([, goal]) => goal >= this.shop.goals.length);
    if (strange) throw new SnapshotStateError('another shop', `goal ${strange[1]}`, `${this.shop.goals.length} goals`);
    // Everything that can fail comes before the first change.
    const random = saved.random ? restoredRandom(saved.random) : undefined;
    const visitor = saved.session ? this.#visitorOf(sessionFrom(saved.session as SavedSession, this.shop)) : undefined;
    const latest = visitor ? this.#observe(visitor) : '';
    this.#latest = latest;
    this.#random = random;
    this.#visitor = visitor;
    this.#over = visitor?.session.done ?? false;
    this.#observations = [...saved.observations];
    this.#actions = [...saved.actions];
    this.#named = new Map(saved.named);
  }

  protected override dispose(): void {
    this.#release();
  }

  #visitorOf(session: Session): Visitor {
    const { strict = false } = this.#options;
    return new Visitor(this.shop, session, { strict }, () => this.#random!);
  }

  /** Goal of an earlier session. */
  #goalOf(name: string | undefined): number | undefined {
    if (name === undefined || this.#options.strict) return undefined;
    const last = this.#visitor?.session;
    return last?.id === name ? last.goalIndex : this.#named.get(name);
  }

  #name(name: string, goal: number): void {
    if (this.#options.strict) return;
    if (this.#named.size >= MAX_NAMED) this.#named.delete(this.#named.keys().next().value!);
    this.#named.set(name, goal);
  }

  #visiting(method: string): Visitor {
    if (!this.#visitor) throw new ResetNeededError(method);
    return this.#visitor;
  }

  #observe(visitor = this.#visitor!): string {
    switch (this.#options.observationMode ?? 'text') {
      case 'text':
        return visitor.text;
      case 'text_rich':
        return visitor.richText;
      case 'html':
        return toHtml(visitor.page);
      case 'url':
        return visitor.url;
    }
  }

  /** Oldest first: observation, action, observation, action, …, current observation. */
  #withHistory(observation: string): string {
    const { numPrevObs = 0, numPrevActions = 0 } = this.#options;
    const parts: string[] = [];
    for (let back = Math.max(numPrevObs, numPrevActions); back >= 1; back -= 1) {
      const seen = this.#observations.at(-back);
      const done = this.#actions.at(-back);
      if (seen !== undefined && back <= numPrevObs) parts.push(seen);
      if (done !== undefined && back <= numPrevActions) parts.push(done);
    }
    return [...parts, observation].join(' [SEP] ');
  }

  #forgetOld(): void {
    const { numPrevObs = 0, numPrevActions = 0 } = this.#options;
    if (this.#observations.length > numPrevObs) this.#observations.splice(0, this.#observations.length - numPrevObs);
    if (this.#actions.length > numPrevActions) this.#actions.splice(0, this.#actions.length - numPrevActions);
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function sessionName(name: unknown): string | undefined {
  if (name === undefined) return undefined;
  if (typeof name === 'string' && /^[\w-]{1,64}$/.test(name)) return name;
  throw new InvalidOptionError('session', name, '1 to 64 letters, digits, "_" or "-"');
}
