/** Errors of model folders. */
import { GymError } from '@vlgym/core';

const MAX_SHOWN = 5;

/** A folder that lacks a file, or has one that cannot be read. */
export class ModelFolderError extends GymError {
  constructor(folder: string, problem: string, { hint, cause }: { hint?: string; cause?: unknown } = {}) {
    super(`The model folder "${folder}" cannot be read: ${problem}.`, {
      code: 'MODEL_FOLDER',
      value: folder,
      expected: 'config.json, tokenizer.json and safetensors files, as Hugging Face publishes them',
      hint: hint ?? 'fetch the folder again; `vlgym models inspect FOLDER` says what it holds',
      cause,
    });
  }
}

/** `config.json` names a model type that no family reads. */
export class ModelTypeUnsupportedError extends GymError {
  /** @param hint  The next step where it is not to register a family. */
  constructor(folder: string, modelType: unknown, known: readonly string[], hint?: string) {
    super(`Unsupported model type ${JSON.stringify(modelType)} in "${folder}".`, {
      code: 'MODEL_TYPE_UNSUPPORTED',
      value: modelType,
      expected: known.join(', '),
      hint: hint ?? 'choose a folder of one of these, or register a family that reads this one',
    });
  }
}

/** The tensors of a folder are not those of the model that its `config.json` describes. Nothing was loaded. */
export class ModelWeightsError extends GymError {
  constructor(
    folder: string,
    readonly problems: readonly string[],
  ) {
    const more = problems.length > MAX_SHOWN ? ` and ${problems.length - MAX_SHOWN} more` : '';
    super(
      `The weights in "${folder}" do not fit their config.json: ${problems.slice(0, MAX_SHOWN).join('; ')}${more}.`,
      {
        code: 'MODEL_WEIGHTS',
        value: problems,
        expected: 'every tensor of the model once, in its shape, with finite numbers',
        hint: 'a shard may be missing or belong to another model; fetch the folder again',
      },
    );
  }
}

/** The tokenizer of a folder has other ids than its `config.json` says. */
export class TokenizerMismatchError extends GymError {
  constructor(folder: string, token: string, found: unknown, wanted: unknown) {
    super(`The tokenizer in "${folder}" disagrees with its config.json: ${token} is ${found}, not ${wanted}.`, {
      code: 'TOKENIZER_MISMATCH',
      value: found,
      expected: `${token} = ${wanted}`,
      hint: 'take tokenizer and config from the same folder',
    });
  }
}

/** The model does not fit into memory. Said before anything is read. */
export class ModelTooLargeError extends GymError {
  constructor(folder: string, needed: number, available: number) {
    const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(bytes < 1e9 ? 3 : 1);
    super(
      `The model in "${folder}" needs ${gigabytes(needed)} GB of memory for its weights; ${gigabytes(available)} GB are available.`,
      {
        code: 'MODEL_TOO_LARGE',
        value: needed,
        expected: `at most ${available} bytes`,
        hint: 'choose a smaller dtype (bfloat16) or model; `vlgym models inspect FOLDER` shows what each needs',
      },
    );
  }
}

/** The folder to write already exists. */
export class FolderExistsError extends GymError {
  constructor(folder: string) {
    super(`The folder "${folder}" exists.`, {
      code: 'FOLDER_EXISTS',
      value: folder,
      expected: 'a folder that does not exist yet',
      hint: 'name another one, or delete this one',
    });
  }
}
