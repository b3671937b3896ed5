/** An example as TRL lays a row out: `prompt` and `completion` as messages, pictures separately in `images`. */
import { type ChatMessage, type Image, promptImages } from '@vlgym/core';
import type { ChatExample } from './example.js';

export type LaidOutPart = { readonly type: 'text'; readonly text: string } | { readonly type: 'image' };

export interface LaidOutMessage {
  readonly role: string;
  readonly content: readonly LaidOutPart[];
}

export interface LaidOutExample {
  readonly prompt: readonly LaidOutMessage[];
  readonly completion: readonly LaidOutMessage[];
  /** In the order of their places in the prompt. */
  readonly images: readonly Image[];
}

/** `origin` under the names of columns; empty for an example from elsewhere. */
export function originColumns({ origin }: ChatExample): Readonly<Record<string, number | string | boolean>> {
  if (!origin) return {};
  const { policyVersion, ...rest } = origin;
  const columns = { ...rest, policy_version: policyVersion };
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export function laidOut({ prompt, response }: ChatExample): LaidOutExample {
  return {
    prompt: prompt.map(inParts),
    completion: [{ role: 'assistant', content: [{ type: 'text', text: response }] }],
    images: promptImages(prompt),
  };
}

/** Every content is a list, so that all rows of a table have one type. */
function inParts({ role, content }: ChatMessage): LaidOutMessage {
  if (typeof content === 'string') return { role, content: [{ type: 'text', text: content }] };
  return { role, content: content.map((part) => (part.type === 'text' ? part : { type: 'image' })) };
}
