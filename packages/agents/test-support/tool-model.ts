/** A model of the AI SDK that answers from a list: texts, calls of tools, errors. */
import { MockLanguageModelV3 } from 'ai/test';

type Answer = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
type Content = Answer['content'][number];

/** `input` is sent as JSON; a string is sent as it is. */
export interface Call {
  readonly tool: string;
  readonly input: unknown;
}

export type Entry = string | Error | readonly (Call | { readonly text?: string; readonly reasoning?: string })[];

export function toolModel(script: readonly Entry[], repeat = false): MockLanguageModelV3 {
  let turn = 0;
  return new MockLanguageModelV3({
    provider: 'test',
    modelId: 'tools',
    doGenerate: async () => {
      const entry = script[repeat ? turn++ % script.length : turn++];
      if (entry === undefined) throw new Error('asked too often');
      if (entry instanceof Error) throw entry;
      return answer(entry, turn);
    },
  });
}

function answer(entry: string | readonly object[], turn: number): Answer {
  const parts = typeof entry === 'string' ? [{ text: entry }] : entry;
  const content = parts.map((part, index): Content => {
    if ('text' in part) return { type: 'text', text: String(part.text) };
    if ('reasoning' in part) return { type: 'reasoning', text: String(part.reasoning) };
    const { tool, input } = part as Call;
    return {
      type: 'tool-call',
      toolCallId: `call-${turn}-${index}`,
      toolName: tool,
      input: typeof input === 'string' ? input : JSON.stringify(input),
    };
  });
  const unified = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
  return {
    content,
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 10, noCache: 4, cacheRead: 6, cacheWrite: 0 },
      outputTokens: { total: 5, text: 3, reasoning: 2 },
    },
    warnings: [],
  };
}
