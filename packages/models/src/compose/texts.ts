/** The files of a composed folder that hold no weights: tokenizer and chat template of the decoder, with tokens for pictures. */
import { isRecord } from '@vlgym/core/internal';

/** The text that a template writes for a picture, in this order. */
export const PICTURE_TOKENS = ['<|vision_start|>', '<|image_pad|>', '<|vision_end|>'] as const;
export type PictureToken = (typeof PICTURE_TOKENS)[number];

/**
 * The definition of a tokenizer with the tokens of pictures, under new ids where it lacks them.
 *
 * @param size  One more than the largest id.
 */
export function withPictureTokens(
  definition: Readonly<Record<string, unknown>>,
  size: number,
  idOf: (token: string) => number | undefined,
): { readonly definition: object; readonly ids: Readonly<Record<PictureToken, number>>; readonly size: number } {
  const known = Array.isArray(definition.added_tokens) ? definition.added_tokens.filter(isRecord) : [];
  const added: object[] = [];
  const ids = PICTURE_TOKENS.map((content): [PictureToken, number] => {
    const found = idOf(content);
    if (found !== undefined) return [content, found];
    const id = size + added.length;
    added.push({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true });
    return [content, id];
  });
  return {
    definition: { ...definition, added_tokens: [...known, ...added] },
    ids: Object.fromEntries(ids) as Record<PictureToken, number>,
    size: size + added.length,
  };
}

/** Writes contents of text and pictures as text before a template reads them that knows text alone. */
const PARTS_TO_TEXT = `{%- set composed = namespace(messages=[]) -%}
{%- for message in messages -%}
{%- if message.content is string -%}
{%- set composed.messages = composed.messages + [message] -%}
{%- else -%}
{%- set turn = namespace(text='') -%}
{%- for part in message.content -%}
{%- if part.type == 'text' -%}
{%- set turn.text = turn.text + part.text -%}
{%- else -%}
{%- set turn.text = turn.text + '${PICTURE_TOKENS.join('')}' -%}
{%- endif -%}
{%- endfor -%}
{%- set composed.messages = composed.messages + [{'role': message.role, 'content': turn.text}] -%}
{%- endif -%}
{%- endfor -%}
{%- set messages = composed.messages -%}
`;

/** A template of text for messages with pictures. */
export const withPictures = (template: string): string => PARTS_TO_TEXT + template;
