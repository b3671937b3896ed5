/** A picture that the reader has changed, in the place of the one that the agent would see. */
import type { AnyAgent } from '@vlgym/agents';
import { type ChatMessage, decodePng, GymError, hashImage, type Image } from '@vlgym/core';
import { record, text } from '../folders/values.js';

export interface EditedPicture {
  /** Hash of the picture that it replaces. */
  readonly hash: string;
  readonly image: Image;
}

/** @param value  `{ hash, png }` with base64. @throws {GymError} `IMAGE_INVALID` */
export function editedPicture(value: unknown): EditedPicture | undefined {
  const { hash, png } = { hash: text(record(value).hash), png: text(record(value).png) };
  if (hash === undefined || png === undefined) return undefined;
  return { hash, image: decodePng(Buffer.from(png, 'base64')) };
}

/**
 * The agent, which sees the changed picture in its first turn. The environment is as it was: a replay agrees.
 *
 * @throws {GymError} `NO_PICTURE`: the prompt of the turn does not show the picture.
 */
export function seeing(agent: AnyAgent, { hash, image }: EditedPicture): AnyAgent {
  let isFirst = true;
  return {
    name: agent.name,
    ...(agent.begin && { begin: (episode) => agent.begin!(episode) }),
    act: async (context) => {
      if (!isFirst) return agent.act(context);
      isFirst = false;
      const messages = replaced(context.messages ?? [], hash, image);
      const turn = await agent.act({ ...context, messages });
      return { ...turn, prompt: turn.prompt ?? messages };
    },
  };
}

function replaced(messages: readonly ChatMessage[], hash: string, image: Image): ChatMessage[] {
  let count = 0;
  const changed = messages.map((message) => {
    const { content } = message;
    if (typeof content === 'string') return message;
    const parts = content.map((part) => {
      if (part.type !== 'image' || hashImage(part.image) !== hash) return part;
      count += 1;
      return { ...part, image };
    });
    return { ...message, content: parts } as ChatMessage;
  });
  if (count > 0) return changed;
  throw new GymError('The prompt of this step does not show the picture that was changed.', {
    code: 'NO_PICTURE',
    value: hash,
    expected: 'a picture of the prompt',
    hint: 'change the answer instead, or choose an environment whose prompts have pictures',
  });
}
