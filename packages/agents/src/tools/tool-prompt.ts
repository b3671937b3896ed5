/**
 * The prompt for an agent that acts by calling a tool. Most dialogues end with the form of a written answer, which would
 * contradict the tools: that part is replaced.
 */
import type { ChatMessage } from '@vlgym/core';

/** The place where the form of a written answer begins, in the dialogues of this repository; it is the end of their text. */
const FORM = /(?:^|\n|(?<=[.:] ))Answer with one (?:valid )?JSON object/;

export const callOneTool = (names: readonly string[]): string => `Call one tool to act: ${names.join(', ')}.`;

/** @param names  Names of the tools that are actions. */
export function toolPrompt(messages: readonly ChatMessage[], names: readonly string[]): readonly ChatMessage[] {
  const call = callOneTool(names);
  return messages.map((message) => {
    const { role, content } = message;
    if (role === 'assistant') return message;
    if (typeof content === 'string') return { role, content: rewritten(content, call) };
    return {
      role,
      content: content.map((part) => (part.type === 'text' ? { ...part, text: rewritten(part.text, call) } : part)),
    };
  });
}

function rewritten(text: string, call: string): string {
  const found = FORM.exec(text);
  if (!found) return text;
  const before = text.slice(0, found.index).trimEnd();
  return before === '' ? call : `${before}\n${call}`;
}
