/** How a serving engine fails, and whether another try may help. */
import { GymError } from '@vlgym/core';

/** The server cannot be reached, did not answer in time, or answered with its own error. */
export class EngineError extends GymError {
  constructor(
    readonly engine: string,
    readonly problem: string,
    /** HTTP status; absent if there was no answer. */
    readonly status?: number,
    cause?: unknown,
  ) {
    super(`${engine}: ${problem}.`, {
      code: status === undefined ? 'MODEL_UNREACHABLE' : 'MODEL_HTTP_ERROR',
      value: status,
      hint: status === undefined ? 'check that the server runs and is reachable' : 'see the log of the server',
      cause,
    });
  }

  /** Paused for new weights, or busy: the same server will answer later. */
  get isPaused(): boolean {
    return this.status === 503;
  }

  /** The request itself is wrong; no other replica would take it. A server that was started again lacks the weights (404). */
  get isFinal(): boolean {
    return this.status !== undefined && this.status >= 400 && this.status < 500 && ![404, 429].includes(this.status);
  }
}

/** An answer that is not of the known shape, or that contradicts itself. */
export class EngineAnswerError extends GymError {
  constructor(engine: string, problem: string, cause?: unknown) {
    super(`${engine} answered in an unknown form: ${problem}.`, {
      code: 'MODEL_ANSWER_INVALID',
      value: problem,
      hint: 'this version of the engine may be newer than the adapter; pin the version that README.md names',
      cause,
    });
  }
}

/** The engine read another prompt than the one sent. */
export class PromptMismatchError extends GymError {
  constructor(engine: string, sent: ArrayLike<number>, read: ArrayLike<number>) {
    const length = Math.max(sent.length, read.length);
    let at = 0;
    while (at < length && sent[at] === read[at]) at += 1;
    const around = (ids: ArrayLike<number>) =>
      Array.from(ids)
        .slice(Math.max(0, at - 3), at + 4)
        .join(' ');
    super(`${engine} read another prompt from token ${at} on: ${around(read)} instead of ${around(sent)}.`, {
      code: 'PROMPT_MISMATCH',
      value: at,
      expected: `${sent.length} ids, all equal; it read ${read.length}`,
      hint: 'serve the model that the learner trains, and send pictures in the size that it reads',
    });
  }
}

/** The engine does not do what training needs; reported before the first episode. */
export class HandshakeError extends GymError {
  constructor(
    code: 'LOGPROBS_NOT_BEHAVIOR' | 'CONSTRAINT_IGNORED' | 'ADAPTER_MISSING' | 'ADAPTER_WRONG' | 'ENGINE_CANNOT_TRAIN',
    message: string,
    details: { readonly value?: unknown; readonly expected: string; readonly hint: string },
  ) {
    super(message, { code, ...details });
  }
}

/** Every replica failed or rests. */
export class NoHealthyReplicaError extends GymError {
  constructor(replicas: readonly string[], cause: unknown) {
    super(`None of ${replicas.length} sampling engines answered: ${replicas.join(', ')}.`, {
      code: 'NO_HEALTHY_REPLICA',
      value: replicas.length,
      hint: 'start one of them; orders are tried again',
      cause,
    });
  }
}
