/** ChatML of a model that reads text only, for folders without a chat template. */
import { type ChatTemplate, chatMl } from '../../chat/chat-template.js';

export const textChatMl: ChatTemplate = { ...chatMl(), imageToken: null };
