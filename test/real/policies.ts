/** Prompts for servers, and the results of the same weights elsewhere. */
import { execFile } from 'node:child_process';
import type { ChatMessage } from '@vlgym/core';
import { createPolicy, type VlmPolicy } from '@vlgym/models';
import type { Engine, EngineRequest } from '@vlgym/queue/engines';
import { modelFolder, python, script } from './servers.js';

/** Largest difference of a token's log-probs between two programs of one float32 model. */
export const TOLERANCE = 1e-2;
export const RANK = 16;

export const words: readonly ChatMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'The capital of France is' }] },
];

export const largest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (value, index) => Math.abs(value - b[index]!)));

/** The base with an adapter that some steps of training made: its log-probs are others. */
export async function adaptedPolicy(): Promise<VlmPolicy> {
  const policy = await createPolicy({ model: modelFolder, train: { lora: { r: RANK, alpha: 2 * RANK } } });
  const sequences = [{ input: policy.encode(words), responseIds: Int32Array.of(504, 3575, 282, 4649, 314) }];
  for (let step = 0; step < 3; step++) {
    await policy.accumulate(sequences, ({ logProbs }) => logProbs.sum().neg());
    await policy.step({ learningRate: 2e-3, maxGradNorm: 1 });
  }
  return policy;
}

/** A request for a response to `words`. */
export function requestOf({ promptIds }: { readonly promptIds: Int32Array }, changes: Partial<EngineRequest> = {}) {
  const fixed = { requestId: 'real', model: 'base', images: [], imageToken: undefined, stopTokenIds: [2] };
  return { ...fixed, promptIds, maxNewTokens: 12, temperature: 1, topP: 1, topK: 0, seed: 3, ...changes };
}

/** A server's samples, scored by its own log-probs and by those of the policy. */
export async function compare(engine: Engine, policy: VlmPolicy, changes: Partial<EngineRequest> = {}) {
  const input = policy.encode(words);
  const signal = AbortSignal.timeout(600_000);
  const { tokenIds, behaviorLogProbs } = await engine.generate(requestOf(input, changes), signal);
  const { logProbs } = await policy.score([{ input, responseIds: tokenIds }]);
  return { input, tokenIds, served: [...behaviorLogProbs], ours: [...logProbs[0]!] };
}

/** Log-probs by transformers and peft. */
export async function peftScores(adapter: string, promptIds: Int32Array, responseIds: Int32Array) {
  const given = JSON.stringify({ prompt: [...promptIds], response: [...responseIds] });
  return JSON.parse(await runPython('peft_scores.py', [modelFolder, adapter], given)) as PeftScores;
}

type PeftScores = Readonly<Record<'base' | 'adapter', number[]>>;

/** A script of this folder. @returns what it prints. */
export function runPython(name: string, args: readonly string[], input = ''): Promise<string> {
  const env = { ...process.env, HF_HUB_OFFLINE: '1' };
  return new Promise((resolve, reject) => {
    const child = execFile(python, [script(name), ...args], { env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${name} failed: ${stderr}`, { cause: error }));
      else resolve(stdout);
    });
    child.stdin?.end(input);
  });
}
