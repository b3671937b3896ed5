/**
 * The addon, as TypeScript sees it; nothing outside this package calls it. Tensors are integer handles, dtypes libtorch's
 * type numbers, absent arguments null.
 */
import type { ModelFunctions } from './model-functions.js';
import type { ProcessFunctions } from './process-functions.js';
import type { TensorFunctions } from './tensor-functions.js';

export type {
  Handle,
  NativeBuckets,
  NativeDecoder,
  NativeFile,
  NativeGenerator,
  NativeGroup,
  Scalar,
} from './handles.js';

export interface Native extends ProcessFunctions, TensorFunctions, ModelFunctions {}
