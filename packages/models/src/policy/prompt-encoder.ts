/** Between messages and token ids, for one model with its tokenizer and chat template. */
import type { AnswerConstraint, ChatMessage, Image } from '@vlgym/core';
import type { ModelInput } from '@vlgym/rl';
import { ImageMissingError } from '../batch/token-rows.js';
import type { ChatTemplate } from '../chat/chat-template.js';
import { GrammarVocabulary, grammarOf, type TextGrammar } from '../constraints/text-grammar.js';
import type { TokenConstraint } from '../constraints/token-constraint.js';
import type { LanguageModel, LanguageModelConfig } from '../language-model.js';
import type { DecodedTokens, TextTokenizer } from '../tokenizer/tokenizer.js';
import { PromptTooLongError, TextOnlyModelError } from './errors.js';

/** What of a model decides how prompts are read. */
interface PromptReader extends Pick<LanguageModel, 'imageTokens' | 'imageText'> {
  readonly config: Pick<LanguageModelConfig, 'maxPositionEmbeddings'> & Partial<Pick<LanguageModelConfig, 'vocabSize'>>;
}

/** Constraints of environments that stay compiled. */
const MAX_CONSTRAINTS = 128;

export class PromptEncoder {
  /** Id that stands for one token of a picture; -1, which no token has, where the model reads text only. */
  readonly imageToken: number;
  /** Ids at which a response ends. */
  readonly endTokens: ReadonlySet<number>;
  readonly #model: PromptReader;
  readonly #tokenizer: TextTokenizer;
  readonly #template: ChatTemplate;
  #vocabulary: GrammarVocabulary | undefined;
  readonly #constraints = new WeakMap<TextGrammar, TokenConstraint>();
  readonly #answers = new Map<string, TokenConstraint>();

  /** @throws {TokenizerFileError} The vocabulary lacks a token of the template. */
  constructor(model: PromptReader, tokenizer: TextTokenizer, template: ChatTemplate) {
    this.#model = model;
    this.#tokenizer = tokenizer;
    this.#template = template;
    this.imageToken = template.imageToken === null ? -1 : tokenizer.id(template.imageToken);
    this.endTokens = new Set(template.endTokens.map((token) => tokenizer.id(token)));
  }

  /**
   * @throws {TextOnlyModelError} A message has a picture, and the model reads text only.
   * @throws {ImageMissingError}  An image part has no picture, or a text contains the template's image token.
   * @throws {PromptTooLongError} More tokens than `maxPositionEmbeddings` of the model.
   */
  encode(messages: readonly ChatMessage[]): ModelInput {
    if (this.#template.imageToken === null) requireText(messages);
    const { text: rendered, images } = this.#template.render(messages);
    const text = this.#model.imageText ? this.#withPictures(rendered, images) : rendered;
    const limit = this.#model.config.maxPositionEmbeddings;
    const minTokens = this.#tokenizer.minTokens(text);
    if (minTokens > limit) throw new PromptTooLongError(minTokens, limit, false);
    const ids = this.#ids(text, rendered);
    if (this.#model.imageText) return this.#expanded(ids, images, limit);
    const places = ids.filter((id) => id === this.imageToken).length;
    const present = images.filter((image) => image?.data instanceof Uint8Array);
    if (present.length !== images.length || places !== images.length) {
      throw new ImageMissingError(places, present.length, 'pictures');
    }
    const counts = images.map((image) => this.#model.imageTokens(image));
    let next = 0;
    const promptIds = Array.from(ids).flatMap((id) =>
      id === this.imageToken ? new Array<number>(counts[next++]!).fill(id) : [id],
    );
    if (promptIds.length > limit) throw new PromptTooLongError(promptIds.length, limit, true);
    return { promptIds: Int32Array.from(promptIds), images };
  }

  /** @throws {ImageMissingError} Placeholders and pictures differ in number. */
  #withPictures(rendered: string, images: readonly Image[]): string {
    const { imagePlaceholder, imageToken } = this.#template;
    const [first, ...rest] = rendered.split(imagePlaceholder ?? imageToken!) as [string, ...string[]];
    const present = images.filter((image) => image?.data instanceof Uint8Array);
    if (present.length !== images.length || rest.length !== images.length)
      throw new ImageMissingError(rest.length, present.length, 'pictures');
    return first + rest.map((after, i) => this.#model.imageText!(images[i]!) + after).join('');
  }

  /** Pictures are in the text already. @throws {ImageMissingError} A text has the token of pictures. */
  #expanded(ids: Int32Array, images: readonly Image[], limit: number): ModelInput {
    if (ids.length > limit) throw new PromptTooLongError(ids.length, limit, true);
    const places = ids.filter((id) => id === this.imageToken).length;
    const tokens = images.reduce((sum, image) => sum + this.#model.imageTokens(image), 0);
    if (places !== tokens) throw new ImageMissingError(places, tokens, 'picture tokens');
    return { promptIds: ids, images };
  }

  #ids(text: string, rendered: string): Int32Array {
    const ids = this.#tokenizer.encode(text);
    const { startToken } = this.#template;
    if (!startToken || rendered.startsWith(startToken)) return ids;
    return Int32Array.of(this.#tokenizer.id(startToken), ...ids);
  }

  /** Ends are offsets into the text as decoded, which differs from `text` only where the tokenizer normalizes it. */
  encodeResponse(text: string): { readonly ids: Int32Array; readonly tokenEnds: Int32Array } {
    const ids = Int32Array.of(...this.#tokenizer.encode(text), this.#tokenizer.id(this.#template.endOfTurn));
    return { ids, tokenEnds: this.#tokenizer.decode(ids).tokenEnds };
  }

  decode(ids: Int32Array): DecodedTokens {
    return this.#tokenizer.decode(ids);
  }

  /** A grammar over the tokens of this model; compiled once. @throws {GrammarTooLargeError} */
  constraint(grammar: TextGrammar): TokenConstraint {
    const known = this.#constraints.get(grammar);
    if (known) return known;
    const compiled = this.#grammars().compile(grammar);
    this.#constraints.set(grammar, compiled);
    return compiled;
  }

  /** A constraint of an environment over the tokens of this model. @throws {GrammarTooLargeError} */
  answerConstraint(constraint: AnswerConstraint): TokenConstraint {
    const key = JSON.stringify(constraint);
    const compiled = this.#answers.get(key) ?? this.#grammars().compile(grammarOf(constraint), constraint.maxTokens);
    // the one that was used last is the last to go
    this.#answers.delete(key);
    this.#answers.set(key, compiled);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MAX_CONSTRAINTS) break;
      this.#answers.delete(oldest);
    }
    return compiled;
  }

  #grammars(): GrammarVocabulary {
    const size = this.#model.config.vocabSize ?? this.#tokenizer.size;
    this.#vocabulary ??= new GrammarVocabulary(this.#tokenizer, this.endTokens, size);
    return this.#vocabulary;
  }
}

/** @throws {TextOnlyModelError} A message has a picture. */
function requireText(messages: readonly ChatMessage[]): void {
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    const pictures = content.filter(({ type }) => type === 'image').length;
    if (pictures > 0) throw new TextOnlyModelError(pictures);
  }
}
