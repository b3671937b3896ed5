/** Three styles of one message: a JSON object, `<think>` and `<action>` tags, or a tool call. */
import type { ResponseFormat } from '@vlgym/core';

export const DIALOGUE_STYLES = ['json-v1', 'tags-v1', 'tools-v1'] as const;
export type DialogueStyle = (typeof DIALOGUE_STYLES)[number];

export const FORMATS: Readonly<Record<DialogueStyle, ResponseFormat>> = {
  'json-v1': 'json',
  'tags-v1': 'tags',
  'tools-v1': 'tool-call',
};
