/**
 * Questions to a server before the first episode, because its settings are not visible in its answers.
 *
 * Wrong log-probs, a prompt read differently, a constraint that is ignored and an adapter that is not applied all give
 * plausible responses with HTTP 200; training on them fails slowly. Each is refused here, with the flag that helps.
 */
import { checkNames, names } from '@vlgym/core/internal';
import type { ModelInput } from '@vlgym/rl';
import type { Engine } from './engine.js';
import { HandshakeError, PromptMismatchError } from './errors.js';
import { sameIds, type TokenCodec } from './remote-sampler.js';

export interface HandshakeOptions {
  readonly codec: TokenCodec;
  /** A prompt of the environment, with its pictures. */
  readonly input: ModelInput;
  readonly model: string;
  /** The folder that the adapter was published in. */
  readonly adapterPath?: string | undefined;
  /** Also check that choices are enforced. */
  readonly constraints?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Texts that no model generates unconstrained. */
const IMPOSSIBLE = ['zqxvkjw', 'vkqzjxw'];
const TOLERANCE = 1e-3;

const HANDSHAKE_OPTIONS = names<HandshakeOptions>({
  codec: 0,
  input: 0,
  model: 0,
  adapterPath: 0,
  constraints: 0,
  signal: 0,
});

/** @throws {HandshakeError} @throws {PromptMismatchError} @throws {EngineError} */
export async function handshake(engine: Engine, options: HandshakeOptions): Promise<void> {
  checkNames('options', options, HANDSHAKE_OPTIONS);
  const { codec, input, model, constraints = false, signal = AbortSignal.timeout(120_000) } = options;
  if (!engine.canTrain) {
    throw new HandshakeError('ENGINE_CANNOT_TRAIN', `${engine.name} cannot serve training.`, {
      expected: 'vLLM or SGLang',
      hint: 'use it for evaluation only',
    });
  }
  await engine.health(signal);
  await checkAdapter(engine, options, signal);
  const images = input.images.map((image) => codec.resize?.(image) ?? image);
  const ask = (id: string, settings: { topK?: number; alternatives?: number; choice?: readonly string[] }) =>
    engine.generate(
      {
        requestId: `handshake-${id}`,
        model,
        promptIds: input.promptIds,
        images,
        imageToken: codec.imageToken,
        maxNewTokens: settings.choice ? 32 : 1,
        temperature: settings.topK ? 0.5 : 1,
        topP: 1,
        topK: 0,
        seed: 1,
        stopTokenIds: codec.endTokens,
        ...settings,
      },
      signal,
    );

  const plain = await ask('prompt', {});
  if (plain.promptIds && !sameIds(plain.promptIds, input.promptIds)) {
    throw new PromptMismatchError(engine.name, input.promptIds, plain.promptIds);
  }
  if (!engine.name.startsWith('sglang'))
    await checkLogProbs(engine, await ask('log-probs', { topK: 2, alternatives: 2 }));
  if (constraints) {
    const { tokenIds } = await ask('choice', { choice: IMPOSSIBLE });
    const { text } = codec.decode(tokenIds);
    if (!IMPOSSIBLE.some((word) => text.trim() === word)) {
      throw new HandshakeError('CONSTRAINT_IGNORED', `${engine.name} ignored a choice of two words.`, {
        value: text,
        expected: IMPOSSIBLE.join(' or '),
        hint: 'serve a version that knows `structured_outputs` (vLLM 0.12 or newer)',
      });
    }
  }
}

/** With top-k 2, the probabilities of two tokens sum to 1 only if they are those of the distribution that was sampled from. */
function checkLogProbs(engine: Engine, { alternatives = [] }: Awaited<ReturnType<Engine['generate']>>): void {
  const sum = (alternatives[0] ?? []).slice(0, 2).reduce((total, logProb) => total + Math.exp(logProb), 0);
  if (Math.abs(sum - 1) < TOLERANCE) return;
  throw new HandshakeError(
    'LOGPROBS_NOT_BEHAVIOR',
    `${engine.name} gives log-probs of another distribution than the one it samples from.`,
    {
      value: sum,
      expected: 'probabilities of the two tokens of top-k 2 that sum to 1',
      hint: 'start vLLM with --logprobs-mode processed_logprobs',
    },
  );
}

async function checkAdapter(engine: Engine, { model, adapterPath }: HandshakeOptions, signal: AbortSignal) {
  const served = await engine.models(signal);
  const found = served.find(({ name }) => name === model);
  if (!found) {
    throw new HandshakeError('ADAPTER_MISSING', `${engine.name} does not serve "${model}".`, {
      value: served.map(({ name }) => name),
      expected: model,
      hint: 'publish the weights first; vLLM needs --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=1',
    });
  }
  if (adapterPath !== undefined && found.path !== adapterPath) {
    throw new HandshakeError('ADAPTER_WRONG', `${engine.name} serves "${model}" from another folder.`, {
      value: found.path,
      expected: adapterPath,
      hint: 'unload it, and publish every version under a new name and folder',
    });
  }
}
