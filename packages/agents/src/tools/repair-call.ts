/** Repairs a tool call whose name or arguments are nearly right, without another request. */

interface RawCall {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  /** JSON text, as the model wrote it. */
  readonly input: string;
}

/**
 * For `experimental_repairToolCall` of the AI SDK. A name in another case becomes the tool's, and arguments wrapped in
 * other text (a code fence, a sentence) are cut out. `null`: the model is shown what is wrong.
 */
export async function repairedCall<Call extends RawCall>({
  toolCall,
  tools,
}: {
  readonly toolCall: Call;
  readonly tools: Readonly<Record<string, unknown>>;
}): Promise<Call | null> {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const names = Object.keys(tools);
  const toolName =
    names.find((name) => name === toolCall.toolName) ?? names.find((name) => plain(name) === plain(toolCall.toolName));
  const input = objectIn(toolCall.input);
  if (toolName === undefined || input === undefined) return null;
  if (toolName === toolCall.toolName && input === toolCall.input) return null; // the values are wrong, not the form
  return { ...toolCall, toolName, input };
}

/** The outermost JSON object in a text. */
function objectIn(text: string): string | undefined {
  const cut = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, cut, cut.replace(/,(\s*[}\]])/g, '$1')]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return candidate;
      if (typeof value === 'string') return objectIn(value); // arguments encoded twice
    } catch {
      // try the next form
    }
  }
  return undefined;
}
