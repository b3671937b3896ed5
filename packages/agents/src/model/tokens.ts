/** Tokens of an answered request, as the versions of the model interface report them. */
import type { RequestTokens } from './budget.js';

/** Usage of `LanguageModelV2` (numbers) or of later versions (totals with parts). */
export function tokensOf(usage: unknown): RequestTokens {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = (usage ?? {}) as Record<string, unknown>;
  if (typeof inputTokens !== 'object' && typeof outputTokens !== 'object') {
    return {
      input: count(inputTokens),
      output: count(outputTokens),
      cachedInput: count(cachedInputTokens),
      reasoning: count(reasoningTokens),
    };
  }
  const input = (inputTokens ?? {}) as Record<string, unknown>;
  const output = (outputTokens ?? {}) as Record<string, unknown>;
  return {
    input: count(input.total),
    output: count(output.total),
    cachedInput: count(input.cacheRead),
    reasoning: count(output.reasoning),
  };
}

/** A server may report anything. */
const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
