/**
 * A person at a page, as an agent: `act` shows the scene and waits until the browser answers. With a `player` the page
 * watches: an answer lets that agent take its turn.
 *
 * Playing is an evaluation with a person as the agent, so recordings and replays work as for other agents. Scenes are
 * numbered; a move names the scene it answers, and a late one changes nothing.
 */
import {
  type AgentContext,
  type AgentTurn,
  type AnyAgent,
  actionText,
  noHint,
  readAction,
  refusalOf,
} from '@vlgym/agents';
import { turnFromAction } from '@vlgym/agents/model';
import { type AnyEnv, GymError } from '@vlgym/core';
import type { PlayView } from './page-scene.js';
import { deferred, type Hint, type Shown, type Table } from './table.js';
import { type Scene, type Setting, sceneOf } from './view.js';

/** The person's turn: what `act` waits for. */
interface Seat {
  readonly context: AgentContext;
  answer(turn: AgentTurn): void;
  /** While the player thinks about this turn, however many pages ask for it. */
  playing?: Promise<void> | undefined;
}

export class PageTable implements Table {
  readonly agent: AnyAgent;
  /** The player's thought at each step of the episode. */
  #thoughts: (string | undefined)[] = [];
  #seed = 0;
  #shown: Shown | undefined;
  #next = deferred<Shown>();
  #seat: Seat | undefined;
  #wanted = deferred<number>();
  /** Actions of the episode so far. */
  #taken: unknown[] = [];
  /** Actions to take without asking, after a step was taken back. */
  #script: unknown[] = [];
  /** The reason why the last action changed nothing; absent if it changed something. */
  #refused: string | undefined;

  constructor(
    readonly setting: Setting,
    readonly player?: AnyAgent,
  ) {
    // the player's own name and identity stay: recordings are those of the player
    this.agent = {
      ...(player ?? { name: 'human' }),
      act: (context: AgentContext) => this.#act(context),
    };
  }

  /** The reason why the last action changed nothing; absent if it changed something. */
  get refused(): string | undefined {
    return this.#refused;
  }

  /** Called at the start of an episode. */
  begin(seed: number): void {
    this.#seed = seed;
    this.#thoughts = [];
    this.#taken = [];
    this.#refused = undefined;
    this.#wanted = deferred();
  }

  /** Shows a scene that nobody acts on, such as the end of an episode. */
  show({ view, pictures }: Scene): void {
    const scene = { view: this.#asWatched(view), pictures };
    const shown = { ...scene, turn: (this.#shown?.turn ?? 0) + 1 };
    this.#shown = shown;
    this.#next.resolve(shown);
    this.#next = deferred();
  }

  /** The scene now; while the environment is at work, the one that follows. */
  async current(): Promise<Shown> {
    return this.#waits && this.#shown ? this.#shown : this.#next.promise;
  }

  /** True on the person's turn and after the end of an episode. */
  get #waits(): boolean {
    return this.#seat !== undefined || this.#shown?.view.verdict !== undefined;
  }

  /** Executes what was typed or chosen. @returns The scene after it, or the same with a note that says what does not fit. */
  async move(turn: number, text: string, anyway = false): Promise<Shown> {
    const seat = this.#seat;
    if (!seat || turn !== this.#shown?.turn) return this.current();
    const next = this.#next.promise;
    if (this.player) {
      seat.playing ??= this.#letPlay(this.player, seat);
      await seat.playing;
      return next;
    }
    const { context } = seat;
    let action: unknown;
    try {
      action = readAction(context.env.actionSpace, text);
    } catch (error) {
      if (!GymError.isInstance(error)) throw error;
      return { ...this.#shown, note: `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}" is not an action here.` };
    }
    const note = anyway ? undefined : refusalOf(context.env, action);
    if (note !== undefined) return { ...this.#shown, note, refused: text };
    this.#answer(seat, turnFromAction(context, action));
    return next;
  }

  /** Leaves the episode and plays it again without its last step, so a recording has both, and each can be replayed. */
  async undo(turn: number): Promise<Shown> {
    if (!this.#waits || turn !== this.#shown?.turn || !this.#shown.view.undo) return this.current();
    this.#script = this.#taken.slice(0, -1);
    return this.#begin(this.#seed, 'The player took a step back.');
  }

  #answer(seat: Seat, turn: AgentTurn): void {
    if (turn.action !== undefined) {
      this.#refused = refusalOf(seat.context.env, turn.action);
      this.#taken.push(turn.action);
    }
    seat.answer(turn);
  }

  async #letPlay(player: AnyAgent, seat: Seat): Promise<void> {
    try {
      const turn = await player.act(seat.context);
      if (this.#seat !== seat) return; // another episode was begun in the meantime
      this.#thoughts.push(turn.parsed?.thought || undefined);
      this.#answer(seat, turn);
    } finally {
      seat.playing = undefined;
    }
  }

  /** The view for a spectator: with the thoughts next to the actions, and without choices. */
  #asWatched(view: PlayView): PlayView {
    if (!this.player) return view;
    const first = view.step - view.past.length;
    const past = view.past.map((turn, index) => {
      const thought = this.#thoughts[first + index];
      return thought === undefined ? turn : { ...turn, thought };
    });
    return { ...view, past, actions: [], free: false, undo: false, watching: { who: this.player.name, back: false } };
  }

  /** The expert's action now, in words, or the reason why there is none. */
  hint(): Hint {
    const { env } = this.#seat?.context ?? {};
    if (env === undefined) return { hint: '', reason: 'It is not your turn.' };
    const action = env.oracle?.();
    return action === undefined
      ? { hint: '', reason: noHint(env as AnyEnv) }
      : { hint: actionText(env.actionSpace, action), reason: '' };
  }

  /** Ends the current episode, if any, and starts another. */
  async restart(seed: number): Promise<Shown> {
    if (!this.#waits) return this.current();
    this.#script = [];
    return this.#begin(seed, 'The player has begun another episode.');
  }

  #begin(seed: number, message: string): Promise<Shown> {
    const next = this.#next.promise;
    this.#wanted.resolve(seed);
    this.#seat?.answer({ text: '', error: { boundary: 'agent', code: 'HUMAN_QUIT', message } });
    return next;
  }

  /** Seed of the episode that the person wants next; `undefined` once the signal aborts. */
  async wanted(signal: AbortSignal): Promise<number | undefined> {
    return Promise.race([this.#wanted.promise, aborted(signal)]);
  }

  async #act(context: AgentContext): Promise<AgentTurn> {
    const { env, observation, info, history, messages, signal } = context;
    if (this.#script.length > 0) {
      const action = this.#script.shift();
      this.#taken.push(action);
      return turnFromAction(context, action);
    }
    const moment = { env, seed: this.#seed, observation, info, history, messages, refused: this.#refused };
    const scene = await sceneOf(moment, this.setting);
    const turn = deferred<AgentTurn>();
    const stop = () => turn.reject(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    this.#seat = { context, answer: turn.resolve };
    this.show(scene);
    try {
      return await turn.promise;
    } finally {
      this.#seat = undefined;
      signal?.removeEventListener('abort', stop);
    }
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
