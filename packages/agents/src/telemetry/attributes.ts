/** Names and attributes of spans; see `open-telemetry.ts` for the conventions. */
import { type ChatMessage, environmentSecrets, redactSecrets } from '@vlgym/core';
import { hashImage } from '@vlgym/core/images';
import type { Observed, ObservedFacts } from '../observer.js';

/** Attributes as a tracer takes them; `undefined` is left out. */
type Values = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

const MAX_TEXT = 10_000;

/** Those of the environment: reading it takes longer than the rest of a span, so it is read once an episode. */
let secrets: readonly string[] | undefined;

/** Messages of errors, prompts and answers may repeat keys. */
export function safe(text: string): string {
  secrets ??= environmentSecrets();
  return redactSecrets(text.slice(0, MAX_TEXT), secrets);
}

export function beginAttributes(
  what: Observed,
  content: boolean,
): { readonly name: string; readonly attributes: Values } {
  if (what.kind === 'evaluation' || what.kind === 'episode') secrets = undefined;
  const { name, attributes } = begin(what, content);
  return { name, attributes: withoutUndefined(attributes) };
}

function begin(what: Observed, content: boolean): { readonly name: string; readonly attributes: Values } {
  switch (what.kind) {
    case 'suite':
      return {
        name: 'vlgym.suite',
        attributes: { 'vlgym.suite.environments': what.environments, 'vlgym.suite.agents': what.agents },
      };
    case 'evaluation':
      return {
        name: `vlgym.evaluation ${what.environment ?? ''}`.trim(),
        attributes: {
          'gen_ai.agent.name': what.agent,
          'vlgym.environment': what.environment,
          'vlgym.evaluation.episodes': what.episodes,
        },
      };
    case 'episode':
      return {
        name: `invoke_workflow ${what.environment ?? 'episode'}`,
        attributes: {
          'gen_ai.operation.name': 'invoke_workflow',
          'gen_ai.agent.name': what.environment,
          'gen_ai.conversation.id': what.id,
          'vlgym.agent': what.agent,
          'vlgym.environment': what.environment,
          'vlgym.episode.id': what.id,
          'vlgym.episode.seed': what.seed,
          'vlgym.episode.repeat': what.repeat,
        },
      };
    case 'turn':
      return {
        name: `invoke_agent ${what.agent}`,
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': what.agent,
          'gen_ai.conversation.id': what.id,
          'vlgym.step': what.step,
          'gen_ai.input.messages': content && what.prompt ? messagesText(what.prompt) : undefined,
        },
      };
    case 'model': {
      const { temperature, topP, topK, maxOutputTokens, seed, frequencyPenalty, presencePenalty, stopSequences } =
        what.settings;
      return {
        name: `chat ${what.model}`,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': what.provider,
          'gen_ai.request.model': what.model,
          'gen_ai.request.temperature': temperature,
          'gen_ai.request.top_p': topP,
          'gen_ai.request.top_k': topK,
          'gen_ai.request.max_tokens': maxOutputTokens,
          'gen_ai.request.seed': seed,
          'gen_ai.request.frequency_penalty': frequencyPenalty,
          'gen_ai.request.presence_penalty': presencePenalty,
          'gen_ai.request.stop_sequences': stopSequences,
        },
      };
    }
    case 'tool':
      return {
        name: `execute_tool ${what.name}`,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': what.name,
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.call.id': what.callId,
          'gen_ai.tool.call.arguments': content ? jsonText(what.input) : undefined,
        },
      };
    case 'reset':
      return { name: 'vlgym.environment.reset', attributes: { 'vlgym.episode.seed': what.seed } };
    case 'step':
      return {
        name: 'vlgym.environment.step',
        attributes: { 'vlgym.step': what.step, 'vlgym.action': content ? jsonText(what.action) : undefined },
      };
  }
}

export function endAttributes({ kind }: Observed, facts: ObservedFacts, content: boolean): Values {
  const { usage, finishReason, text, prompt, output } = facts;
  const hasUsage = usage !== undefined && usage.requests > 0;
  return withoutUndefined({
    'gen_ai.usage.input_tokens': hasUsage ? usage.inputTokens : undefined,
    'gen_ai.usage.output_tokens': hasUsage ? usage.outputTokens : undefined,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
    'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
    'gen_ai.input.messages': content && kind === 'turn' && prompt ? messagesText(prompt) : undefined,
    'gen_ai.output.messages': content && kind === 'turn' && text ? answerText(text, finishReason) : undefined,
    'gen_ai.tool.call.result': content && kind === 'tool' ? jsonText(output) : undefined,
    'vlgym.cost': hasUsage && usage.cost > 0 ? usage.cost : undefined,
    'vlgym.action': facts.action === undefined ? undefined : safe(facts.action),
    'vlgym.legal': facts.legal,
    'vlgym.reward': facts.reward,
    'vlgym.terminated': facts.terminated,
    'vlgym.truncated': facts.truncated,
    'vlgym.observation': facts.observation,
    'vlgym.episode.success': facts.success,
    'vlgym.episode.counted': facts.counted,
    'vlgym.episode.return': facts.return,
    'vlgym.episode.length': facts.length,
    'vlgym.evaluation.success_rate': Number.isNaN(facts.rate) ? undefined : facts.rate,
  });
}

/** Messages in the JSON of the conventions; a picture is a reference by its hash. */
const messagesText = (messages: readonly ChatMessage[]): string =>
  safe(
    JSON.stringify(
      messages.map(({ role, content }) => ({
        role,
        parts:
          typeof content === 'string'
            ? [{ type: 'text', content }]
            : content.map((part) =>
                part.type === 'text'
                  ? { type: 'text', content: part.text }
                  : { type: 'uri', modality: 'image', uri: hashImage(part.image) },
              ),
      })),
    ),
  );

const answerText = (text: string, finishReason = 'stop') =>
  safe(JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }], finish_reason: finishReason }]));

/** Bytes are not shown. */
const jsonText = (value: unknown): string =>
  safe(
    JSON.stringify(value, (_, entry: unknown) => (ArrayBuffer.isView(entry) ? `${entry.byteLength} bytes` : entry)) ??
      '',
  );

function withoutUndefined(values: Values): Values {
  const present: Record<string, Values[string]> = {};
  for (const name in values) if (values[name] !== undefined) present[name] = values[name];
  return present;
}
