/**
 * Errors of the native side: the addon is missing, libtorch refused, a tensor was used after its end.
 *
 * The addon builds none of these itself; it hands code, operation and message to `nativeError`, so that a C++
 * exception surfaces as one of the classes below.
 */
import { GymError } from '@vlgym/core';

/** libtorch, or the binding, refused an operation. The message starts with the operation and the shapes it saw. */
export class TorchError extends GymError {
  constructor(
    readonly operation: string,
    reason: string,
    options: { code?: string; hint?: string; cause?: unknown } = {},
  ) {
    super(`${operation}: ${reason}`, { code: 'TORCH_ERROR', ...options });
  }
}

/** A tensor was used after `dispose()`, or after the `tidy` that made it had ended. */
export class TensorDisposedError extends TorchError {
  constructor(operation: string) {
    super(operation, 'a tensor was used after it had been disposed', {
      code: 'TENSOR_DISPOSED',
      hint: 'return the tensor from `tidy`, or protect it with `keep(tensor)`',
    });
  }
}

/** An argument of the wrong JavaScript type or range. */
export class TensorArgumentError extends TorchError {
  constructor(operation: string, reason: string) {
    super(operation, reason, { code: 'BAD_ARGUMENT' });
  }
}

/** The memory of the machine or of the device is used up. */
export class OutOfMemoryError extends TorchError {
  constructor(operation: string, reason: string) {
    super(operation, reason, {
      code: 'OUT_OF_MEMORY',
      hint: 'use smaller batches, or check `memory()` for tensors that are never disposed',
    });
  }
}

/** The operating system refused (a file, a disk); `errno` is its number. */
export class NativeSystemError extends TorchError {
  constructor(
    operation: string,
    reason: string,
    readonly errno: number,
  ) {
    super(operation, reason, { code: 'SYSTEM_ERROR' });
  }
}

/** A call of a process group failed: a rank is missing, died or hangs. The group cannot be used afterwards. */
export class ProcessGroupError extends TorchError {
  constructor(operation: string, reason: string) {
    super(operation, reason, {
      code: 'PROCESS_GROUP_FAILED',
      hint: 'look at the output of the other ranks for the first error, then start all of them again',
    });
  }
}

/** The group should use NCCL, and this machine or this libtorch cannot. */
export class NcclUnavailableError extends GymError {
  constructor(reason: string) {
    super(`NCCL cannot be used: ${reason}.`, {
      code: 'NCCL_UNAVAILABLE',
      value: reason,
      expected: 'a libtorch for CUDA, a CUDA device and libnccl.so.2',
      hint: 'leave the back end at its default, gloo; it sums tensors of any device in CPU memory',
    });
  }
}

/** No compiled addon fits this Node, this libtorch and these sources. */
export class NativeNotFoundError extends GymError {
  constructor(reason: string, hint = 'run `npx vlgym setup` (or call `setup()` of @vlgym/gpu); it compiles once') {
    super(`The native part of @vlgym/gpu is not ready: ${reason}.`, { code: 'NATIVE_NOT_FOUND', hint });
  }
}

/** The compiled addon is there but this process cannot load it. */
export class NativeLoadError extends GymError {
  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super(`The native part of @vlgym/gpu could not be loaded: ${firstLine(cause)}`, {
      code: 'NATIVE_LOAD_FAILED',
      value: path,
      hint: 'run `npx vlgym doctor`; `npx vlgym setup --force` compiles it again',
      cause,
    });
  }
}

/** Called by the addon with the exception it caught. */
export function nativeError(code: string, operation: string, message: string, errno: number): GymError {
  switch (code) {
    case 'TENSOR_DISPOSED':
      return new TensorDisposedError(operation);
    case 'BAD_ARGUMENT':
      return new TensorArgumentError(operation, message);
    case 'OUT_OF_MEMORY':
      return new OutOfMemoryError(operation, message);
    case 'SYSTEM_ERROR':
      return new NativeSystemError(operation, message, errno);
    case 'PROCESS_GROUP_FAILED':
      return new ProcessGroupError(operation, message);
    default:
      return new TorchError(operation, message);
  }
}

function firstLine(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? '';
}
