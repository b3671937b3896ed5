/**
 * Chat templates of model folders, written in Jinja and run by `@huggingface/jinja`, which has no access to anything but
 * its inputs, within limits of time and memory.
 */

import type { ChatMessage, Image } from '@vlgym/core';
import { GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { parseJinja, renderJinja } from './bounded-jinja.js';
import type { ChatTemplate, RenderedChat } from './chat-template.js';

/** Characters; published templates have some thousands. */
const MAX_TEMPLATE = 2 ** 18;

/** A template that cannot be parsed, or that refuses a conversation. */
export class ChatTemplateError extends GymError {
  constructor(source: string, cause: unknown) {
    super(`The chat template of ${source} failed: ${(cause as Error).message.split('\n')[0]}`, {
      code: 'CHAT_TEMPLATE',
      value: source,
      expected: 'a Jinja template that accepts roles and content parts of text and images',
      hint: 'fetch the chat template of the folder again, or change the order of roles in the conversation',
      cause,
    });
  }
}

export interface RenderOptions {
  /** Open the assistant's turn; default true. */
  readonly generationPrompt?: boolean | undefined;
  /** Number pictures in the text; default false. */
  readonly visionIds?: boolean | undefined;
}

export interface JinjaTemplateOptions {
  /** Its origin, for error messages. */
  readonly source: string;
  /** Texts of special tokens by name, e.g. `eos_token`. */
  readonly tokens?: Readonly<Record<string, string>> | undefined;
  readonly imageToken: string | null;
  readonly imagePlaceholder?: string | undefined;
  readonly startToken?: string | null | undefined;
  readonly contentParts?: boolean | undefined;
  readonly endOfTurn: string;
  readonly endTokens: readonly string[];
}

const JINJA_TEMPLATE_OPTIONS = names<JinjaTemplateOptions>({
  source: 0,
  tokens: 0,
  imageToken: 0,
  imagePlaceholder: 0,
  startToken: 0,
  contentParts: 0,
  endOfTurn: 0,
  endTokens: 0,
});

const JINJA_TEMPLATE_RENDER_OPTIONS = names<RenderOptions>({ generationPrompt: 0, visionIds: 0 });

export class JinjaTemplate implements ChatTemplate {
  readonly imageToken: string | null;
  readonly imagePlaceholder: string | undefined;
  readonly startToken: string | null | undefined;
  readonly contentParts: boolean;
  readonly endOfTurn: string;
  readonly endTokens: readonly string[];
  readonly #program: ReturnType<typeof parseJinja>;
  readonly #source: string;
  readonly #tokens: Readonly<Record<string, string>>;

  /** @throws {ChatTemplateError} It is not Jinja. */
  constructor(template: string, options: JinjaTemplateOptions) {
    checkNames('options', options, JINJA_TEMPLATE_OPTIONS);
    const { source, tokens = {}, imageToken, endOfTurn, endTokens } = options;
    this.imageToken = imageToken;
    this.imagePlaceholder = options.imagePlaceholder;
    this.startToken = options.startToken;
    this.contentParts = options.contentParts ?? false;
    this.endOfTurn = endOfTurn;
    this.endTokens = endTokens;
    this.#source = source;
    this.#tokens = tokens;
    try {
      if (template.length > MAX_TEMPLATE)
        throw new RangeError(`it has ${template.length} characters, more than ${MAX_TEMPLATE}`);
      this.#program = parseJinja(template);
    } catch (cause) {
      throw new ChatTemplateError(source, cause);
    }
  }

  /** @throws {ChatTemplateError} The template refuses the conversation. */
  render(messages: readonly ChatMessage[], options: RenderOptions = {}): RenderedChat {
    checkNames('options', options, JINJA_TEMPLATE_RENDER_OPTIONS);

    const { generationPrompt = true, visionIds = false } = options;
    const images: Image[] = [];
    // templates of text-only models append the content to a string: a list of parts would appear as JSON
    const joins = (content: Exclude<ChatMessage['content'], string>) =>
      this.imageToken === null && content.every(({ type }) => type === 'text');
    const plain = messages.map(({ role, content }) => ({
      role,
      content:
        typeof content === 'string'
          ? this.contentParts
            ? [{ type: 'text', text: content }]
            : content
          : joins(content)
            ? content.map((part) => (part.type === 'text' ? part.text : '')).join('')
            : content.map((part) => {
                if (part.type === 'text') return { type: 'text', text: part.text };
                images.push(part.image);
                return { type: 'image' };
              }),
    }));
    try {
      const text = renderJinja(this.#program, {
        // given to every template by transformers, though a conversation here has neither
        tools: null,
        documents: null,
        ...this.#tokens,
        messages: plain,
        add_generation_prompt: generationPrompt,
        add_vision_id: visionIds,
      });
      return { text, images };
    } catch (cause) {
      throw new ChatTemplateError(this.#source, cause);
    }
  }
}
