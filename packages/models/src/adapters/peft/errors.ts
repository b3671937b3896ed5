/** Errors of adapter folders. */
import { GymError } from '@vlgym/core';

/** An adapter folder that lacks a file, or has one that cannot be read. */
export class AdapterFolderError extends GymError {
  constructor(folder: string, problem: string, cause?: unknown) {
    super(`The adapter folder "${folder}" cannot be read: ${problem}.`, {
      code: 'ADAPTER_FOLDER',
      value: folder,
      expected: 'adapter_config.json and adapter_model.safetensors, as peft writes them',
      hint: 'save the adapter again with `model.save_pretrained(folder)` or `policy.saveAdapter(folder)`',
      cause,
    });
  }
}

/** An adapter of a kind that would compute something else here. */
export class AdapterUnsupportedError extends GymError {
  constructor(folder: string, key: string, value: unknown) {
    super(`Unsupported adapter "${folder}": ${key} is ${JSON.stringify(value)?.slice(0, 80)}.`, {
      code: 'ADAPTER_UNSUPPORTED',
      value,
      expected: 'LoRA on linear layers, with rank and alpha patterns and rank-stabilized scaling if wanted',
      hint: 'merge it into the weights with peft, or train another one',
    });
  }
}

/** An adapter that belongs to another model. Nothing was loaded. */
export class AdapterMismatchError extends GymError {
  constructor(folder: string, problem: string) {
    super(`The adapter "${folder}" does not fit this model: ${problem}.`, {
      code: 'ADAPTER_MISMATCH',
      value: folder,
      expected: 'factors for linear layers of this model, with matching shapes, and the rank and alpha of this policy',
      hint: 'open it with the model named in its adapter_config.json, and omit `train` to use its rank and scale',
    });
  }
}

/** An adapter was asked of a policy that trains all its weights. */
export class NoAdapterError extends GymError {
  constructor() {
    super('This policy has no adapters: it trains all weights.', {
      code: 'NO_ADAPTER',
      expected: 'a policy created with `train: { lora: { r, alpha } }`',
      hint: 'use `policy.save(folder)` to save all weights',
    });
  }
}

/** An adapter alone would be another policy than this one: its base has other weights than any folder. */
export class AdapterIncompleteError extends GymError {
  constructor(policy: string, folder: string | undefined) {
    const problem =
      folder === undefined
        ? 'its base was drawn at random and is in no folder'
        : `its base is not that of ${folder}: a warm start was merged into it, as older versions did`;
    super(`The adapter is not all of the policy "${policy}": ${problem}.`, {
      code: 'ADAPTER_INCOMPLETE',
      value: folder,
      expected: 'a policy whose base is a published folder, bit for bit',
      hint:
        folder === undefined
          ? 'use `policy.save(folder)` to save all weights'
          : '`vlgym export RUN --to merged` writes the whole model, or make the warm start again',
    });
  }
}

/** A policy whose weights were drawn at random as a published folder. */
export class NoModelFolderError extends GymError {
  constructor(policy: string) {
    super(`The policy "${policy}" was not created from a model folder.`, {
      code: 'NO_MODEL_FOLDER',
      value: policy,
      expected: 'a policy made with `model: FOLDER`',
      hint: 'use `policy.save(folder)` to save all weights',
    });
  }
}
