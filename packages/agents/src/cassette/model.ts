/**
 * A model whose answers are recorded, and played from the file afterwards: `doGenerate` and `doStream` of every version of
 * the AI SDK's model interface. Streams are recorded whole and played whole.
 */
import { assertLanguageModel, type LanguageModelLike } from '../model/ai-sdk.js';
import { wholeAnswer } from '../model/answer-stream.js';
import { streamOf } from '../model/meter.js';
import { headerSecrets } from '../model/model-agent.js';
import { aboutPrompt, modelCallKey, unpacked } from './content.js';
import { type CassetteOptions, openTape, type Tape } from './tape.js';

type CallOptions = { readonly headers?: Readonly<Record<string, string>> };
type Generate = () => PromiseLike<object>;
type Stream = () => PromiseLike<{ readonly stream: ReadableStream<unknown> }>;

interface CallableModel extends LanguageModelLike {
  readonly supportedUrls?: unknown;
  doGenerate(options: CallOptions): PromiseLike<object>;
  doStream(options: CallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

/**
 * The model with a cassette. In CI it answers from the file only, and needs neither a network nor a key.
 *
 * @param file   JSON Lines; commit it. One process records into it at a time.
 * @param model  A model of any provider of the AI SDK, versions 6 and 7.
 * @throws {InvalidModelError | InvalidOptionError}
 *
 * @example
 * const agent = modelAgent(cassette('shopper.jsonl', openai('gpt-…')));
 */
export function cassette<Model extends LanguageModelLike>(
  file: string,
  model: Model,
  options: CassetteOptions = {},
): Model {
  assertLanguageModel(model);
  const tape = openTape(file, options);
  const inner = model as unknown as CallableModel;
  const { specificationVersion, provider, modelId, supportedUrls = {} } = inner;
  const name = `${provider}/${modelId}`;
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (call: CallOptions) => generated(tape, name, call, () => inner.doGenerate(call)),
    doStream: async (call: CallOptions) => streamed(tape, name, call, () => inner.doStream(call)),
  } as unknown as Model;
}

/**
 * The same as a middleware, for agents that own their model.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-…'), middleware: cassetteMiddleware('shopper.jsonl') });
 */
export function cassetteMiddleware(file: string, options: CassetteOptions = {}) {
  const tape = openTape(file, options);
  const nameOf = ({ provider, modelId }: LanguageModelLike) => `${provider}/${modelId}`;
  return {
    specificationVersion: 'v3' as const,
    wrapGenerate: ({ doGenerate, params, model }: Wrapped) => generated(tape, nameOf(model), params, doGenerate),
    wrapStream: ({ doStream, params, model }: Wrapped) => streamed(tape, nameOf(model), params, doStream),
  };
}

/** Handed to a middleware by the AI SDK, in any version. */
interface Wrapped {
  // biome-ignore lint/suspicious/noExplicitAny: results of whichever version of the AI SDK is installed
  readonly doGenerate: () => PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly doStream: () => PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly params: any;
  readonly model: LanguageModelLike;
}

// biome-ignore lint/suspicious/noExplicitAny: the answer has the type that the caller's version of the AI SDK gives it
async function generated(tape: Tape, name: string, call: CallOptions, send: Generate): Promise<any> {
  tape.addSecrets(headerSecrets(call.headers));
  const answer = await tape.answer({
    key: modelCallKey(name, call),
    of: name,
    about: aboutPrompt(call),
    make: async () => stored(await send()),
  });
  return unpacked(answer) as object;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function streamed(tape: Tape, name: string, call: CallOptions, send: Stream): Promise<any> {
  const answer = await generated(tape, name, call, async () => {
    const { stream } = await send();
    return wholeAnswer(stream, () => {});
  });
  return { stream: streamOf(answer) };
}

/** The part of an answer that is played: no headers and no body of the request, which hold keys and pictures. */
function stored(answer: object): object {
  const { content, finishReason, usage, warnings, providerMetadata } = answer as Readonly<Record<string, unknown>>;
  return { content, finishReason, usage, warnings: warnings ?? [], providerMetadata };
}
