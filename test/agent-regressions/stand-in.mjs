/**
 * Stands in for a model of a provider. In a share of the episodes, its skill, it does what the tool of the agent advises, in the
 * others something else. Without a skill it is the network that CI does not have.
 */
import { createHash } from 'node:crypto';

let calls = 0;

export const model = {
  specificationVersion: 'v3',
  provider: 'stand-in',
  modelId: 'player',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const { SKILL, SAMPLE = '' } = process.env;
    if (SKILL === undefined) throw new Error('the network is unreachable');
    const last = prompt.at(-1);
    if (last.role !== 'tool') return answer('advice', {});
    const { episode, right, wrong } = last.content[0].output.value;
    const draw = createHash('sha256').update(`${SAMPLE} ${episode}`).digest().readUInt32LE() / 2 ** 32;
    const { name, input } = draw < Number(SKILL) ? right : wrong;
    return answer(name, input);
  },
};

function answer(toolName, input) {
  calls += 1;
  return {
    content: [{ type: 'tool-call', toolCallId: `call-${calls}`, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
    usage: { inputTokens: { total: 100 }, outputTokens: { total: 10 } },
    warnings: [],
  };
}
