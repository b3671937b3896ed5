/**
 * Work that somebody may watch: traces are made of it. Without an observer nothing here is called, and nothing is loaded.
 */
import type { ChatMessage } from '@vlgym/core';
import type { BoundaryError, Usage } from './agent.js';

/** A piece of work before it begins. */
export type Observed =
  | { readonly kind: 'suite'; readonly environments: number; readonly agents: number }
  | { readonly kind: 'evaluation'; readonly agent: string; readonly environment?: string; readonly episodes: number }
  | {
      readonly kind: 'episode';
      /** Id in the recording. */
      readonly id: string;
      readonly seed: number;
      readonly repeat: number;
      readonly agent: string;
      readonly environment?: string;
    }
  | {
      readonly kind: 'turn';
      readonly id: string;
      readonly step: number;
      readonly agent: string;
      readonly prompt?: readonly ChatMessage[];
    }
  | { readonly kind: 'model'; readonly provider: string; readonly model: string; readonly settings: ModelRequest }
  | { readonly kind: 'tool'; readonly name: string; readonly callId?: string; readonly input: unknown }
  | { readonly kind: 'reset'; readonly seed: number }
  | { readonly kind: 'step'; readonly step: number; readonly action: unknown };

/** Settings of one request; the rest of its options is not looked at. */
export interface ModelRequest {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly seed?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
}

/** Facts about it at its end. */
export interface ObservedFacts {
  readonly usage?: Usage | undefined;
  readonly finishReason?: string | undefined;
  readonly text?: string | undefined;
  /** The prompt of a turn, if it is not the environment's. */
  readonly prompt?: readonly ChatMessage[] | undefined;
  /** The action in words, of a turn. */
  readonly action?: string | undefined;
  readonly legal?: boolean | undefined;
  readonly output?: unknown;
  readonly reward?: number | undefined;
  readonly terminated?: boolean | undefined;
  readonly truncated?: boolean | undefined;
  /** `digestObservation` of the new observation: pictures by hash. */
  readonly observation?: string | undefined;
  readonly success?: boolean | undefined;
  readonly counted?: boolean | undefined;
  readonly return?: number | undefined;
  readonly length?: number | undefined;
  readonly rate?: number | undefined;
  readonly error?: BoundaryError | undefined;
}

export interface Observer {
  /**
   * Runs the work, so that what it calls belongs to it. What the work throws is thrown.
   *
   * @param work  Tells what is known at its end with `done`.
   */
  observe<T>(what: Observed, work: (done: (facts: ObservedFacts) => void) => Promise<T>): Promise<T>;
}

/** The work itself where nobody watches. */
export const observed = <T>(
  observer: Observer | undefined,
  what: () => Observed,
  work: (done: (facts: ObservedFacts) => void) => Promise<T>,
): Promise<T> => (observer ? observer.observe(what(), work) : work(() => {}));
