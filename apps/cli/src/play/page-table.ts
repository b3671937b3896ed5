/**
 * A person at a page, as an agent: `act` shows the scene and waits until the browser answers. With a `player` the page
 * watches: an answer lets that agent take its turn.
 *
 * Playing is an evaluation with a person as the agent, so recordings and replays work as for other agents. Scenes are
 * numbered; a move names the scene it answers, and a late one changes nothing.
 */
import { type AgentContext, type AgentTurn, type AnyAgent, actionText, readAction } from '@vlgym/agents';
import { turnFromAction } from '@vlgym/agents/model';
import { GymError } from '@vlgym/core';
import type { PlayStage } from '@vlgym/core/registry';
import type { PlayView } from './page-scene.js';
import { deferred, type Shown, type Table } from './table.js';
import { type Scene, sceneOf } from './view.js';

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

  constructor(
    readonly stage: PlayStage,
    readonly player?: AnyAgent,
  ) {
    // the player's own name and identity stay: recordings are those of the player
    this.agent = {
      ...(player ?? { name: 'human' }),
      act: (context: AgentContext) => this.#act(context),
    };
  }

  /** Called at the start of an episode. */
  begin(seed: number): void {
    this.#seed = seed;
    this.#thoughts = [];
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
  async move(turn: number, text: string): Promise<Shown> {
    const seat = this.#seat;
    if (!seat || turn !== this.#shown?.turn) return this.current();
    const next = this.#next.promise;
    if (this.player) {
      seat.playing ??= this.#letPlay(this.player, seat);
      await seat.playing;
      return next;
    }
    let spoken: AgentTurn;
    try {
      spoken = turnFromAction(seat.context, readAction(seat.context.env.actionSpace, text));
    } catch (error) {
      if (!GymError.isInstance(error)) throw error;
      return { ...this.#shown, note: error.message.split('\n', 1)[0]! };
    }
    seat.answer(spoken);
    return next;
  }

  async #letPlay(player: AnyAgent, seat: Seat): Promise<void> {
    try {
      const turn = await player.act(seat.context);
      if (this.#seat !== seat) return; // another episode was begun in the meantime
      this.#thoughts.push(turn.parsed?.thought || undefined);
      seat.answer(turn);
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
    return { ...view, past, actions: [], free: false, watching: { who: this.player.name, back: false } };
  }

  /** The expert's action now, in words. */
  hint(): string {
    const { env } = this.#seat?.context ?? {};
    const action = env?.oracle?.();
    return env === undefined || action === undefined ? '' : actionText(env.actionSpace, action);
  }

  /** Ends the current episode, if any, and starts another. */
  async restart(seed: number): Promise<Shown> {
    if (!this.#waits) return this.current();
    const next = this.#next.promise;
    this.#wanted.resolve(seed);
    this.#seat?.answer({
      text: '',
      error: { boundary: 'agent', code: 'HUMAN_QUIT', message: 'The player has begun another episode.' },
    });
    return next;
  }

  /** Seed of the episode that the person wants next; `undefined` once the signal aborts. */
  async wanted(signal: AbortSignal): Promise<number | undefined> {
    return Promise.race([this.#wanted.promise, aborted(signal)]);
  }

  async #act(context: AgentContext): Promise<AgentTurn> {
    const { env, observation, info, history, messages, signal } = context;
    const scene = await sceneOf({ env, seed: this.#seed, observation, info, history, messages }, this.stage);
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
