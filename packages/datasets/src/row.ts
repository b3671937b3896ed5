/**
 * One row of a chat dataset to examples, as TRL lays rows out (https://huggingface.co/docs/trl/dataset_formats): a
 * conversation in `messages`, of which every assistant turn is learned, or a `prompt` with the `completion` to learn.
 */
import type { ChatMessage, ChatPart, Image } from '@vlgym/core';
import { PictureBudget } from '@vlgym/core/internal';
import { z } from 'zod';
import { DatasetRowError } from './errors.js';
import type { ChatExample } from './example.js';
import type { DatasetLimits } from './limits.js';
import { loadPicture, PictureProblem, type PictureSource } from './pictures.js';

const picture = z.union([
  z.string(),
  z.instanceof(Uint8Array),
  z.looseObject({ bytes: z.unknown().optional(), path: z.unknown().optional() }),
]);
const part = z.discriminatedUnion('type', [
  // columns of a table give every part every key, empty ones as null
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image'), image: picture.nullish() }),
]);
const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.union([z.string(), z.array(part)]),
});

const rowOf = ({ messages, images }: DatasetLimits) => {
  const chat = z.array(message).min(1).max(messages);
  return z.looseObject({
    messages: chat.nullish(),
    prompt: z.union([z.string(), chat]).nullish(),
    completion: z.union([z.string(), chat]).nullish(),
    images: z.array(picture).max(images).nullish(),
    image: picture.nullish(),
  });
};

type Message = z.output<typeof message>;

/** Reads the rows of one file. */
export class RowReader {
  readonly #schema: ReturnType<typeof rowOf>;

  constructor(
    private readonly file: string,
    private readonly limits: DatasetLimits,
  ) {
    this.#schema = rowOf(limits);
  }

  /** @throws {DatasetRowError} */
  async examples(value: unknown, place: string): Promise<ChatExample[]> {
    const parsed = this.#schema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new DatasetRowError(place, `${issue?.path.join('.') || 'the row'}: ${issue?.message ?? 'invalid'}`);
    }
    const { messages, prompt, completion, images, image } = parsed.data;
    const before = chatOf(prompt ?? [], 'user');
    const after = messages ?? chatOf(completion ?? [], 'assistant');
    if ((messages == null) === (prompt == null && completion == null)) {
      throw new DatasetRowError(place, 'it has neither `messages` nor `prompt` with `completion`, or both');
    }
    if (messages == null && (before.length === 0 || after.length === 0)) {
      throw new DatasetRowError(place, '`prompt` and `completion` belong together, and neither may be empty');
    }
    const sources = [...(images ?? []), ...(image == null ? [] : [image])] as PictureSource[];
    const chat = await this.#withPictures([...before, ...after], sources, place);
    const examples = chat.flatMap((turn, i): ChatExample[] =>
      turn.role === 'assistant' && i >= before.length
        ? [{ prompt: chat.slice(0, i), response: textOf(turn, place), source: place, group: place }]
        : [],
    );
    if (examples.length === 0) throw new DatasetRowError(place, 'it has no assistant message to learn');
    if (examples.some((example) => example.prompt.length === 0)) {
      throw new DatasetRowError(place, 'an assistant message comes first, with nothing to answer');
    }
    return examples;
  }

  async #withPictures(messages: readonly Message[], sources: readonly PictureSource[], place: string) {
    try {
      const budget = new PictureBudget(this.limits.pixelBytes);
      let next = 0;
      const chat: ChatMessage[] = [];
      const isPlain = messages.every(({ content }) => typeof content === 'string');
      // without parts, the pictures belong to the start of the first user message, as in TRL
      const first = isPlain && sources.length > 0 ? messages.findIndex(({ role }) => role === 'user') : -1;
      for (const [i, { role, content }] of messages.entries()) {
        if (i === first) {
          const pictures = await Promise.all(sources.map((source) => this.#load(source, budget)));
          next = sources.length;
          const parts = pictures.map((image): ChatPart => ({ type: 'image', image }));
          chat.push({ role, content: [...parts, { type: 'text', text: content as string }] });
        } else if (typeof content === 'string') {
          chat.push({ role, content });
        } else {
          const parts: ChatPart[] = [];
          for (const each of content) {
            if (each.type === 'text') parts.push({ type: 'text', text: each.text });
            else
              parts.push({
                type: 'image',
                image: await this.#load((each.image ?? sources[next++]) as PictureSource, budget),
              });
          }
          chat.push({ role, content: parts });
        }
      }
      if (next < sources.length) {
        throw new PictureProblem(`it has ${sources.length} pictures and ${next} places for them`);
      }
      return chat;
    } catch (cause) {
      if (cause instanceof PictureProblem) throw new DatasetRowError(place, cause.message, cause.cause);
      throw cause;
    }
  }

  #load(source: PictureSource | undefined, budget: PictureBudget): Promise<Image> {
    if (source === undefined) throw new PictureProblem('it has fewer pictures than places for them');
    return loadPicture(source, this.file, this.limits, budget);
  }
}

const chatOf = (given: string | readonly Message[], role: 'user' | 'assistant'): readonly Message[] =>
  typeof given === 'string' ? [{ role, content: given }] : given;

function textOf({ content }: ChatMessage, place: string): string {
  if (typeof content === 'string') return content;
  if (content.some(({ type }) => type === 'image')) {
    throw new DatasetRowError(place, 'an assistant message has a picture, which a model here cannot write');
  }
  return content.map((each) => (each.type === 'text' ? each.text : '')).join('');
}
