/** An example for supervised training: a prompt with one response. */
import type { ChatMessage } from '@vlgym/core';

export interface ChatExample {
  readonly prompt: readonly ChatMessage[];
  /** The assistant's text; only it is a label. */
  readonly response: string;
  /** Its origin, for messages: a file with the line, the row, or the step of an episode. */
  readonly source: string;
  /** Equal for examples of one row or episode: a split keeps them on one side. */
  readonly group: string;
  /** The recorded step that it comes from; written as further columns. */
  readonly origin?: StepOrigin | undefined;
}

/** A step of a recorded episode, for those who weigh or filter rows. */
export interface StepOrigin {
  /** The environment's, of this step. */
  readonly reward: number;
  /** Sum of the episode's rewards, undiscounted. */
  readonly return: number;
  readonly success?: boolean | undefined;
  readonly seed?: number | undefined;
  readonly env?: string | undefined;
  /** Its id. */
  readonly episode: string;
  /** From 0. */
  readonly step: number;
  readonly policyVersion?: number | undefined;
}
