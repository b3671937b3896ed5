/** Tokenizers and chat templates. */
export { type ChatMlOptions, type ChatTemplate, chatMl, type RenderedChat } from '../chat/chat-template.js';
export {
  ChatTemplateError,
  JinjaTemplate,
  type JinjaTemplateOptions,
  type RenderOptions,
} from '../chat/jinja-template.js';
export { type DecodedTokens, TextTokenizer, TokenizerFileError } from './tokenizer.js';
