/** Errors of calls of a policy. */
import { GymError } from '@vlgym/core';

/** A prompt of more tokens than the model accepts. Nothing was computed. */
export class PromptTooLongError extends GymError {
  constructor(
    /** Number of prompt tokens; a lower bound where the text was too long to be encoded. */
    readonly tokens: number,
    readonly limit: number,
    isExact: boolean,
  ) {
    super(`The prompt has ${isExact ? '' : 'at least '}${tokens} tokens, the model accepts ${limit}.`, {
      code: 'PROMPT_TOO_LONG',
      value: tokens,
      expected: `at most ${limit} tokens`,
      hint: 'shorten the observation or the history, or raise `maxPositionEmbeddings` of the model configuration',
    });
  }
}

/** A picture for a model that reads text only. */
export class TextOnlyModelError extends GymError {
  /** No episode of this environment can be played: an evaluation stops instead of counting failures. */
  readonly isSetup = true;

  constructor(pictures: number) {
    super(`The model reads text only and was given ${pictures === 1 ? 'a picture' : `${pictures} pictures`}.`, {
      code: 'MODEL_TEXT_ONLY',
      value: pictures,
      expected: 'messages of text',
      hint: "choose observations in words where the environment offers them (`observation: 'text'`), or a model with a vision encoder; `vlgym models compose` gives this one eyes",
    });
  }
}

/** An empty response, which predicts nothing. */
export class EmptyResponseError extends GymError {
  constructor(index: number) {
    super(`Sequence ${index} has an empty response.`, {
      code: 'EMPTY_RESPONSE',
      value: index,
      expected: 'at least one response token',
      hint: 'leave the sequence out; `encodeResponse` always adds the end token',
    });
  }
}

/** θ_0 of a policy that does not keep it. */
export class NoReferenceError extends GymError {
  constructor() {
    super('The policy trains all weights and keeps no copy of those it started with.', {
      code: 'NO_REFERENCE',
      value: { keepReference: false },
      expected: 'a policy with `keepReference: true`, the default, or with adapters',
      hint: 'leave `keepReference` out of `createPolicy`',
    });
  }
}
