/** A model that looks by a tool, and then does what it saw. */
let calls = 0;

export const numberLineModel = {
  specificationVersion: 'v3',
  provider: 'stand-in',
  modelId: 'walker',
  supportedUrls: {},
  doGenerate: async ({ prompt }) => ({
    content: [{ type: 'tool-call', ...nextCall(prompt) }],
    finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
    usage: { inputTokens: { total: 100 }, outputTokens: { total: 10 } },
    warnings: [],
  }),
  async doStream(options) {
    const { content, finishReason, usage } = await this.doGenerate(options);
    const parts = [{ type: 'stream-start', warnings: [] }, ...content, { type: 'finish', finishReason, usage }];
    const stream = new ReadableStream({
      start(out) {
        for (const part of parts) out.enqueue(part);
        out.close();
      },
    });
    return { stream };
  },
};

function nextCall(prompt) {
  calls += 1;
  const last = prompt.at(-1);
  const call = (toolName, input) => ({ toolCallId: `call-${calls}`, toolName, input: JSON.stringify(input) });
  return last.role === 'tool' ? call('act', last.content[0].output.value) : call('look', {});
}
