/**
 * Conversations: lists of messages of text and pictures, as in `dialogue/dialogue.ts`.
 *
 * Members are prompts of a dialogue, the input of a chat model; samples are noise for tests.
 */
import type { ChatMessage, ChatPart } from '../dialogue/dialogue.js';
import { isImage } from '../images/is-image.js';
import { checkNames, names } from '../options.js';
import { isRecord } from '../type-tests.js';
import { BaseSpace } from './base-space.js';
import { InvalidSpaceError } from './errors.js';
import { decodeImage, encodeImage, IMAGE_SCHEMA, ImageSpace } from './image.js';
import { refuseTooLarge } from './limits.js';
import { refuseMasks } from './masks.js';
import { everyElement } from './serialization/json-data.js';
import type { JsonSchema, SampleOptions, SpaceJson } from './space.js';
import { TextSpace } from './text.js';

export type ChatRole = ChatMessage['role'];

export interface ChatOptions {
  /** Minimum and maximum number of messages, inclusive. */
  readonly minMessages?: number | undefined;
  readonly maxMessages?: number | undefined;
  readonly roles?: readonly ChatRole[] | undefined;
  /** False: text only. */
  readonly images?: boolean | undefined;
  /** Maximum number of code points of one text. */
  readonly maxLength?: number | undefined;
}

const ROLES: readonly ChatRole[] = ['system', 'user', 'assistant'];
/** Maximum of `minMessages`, because a sample contains that many messages. */
const MAX_MESSAGES = 100_000;
const SAMPLED_LENGTH = 40;
const SAMPLED_IMAGE = new ImageSpace({ height: 4, width: 4 });

/** A description in JSON has more. */
const CHAT_SPACE_OPTIONS = [
  ...names<ChatOptions>({ minMessages: 0, maxMessages: 0, roles: 0, images: 0, maxLength: 0 }),
  'type',
];

const CHAT_SPACE_SAMPLE_OPTIONS = names<SampleOptions>({ mask: 0, probability: 0 });

export class ChatSpace extends BaseSpace<readonly ChatMessage[]> {
  readonly type = 'chat';
  readonly minMessages: number;
  readonly maxMessages: number;
  readonly roles: readonly ChatRole[];
  readonly images: boolean;
  readonly maxLength: number;
  readonly #text: TextSpace;

  /** @throws {InvalidSpaceError} Numbers out of order, or unknown roles. */
  constructor(options: ChatOptions = {}) {
    checkNames('options', options, CHAT_SPACE_OPTIONS);
    const { minMessages = 0, maxMessages = 1024, roles = ROLES, images = true, maxLength = 1_000_000 } = options;
    super();
    const counts = [minMessages, maxMessages];
    if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0) || minMessages > maxMessages) {
      throw new InvalidSpaceError(this.type, counts, 'whole numbers, minMessages <= maxMessages');
    }
    if (!Array.isArray(roles) || roles.length === 0 || !roles.every((role) => ROLES.includes(role))) {
      throw new InvalidSpaceError(this.type, roles, `one or more of ${ROLES.join(', ')}`);
    }
    refuseTooLarge(this.type, { minMessages }, minMessages, MAX_MESSAGES, 'messages');
    this.minMessages = minMessages;
    this.maxMessages = maxMessages;
    this.roles = Object.freeze(ROLES.filter((role) => roles.includes(role)));
    this.images = images;
    this.maxLength = maxLength;
    this.#text = new TextSpace({ minLength: 0, maxLength });
  }

  /** A few messages of random letters, some with a small random picture. Takes no mask. */
  override sample(options: SampleOptions = {}): readonly ChatMessage[] {
    checkNames('options', options, CHAT_SPACE_SAMPLE_OPTIONS);

    refuseMasks(this.type, options);
    const count = Math.min(Math.max(this.generator.geometric(0.25), this.minMessages), this.maxMessages);
    return Array.from({ length: count }, () => this.#message());
  }

  toJSON(): SpaceJson {
    const { type, minMessages, maxMessages, roles, images, maxLength } = this;
    return { type, minMessages, maxMessages, roles, images, maxLength };
  }

  toJsonSchema(): JsonSchema {
    const text: JsonSchema = { type: 'string', maxLength: this.maxLength };
    const object = (properties: Record<string, JsonSchema>): JsonSchema => {
      return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
    };
    const parts = [object({ type: { const: 'text' }, text })];
    if (this.images) parts.push(object({ type: { const: 'image' }, image: IMAGE_SCHEMA }));
    const content = { anyOf: [text, { type: 'array', items: { anyOf: parts } }] };
    return {
      type: 'array',
      items: object({ role: { enum: this.roles }, content }),
      minItems: this.minMessages,
      maxItems: this.maxMessages,
      'x-vlgym': this.toJSON(),
    };
  }

  /** Not in Gymnasium. */
  override toString(): string {
    return `Chat(${this.minMessages}, ${this.maxMessages})`;
  }

  describe(): string {
    const what = this.images ? 'text and pictures' : 'text';
    return `${this.minMessages} to ${this.maxMessages} messages of ${what}, each from ${this.roles.join(', ')}`;
  }

  clone(): ChatSpace {
    return new ChatSpace(this);
  }

  protected includes(value: unknown): boolean {
    return (
      Array.isArray(value) &&
      value.length >= this.minMessages &&
      value.length <= this.maxMessages &&
      everyElement(value, (message) => this.#isMessage(message))
    );
  }

  protected write(messages: readonly ChatMessage[]): unknown {
    return messages.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : content.map(writePart),
    }));
  }

  protected read(json: unknown): unknown {
    return (json as { content: unknown }[]).map((message) => ({
      ...message,
      content: Array.isArray(message.content) ? message.content.map(readPart) : message.content,
    }));
  }

  #isMessage(message: unknown): boolean {
    if (!isRecord(message) || Object.keys(message).length !== 2) return false;
    const { role, content } = message;
    if (!this.roles.includes(role as ChatRole)) return false;
    return Array.isArray(content) ? everyElement(content, (part) => this.#isPart(part)) : this.#text.contains(content);
  }

  #isPart(part: unknown): boolean {
    if (!isRecord(part) || Object.keys(part).length !== 2) return false;
    if (part.type === 'text') return this.#text.contains(part.text);
    return part.type === 'image' && this.images && isImage(part.image);
  }

  #message(): ChatMessage {
    const role = this.generator.choice(this.roles);
    const text = this.#letters();
    if (!this.images || this.generator.random() < 0.75) return { role, content: text };
    SAMPLED_IMAGE.seed(this.generator.integers(2 ** 31));
    return {
      role,
      content: [
        { type: 'text', text },
        { type: 'image', image: SAMPLED_IMAGE.sample() },
      ],
    };
  }

  #letters(): string {
    const length = this.generator.integers(Math.min(this.maxLength, SAMPLED_LENGTH) + 1);
    return this.generator.choice(this.#text.sampledCharacters, { size: length }).join('');
  }
}

function writePart(part: ChatPart): unknown {
  return part.type === 'text' ? { ...part } : { type: 'image', image: encodeImage(part.image) };
}

function readPart(part: unknown): unknown {
  return isRecord(part) && part.type === 'image' ? { ...part, image: decodeImage(part.image) } : part;
}
