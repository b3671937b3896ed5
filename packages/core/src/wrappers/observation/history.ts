/**
 * history: prompts of the last k turns.
 *
 * The wrapper keeps the last turns, and its dialogue passes only the last k turns of a history on. The dialogue stays a
 * pure function: one serves many environments. Limits of texts and pictures are options because scores depend on them (`balrog-ai/BALROG`, `balrog/prompt_builder/history.py`).
 */
import { z } from 'zod';
import { chain } from '../../async/chain.js';
import { adaptDialogue } from '../../dialogue/adapt-dialogue.js';
import type { ChatMessage, Dialogue, Turn } from '../../dialogue/dialogue.js';
import type { Awaitable, Env, Info, ResetOptions, ResetResult, StepResult } from '../../env.js';
import { checkedInteger, checkNames, names } from '../../options.js';
import { encodedBy, parseState } from '../../snapshot.js';
import { Wrapper } from '../wrapper.js';

export interface HistoryOptions {
  /** Maximum number of pictures in a prompt, keeping the newest; default all. */
  readonly maxImages?: number | undefined;
  /** Also puts the turns into `info.history`; they then are part of every recorded step. */
  readonly inInfo?: boolean | undefined;
}

/** Maximum length of a turn's text that can be restored, in UTF-16 units. */
const MAX_TEXT = 10_000_000;

interface SavedTurns<Observation, Action> {
  readonly said: string;
  readonly observation: Observation | undefined;
  readonly turns: readonly Turn<Observation, Action>[];
}

const HISTORY_OPTIONS = names<HistoryOptions>({ maxImages: 0, inInfo: 0 });

export class History<Observation = unknown, Action = unknown, I extends Info = Info> extends Wrapper<
  Observation,
  Action,
  I
> {
  readonly #length: number;
  readonly #options: HistoryOptions;
  #turns: readonly Turn<Observation, Action>[] = [];
  #observation: Observation | undefined;
  /** The observation and info before the next action. */
  #said = '';

  constructor(env: Env<Observation, Action, I>, length: number, options: HistoryOptions = {}) {
    checkNames('options', options, HISTORY_OPTIONS);
    super(env);
    this.#length = checkedInteger('length', length, 0);
    if (options.maxImages !== undefined) checkedInteger('maxImages', options.maxImages, 0);
    this.#options = options;
    if (env.dialogue) this.dialogue = this.#limit(env.dialogue);
  }

  declare readonly dialogue?: Dialogue<Observation, Action, I>;

  override get wrapperSpec() {
    return { name: 'history', options: { length: this.#length, ...this.#options } };
  }

  /** The last finished turns of this episode, oldest first. */
  get turns(): readonly Turn<Observation, Action>[] {
    return [...this.#turns];
  }

  /** Sets the response of the turn that the next `step` finishes; without it the turn has no text. */
  say(text: string): void {
    this.#said = text;
  }

  override reset(options?: ResetOptions): Awaitable<ResetResult<Observation, I>> {
    return chain(this.env.reset(options), (result) => {
      this.#turns = [];
      this.#said = '';
      this.#observation = result.observation;
      return { ...result, info: this.#withTurns(result.info) };
    });
  }

  override step(action: Action): Awaitable<StepResult<Observation, I>> {
    return chain(this.env.step(action), (result) => {
      const turn = { observation: this.#observation as Observation, text: this.#said, action, reward: result.reward };
      this.#turns = lastOf([...this.#turns, turn], this.#length);
      this.#said = '';
      this.#observation = result.observation;
      return { ...result, info: this.#withTurns(result.info) };
    });
  }

  protected override saveState(): unknown {
    const { observationSpace, actionSpace } = this.env;
    return {
      said: this.#said,
      observation: this.#observation === undefined ? null : observationSpace.encode(this.#observation),
      turns: this.#turns.map(({ observation, action, ...rest }) => ({
        ...rest,
        observation: observationSpace.encode(observation),
        action: actionSpace.encode(action as Action), // this layer sees executed actions only
      })),
    };
  }

  protected override parseState(state: unknown): SavedTurns<Observation, Action> {
    const observation = encodedBy(this.env.observationSpace);
    const turn = z.strictObject({
      observation,
      text: z.string().max(MAX_TEXT),
      action: encodedBy(this.env.actionSpace),
      reward: z.number(),
    });
    return parseState(
      state,
      this.snapshotKind,
      z.strictObject({
        said: z.string().max(MAX_TEXT),
        observation: z.union([z.null().transform(() => undefined), observation]),
        turns: z.array(turn).max(this.#length),
      }),
    );
  }

  protected override loadState({ said, observation, turns }: SavedTurns<Observation, Action>): void {
    this.#said = said;
    this.#observation = observation;
    this.#turns = turns;
  }

  #withTurns(info: I): I {
    return this.#options.inInfo ? { ...info, history: this.turns } : info;
  }

  /** The same dialogue with a limited history. Its version includes the limit, because scores depend on it. */
  #limit(dialogue: Dialogue<Observation, Action, I>): Dialogue<Observation, Action, I> {
    const { maxImages } = this.#options;
    return adaptDialogue<Observation, Action, I>(dialogue, {
      version: `${dialogue.version}+history-${this.#length}${maxImages === undefined ? '' : `-images-${maxImages}`}`,
      context: (context) => ({ ...context, history: lastOf(context.history, this.#length) }),
      ...(maxImages !== undefined && { messages: (messages) => keepNewestImages(messages, maxImages) }),
    });
  }
}

/**
 * Limits prompts to the last `length` turns.
 *
 * @example
 * const env = (await make('gym_cards/Points24-v0')).pipe(history(4, { maxImages: 2 }));
 * const messages = env.dialogue?.prompt({ observation, info, history: env.turns });
 */
export function history(length: number, options: HistoryOptions = {}) {
  return <Observation, Action, I extends Info>(env: Env<Observation, Action, I>) => new History(env, length, options);
}

/** `slice(-length)`, also for 0, for which that would return everything. */
function lastOf<T>(list: readonly T[], length: number): readonly T[] {
  return list.slice(Math.max(list.length - length, 0));
}

function keepNewestImages(messages: readonly ChatMessage[], count: number): ChatMessage[] {
  let left = count;
  return messages
    .toReversed()
    .map((message) => {
      if (typeof message.content === 'string') return message;
      const kept = message.content.toReversed().filter((part) => {
        if (part.type !== 'image') return true;
        left -= 1;
        return left >= 0;
      });
      return { ...message, content: kept.reverse() };
    })
    .reverse();
}
