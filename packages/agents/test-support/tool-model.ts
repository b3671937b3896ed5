/** A model of the AI SDK that answers from a list: texts, calls of tools, errors. */
import { MockLanguageModelV3 } from 'ai/test';

type Generated = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
/** Content parts that versions 3 and 4 of the model interface share. */
type Content = Extract<Generated['content'][number], { type: 'text' | 'reasoning' | 'tool-call' }>;
interface Answer extends Omit<Generated, 'content'> {
  content: Content[];
}

/** `input` is sent as JSON; a string is sent as it is. */
export interface Call {
  readonly tool: string;
  readonly input: unknown;
}

export type Entry = string | Error | readonly (Call | { readonly text?: string; readonly reasoning?: string })[];

export const toolModel = (script: readonly Entry[], repeat = false): MockLanguageModelV3 =>
  new MockLanguageModelV3({ provider: 'test', modelId: 'tools', doGenerate: scriptedAnswers(script, repeat) });

/** One entry for each request, in both versions of the model interface. */
export function scriptedAnswers(script: readonly Entry[], repeat = false): () => Promise<Answer> {
  let turn = 0;
  return async () => {
    const entry = script[repeat ? turn++ % script.length : turn++];
    if (entry === undefined) throw new Error('asked too often');
    if (entry instanceof Error) throw entry;
    return answer(entry, turn);
  };
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
