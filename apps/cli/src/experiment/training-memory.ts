/** Tokens of a forward pass with gradients, and the memory that supervised training takes, before anything is allocated. */
import { GymError } from '@vlgym/core';
import { isModelFolder, loraOf } from './policy.js';
import type { Task } from './spec.js';

/** Padding included. Presets are small: a whole batch is one pass. */
const TOKENS_PER_PASS = { folder: 4_096, preset: 65_536 } as const;

export interface PassPlan {
  /** Most tokens of a forward pass. */
  readonly batchTokens: number;
  /** The required memory, as text; absent if it is small. */
  readonly note?: string;
}

type Choice = Pick<Task, 'model' | 'loraRank' | 'dtype' | 'device' | 'checkpointActivations'>;

/**
 * @param batchTokens  Asked for; default by the size of the model.
 * @throws {TrainingTooLargeError} It does not fit into the memory of this machine. @throws The errors of `inspectModel`.
 */
export async function planPass(choice: Choice, batchTokens?: number): Promise<PassPlan> {
  const { model, loraRank, device = 'cpu', checkpointActivations } = choice;
  if (!isModelFolder(model)) return { batchTokens: batchTokens ?? TOKENS_PER_PASS.preset };
  const tokens = batchTokens ?? TOKENS_PER_PASS.folder;
  const { inspectModel } = await import('@vlgym/models');
  const { memory, available, ...folder } = await inspectModel(model, { lora: loraOf(loraRank), tokens });
  const dtype = choice.dtype ?? folder.dtype;
  const need = memory.find((each) => each.dtype === dtype);
  if (!need) return { batchTokens: tokens };
  const bytes = checkpointActivations ? need.loraCheckpointed : need.lora;
  if (device === 'cpu' && bytes > available) throw new TrainingTooLargeError(model, bytes, available, tokens);
  const parts = `${gigabytes(need.weights)} of weights in ${dtype}, the rest adapters and passes of ${tokens} tokens`;
  const left = device === 'cpu' ? `; ${gigabytes(available)} are available` : '';
  return { batchTokens: tokens, note: `about ${gigabytes(bytes)} of memory: ${parts}${left}` };
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

/** Training would need more memory than there is. Nothing was allocated. */
class TrainingTooLargeError extends GymError {
  constructor(model: string, needed: number, available: number, tokens: number) {
    super(
      `Training "${model}" needs about ${gigabytes(needed)} with passes of ${tokens} tokens; ${gigabytes(available)} are available.`,
      {
        code: 'TRAINING_TOO_LARGE',
        value: needed,
        expected: `at most ${available} bytes`,
        hint: 'lower --batch-tokens, or choose --dtype bfloat16, --checkpoint-activations or a smaller --lora-rank',
      },
    );
  }
}
