/**
 * The text interface of an environment: observation → messages, response → action.
 *
 * The same dialogue serves an AI SDK model, a local policy, a person and an MCP client. It is versioned with the
 * environment: a changed word is a new version, because scores under different prompts are not comparable.
 */

import type { Image } from '../image.js';
import type { Info } from '../info.js';

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: Image };

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly ChatPart[];
}

/** One finished turn of the current episode. */
export interface Turn<Observation = unknown, Action = unknown> {
  readonly observation: Observation;
  /** The agent's response; empty for agents that produce no text. */
  readonly text: string;
  /** The executed action; `undefined` if none could be read and the environment was left alone. */
  readonly action: Action | undefined;
  readonly reward: number;
}

export interface PromptContext<Observation = unknown, Action = unknown, I extends Info = Info> {
  readonly observation: Observation;
  readonly info: I;
  /** Turns of this episode, oldest first. */
  readonly history: readonly Turn<Observation, Action>[];
}

/** Half-open range of UTF-16 offsets into the response text. */
export type Span = readonly [start: number, end: number];

/** The reason why a response gave no executable action. */
export type ParseFailure =
  | 'empty'
  | 'no-action-marker'
  | 'no-action'
  | 'ambiguous-action'
  | 'unknown-action'
  | 'unavailable-action';

export interface ParsedResponse<Action = unknown> {
  readonly thought: string;
  /** The parsed action; absent when none could be read. */
  readonly action?: Action;
  /** The action as written, e.g. `10`. */
  readonly actionText: string;
  /** An action of this environment was read without ambiguity and is available now. */
  readonly legal: boolean;
  /** The response has the requested format (e.g. one JSON object with all keys). */
  readonly formatValid: boolean;
  /** True if the thought's claims are true, where the environment can check them; set by `readResponse`. */
  readonly thoughtCorrect?: boolean;
  /** Thought: what precedes the action entry. Action: from its marker (`"action":`) to the end of the response. */
  readonly spans: { readonly thought?: Span; readonly action: Span };
  readonly reason?: ParseFailure;
  /** A message to the model that says how to fix its answer. */
  readonly repairHint?: string;
}

/** An action as a function that a model calls; `parse` reads its call written as `{"name": …, "arguments": …}`. */
export interface DialogueTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Dialogue<Observation = unknown, Action = unknown, I extends Info = Info> {
  /** `<environment>/<style>-v<n>`, e.g. `points24/rl4vlm-v1`. */
  readonly version: string;
  prompt(context: PromptContext<Observation, Action, I>): ChatMessage[];
  /** Never throws: any response becomes a parse result. */
  parse(text: string, context?: PromptContext<Observation, Action, I>): ParsedResponse<Action>;
  /** The actions the prompt offers now, if they can be listed; random agents and random fallbacks draw from them. */
  choices?(context: PromptContext<Observation, Action, I>): readonly Action[];
  /** The actions as tools, for prompts that ask for a tool call. */
  readonly tools?: readonly DialogueTool[];
  /**
   * Whether what a response says before its action is true: the cards it names, where it sees the goal, what it needs.
   * `undefined` if it says nothing that can be checked. Never throws.
   *
   * @param thought  The text before the action entry, or the thought alone; `thoughtEntries` reads both.
   * @param info     Info of the state that the response is about.
   */
  check?(thought: string, info: I): boolean | undefined;
  /** The response of an expert that takes `action`, with its thought: a label for supervised warm starts. */
  demonstrate?(context: PromptContext<Observation, Action, I>, action: Action): string;
}
