/** The conversation that an agent carries from turn to turn of one episode, as messages of the AI SDK. */
import { type Awaitable, checkedInteger, InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { ModelAnswer, SdkMessage } from './ai-sdk.js';

/** How much of the conversation is kept. */
export interface MemoryOptions {
  /** Earlier turns that are sent again, 0 or more; default: all. Pictures of older turns are no longer sent. */
  readonly turns?: number | undefined;
  /**
   * The older turns in a few words, sent in their place. Called with the messages of turns that leave the window; the first one
   * is the last summary, if there is one.
   */
  readonly summarize?: ((messages: readonly SdkMessage[]) => Awaitable<string>) | undefined;
}

const MEMORY_OPTIONS = names<MemoryOptions>({ turns: 0, summarize: 0 });

/** `turn` (default): every turn begins with the environment's prompt alone. `episode`: all earlier turns are sent, too. */
export type Memory = 'turn' | 'episode' | MemoryOptions;

/** @throws {InvalidOptionError | UnknownOptionError} */
export function checkMemory(memory: Memory): void {
  if (memory === 'turn' || memory === 'episode') return;
  if (typeof memory !== 'object')
    throw new InvalidOptionError('memory', memory, "'turn', 'episode', or { turns, summarize }");
  checkNames('memory', memory, MEMORY_OPTIONS);
  if (memory.turns !== undefined) checkedInteger('turns', memory.turns, 0);
  if (memory.summarize !== undefined && typeof memory.summarize !== 'function') {
    throw new InvalidOptionError('summarize', memory.summarize, 'a function of messages');
  }
}

/** For the identity of an agent: answers depend on it. */
export const memoryIdentity = (memory: Memory) => {
  if (memory === 'turn') return {};
  if (memory === 'episode') return { memory };
  return {
    memory: { ...(memory.turns !== undefined && { turns: memory.turns }), summary: memory.summarize !== undefined },
  };
};

export class Conversation {
  readonly #limits: MemoryOptions;
  #turns: (readonly SdkMessage[])[] = [];
  #summary: SdkMessage | undefined;

  constructor(memory: MemoryOptions | 'episode') {
    this.#limits = memory === 'episode' ? {} : memory;
  }

  /** The messages of a turn: earlier ones, then those of now. */
  with(now: readonly SdkMessage[]): SdkMessage[] {
    return [...(this.#summary ? [this.#summary] : []), ...this.#turns.flat(), ...now];
  }

  /** Keeps a finished turn. @param now  Its own messages, without earlier ones. */
  async keep(now: readonly SdkMessage[], answer: Pick<ModelAnswer, 'messages' | 'steps'>): Promise<void> {
    this.#turns.push([...now, ...answer.messages, ...closing(answer)]);
    const { turns = Number.POSITIVE_INFINITY, summarize } = this.#limits;
    const left = this.#turns.splice(0, Math.max(0, this.#turns.length - turns));
    if (left.length === 0 || !summarize) return;
    const text = await summarize([...(this.#summary ? [this.#summary] : []), ...left.flat()]);
    this.#summary = { role: 'user', content: `Earlier turns, in short: ${text}` };
  }
}

/** Every call needs a result, also that of the action, whose effect the next prompt shows. */
function closing({ steps }: Pick<ModelAnswer, 'steps'>): SdkMessage[] {
  const content = openCalls(steps).map(({ toolCallId = '', toolName = '' }) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName,
    output: { type: 'text' as const, value: 'Done. The next message shows what it led to.' },
  }));
  return content.length > 0 ? [{ role: 'tool', content }] : [];
}

/** Valid calls of the last step that have no result. */
export function openCalls(steps: ModelAnswer['steps']) {
  const { content = [] } = steps.at(-1) ?? {};
  return content.filter(
    ({ type, invalid, toolCallId }) =>
      type === 'tool-call' &&
      !invalid &&
      !content.some((part) => part.type !== 'tool-call' && part.toolCallId === toolCallId),
  );
}

/** A conversation for an episode, if the option asks for one. */
export const conversationFor = (memory: Memory): Conversation | undefined =>
  memory === 'turn' ? undefined : new Conversation(memory);
