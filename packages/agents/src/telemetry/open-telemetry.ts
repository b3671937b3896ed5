/**
 * Spans of suites, episodes, turns, model calls, tool calls and steps of environments.
 *
 * Names and attributes follow the GenAI semantic conventions of OpenTelemetry, version 0.1.0 (open-telemetry/
 * semantic-conventions-genai, all in development), where they have a name for it; others begin with `vlgym.`. Every episode
 * is one trace, linked to the span of its evaluation: a trace of a whole evaluation would be too long for any viewer.
 *
 * Spans are active while their work runs, so those of the AI SDK (`@ai-sdk/otel`), of HTTP clients and of tools become their
 * children. Where the AI SDK has its own telemetry, it reports model and tool calls, and this module does not.
 */
import {
  type Attributes,
  context,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { checkNames, names } from '@vlgym/core/internal';
import { version } from '../../package.json';
import type { Observed, ObservedFacts, Observer } from '../observer.js';
import { beginAttributes, endAttributes, safe } from './attributes.js';

/** Version of the conventions that the spans follow. */
export const GENAI_CONVENTIONS = '0.1.0';

export interface OpenTelemetryOptions {
  /** Default: that of the global provider, which an SDK registers. Without one, spans go nowhere. */
  readonly tracer?: Tracer | undefined;
  /** Also prompts, responses and arguments of tools; pictures by hash. Default `false`, as the conventions ask. */
  readonly content?: boolean | undefined;
  /** Spans of model and tool calls; default: unless the AI SDK reports them itself. */
  readonly modelCalls?: boolean | undefined;
}

const OPEN_TELEMETRY_OPTIONS = names<OpenTelemetryOptions>({ tracer: 0, content: 0, modelCalls: 0 });

/**
 * For the option `telemetry` of `evaluate` and `suite`. Register an SDK first, with a context manager.
 *
 * @throws {UnknownOptionError}
 *
 * @example
 * await evaluate({ env, agent, telemetry: openTelemetry() });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Observer {
  checkNames('options', options, OPEN_TELEMETRY_OPTIONS);
  const { content = false, tracer = trace.getTracer('@vlgym/agents', version) } = options;
  return {
    observe(what, work) {
      const isCall = what.kind === 'model' || what.kind === 'tool';
      if (isCall && !(options.modelCalls ?? !reportsItself())) return work(() => {});
      return spanned(tracer, what, content, work);
    },
  };
}

/** Version 7 of the AI SDK keeps its integrations here. */
const reportsItself = (): boolean => {
  const { AI_SDK_TELEMETRY_INTEGRATIONS: found } = globalThis as { readonly AI_SDK_TELEMETRY_INTEGRATIONS?: unknown };
  return Array.isArray(found) && found.length > 0;
};

async function spanned<T>(
  tracer: Tracer,
  what: Observed,
  content: boolean,
  work: (done: (facts: ObservedFacts) => void) => Promise<T>,
): Promise<T> {
  const parent = trace.getSpan(context.active());
  const isRoot = what.kind === 'episode';
  const links: Link[] = isRoot && parent ? [{ context: parent.spanContext() }] : [];
  const { name, attributes } = beginAttributes(what, content);
  const kind = what.kind === 'model' ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const span = tracer.startSpan(name, { kind, root: isRoot, links, attributes: attributes as Attributes });
  const done = (facts: ObservedFacts) => {
    span.setAttributes(endAttributes(what, facts, content) as Attributes);
    if (facts.error) failed(span, facts.error.code, facts.error.message);
  };
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(done));
  } catch (error) {
    const {
      code,
      name: kind = 'Error',
      message = String(error),
    } = (error ?? {}) as { code?: unknown; name?: string; message?: string };
    failed(span, typeof code === 'string' ? code : kind, message);
    throw error;
  } finally {
    span.end();
  }
}

function failed(span: Span, type: string, message: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, message: safe(message) });
}
