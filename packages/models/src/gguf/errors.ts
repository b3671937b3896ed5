/** Errors of GGUF files. */
import { GymError } from '@vlgym/core';

interface Details {
  readonly value?: unknown;
  readonly expected: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The file is truncated, damaged, or not in the GGUF format. */
export class GgufInvalidError extends GymError {
  constructor(
    readonly path: string,
    problem: string,
    { value = path, expected, hint, cause }: Details,
  ) {
    super(`Invalid GGUF file "${path}": ${problem}.`, {
      code: 'GGUF_INVALID',
      value,
      expected,
      hint: hint ?? 'fetch the file again; an interrupted download is the usual cause',
      cause,
    });
  }
}

/** A valid file with a model, tokenizer or quantization that is not imported exactly. Nothing was written. */
export class GgufUnsupportedError extends GymError {
  constructor(
    readonly path: string,
    problem: string,
    { value = path, expected, hint, cause }: Details,
  ) {
    super(`The GGUF file "${path}" cannot be imported: ${problem}.`, {
      code: 'GGUF_UNSUPPORTED',
      value,
      expected,
      hint: hint ?? 'choose another GGUF file of the model, or the folder that it was converted from',
      cause,
    });
  }
}
