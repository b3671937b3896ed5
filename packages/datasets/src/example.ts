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
}
