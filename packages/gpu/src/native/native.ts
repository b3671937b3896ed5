/**
 * The functions of the addon, as TypeScript sees them. One line per `define(...)` in `native/*.cpp`; nothing outside
 * this package calls them. Tensors are integer handles, dtypes libtorch's type numbers, absent arguments null.
 */
import type { nativeError } from './errors.js';

/** Slot and generation of a tensor in the addon's table, as one exact integer. */
export type Handle = number;
export type Scalar = number | boolean | bigint;
type Ints = readonly number[];
type Pair = [Handle, Handle];

declare const brand: unique symbol;
/** A random generator owned by the garbage collector. */
export interface NativeGenerator {
  readonly [brand]: 'generator';
}
/** A group of processes, closed by the garbage collector. */
export interface NativeGroup {
  readonly [brand]: 'group';
}
/** Parameters whose gradients are summed over a group; `closeBuckets` lets go of them. */
export interface NativeBuckets {
  readonly [brand]: 'buckets';
}
/** The weights of a decoder; `closeDecoder` lets go of them. */
export interface NativeDecoder {
  readonly [brand]: 'decoder';
}
/** An open file, closed by the garbage collector. */
export interface NativeFile {
  readonly [brand]: 'file';
}

export interface Native {
  // runtime.cpp
  setErrorFactory(factory: typeof nativeError): void;
  version(): string;
  hasCuda(): boolean;
  cudaDeviceCount(): number;
  synchronize(device: string): void;
  getNumThreads(): number;
  mostThreads(): number;
  setNumThreads(count: number): void;
  dispose(handle: Handle): boolean;
  aliveTensors(): number;
  aliveBytes(): number;
  allocatedBytes(device: string): number;
  peakBytes(device: string): number;
  resetPeakBytes(device: string): void;
  alias(x: Handle): Handle;

  // creation.cpp
  zeros(shape: Ints, dtype: number, device: string): Handle;
  ones(shape: Ints, dtype: number, device: string): Handle;
  empty(shape: Ints, dtype: number, device: string): Handle;
  full(shape: Ints, value: Scalar, dtype: number, device: string): Handle;
  arange(start: Scalar, end: Scalar, step: Scalar, dtype: number, device: string): Handle;
  linspace(start: Scalar, end: Scalar, steps: number, dtype: number, device: string): Handle;
  eye(rows: number, columns: number, dtype: number, device: string): Handle;
  zerosLike(x: Handle): Handle;
  onesLike(x: Handle): Handle;
  emptyLike(x: Handle): Handle;
  fullLike(x: Handle, value: Scalar): Handle;

  // data.cpp
  fromData(data: ArrayBufferView, shape: Ints, dtype: number, device: string): Handle;
  copyTo(x: Handle, data: ArrayBufferView): void;
  item(x: Handle): number;
  shape(x: Handle): number[];
  strides(x: Handle): number[];
  dtype(x: Handle): number;
  device(x: Handle): string;
  isContiguous(x: Handle): boolean;
  sharesStorage(x: Handle, y: Handle): boolean;

  // pointwise.cpp
  add(x: Handle, y: Handle, alpha: Scalar): Handle;
  addScalar(x: Handle, y: Scalar): Handle;
  sub(x: Handle, y: Handle, alpha: Scalar): Handle;
  subScalar(x: Handle, y: Scalar): Handle;
  mul(x: Handle, y: Handle): Handle;
  mulScalar(x: Handle, y: Scalar): Handle;
  div(x: Handle, y: Handle): Handle;
  divScalar(x: Handle, y: Scalar): Handle;
  pow(x: Handle, y: Handle): Handle;
  powScalar(x: Handle, y: Scalar): Handle;
  remainder(x: Handle, y: Handle): Handle;
  remainderScalar(x: Handle, y: Scalar): Handle;
  floorDivide(x: Handle, y: Handle): Handle;
  floorDivideScalar(x: Handle, y: Scalar): Handle;
  eq(x: Handle, y: Handle): Handle;
  eqScalar(x: Handle, y: Scalar): Handle;
  ne(x: Handle, y: Handle): Handle;
  neScalar(x: Handle, y: Scalar): Handle;
  lt(x: Handle, y: Handle): Handle;
  ltScalar(x: Handle, y: Scalar): Handle;
  le(x: Handle, y: Handle): Handle;
  leScalar(x: Handle, y: Scalar): Handle;
  gt(x: Handle, y: Handle): Handle;
  gtScalar(x: Handle, y: Scalar): Handle;
  ge(x: Handle, y: Handle): Handle;
  geScalar(x: Handle, y: Scalar): Handle;
  rsubScalar(x: Handle, y: Scalar): Handle;
  maximum(x: Handle, y: Handle): Handle;
  minimum(x: Handle, y: Handle): Handle;
  atan2(x: Handle, y: Handle): Handle;
  logicalAnd(x: Handle, y: Handle): Handle;
  logicalOr(x: Handle, y: Handle): Handle;
  logicalXor(x: Handle, y: Handle): Handle;
  addcmul(x: Handle, a: Handle, b: Handle, value: Scalar): Handle;
  addcdiv(x: Handle, a: Handle, b: Handle, value: Scalar): Handle;
  lerp(x: Handle, end: Handle, weight: Scalar): Handle;
  clamp(x: Handle, low: Scalar | null, high: Scalar | null): Handle;
  clampTensor(x: Handle, low: Handle | null, high: Handle | null): Handle;
  where(condition: Handle, x: Handle, y: Handle): Handle;
  to(x: Handle, dtype: number | null, device: string | null): Handle;
  gelu(x: Handle, approximate: string): Handle;
  leakyRelu(x: Handle, slope: Scalar): Handle;
  nanToNum(x: Handle, nan: number | null, positive: number | null, negative: number | null): Handle;
  neg(x: Handle): Handle;
  abs(x: Handle): Handle;
  sign(x: Handle): Handle;
  exp(x: Handle): Handle;
  expm1(x: Handle): Handle;
  log(x: Handle): Handle;
  log1p(x: Handle): Handle;
  log2(x: Handle): Handle;
  sqrt(x: Handle): Handle;
  rsqrt(x: Handle): Handle;
  square(x: Handle): Handle;
  reciprocal(x: Handle): Handle;
  sin(x: Handle): Handle;
  cos(x: Handle): Handle;
  tanh(x: Handle): Handle;
  sigmoid(x: Handle): Handle;
  relu(x: Handle): Handle;
  erf(x: Handle): Handle;
  floor(x: Handle): Handle;
  ceil(x: Handle): Handle;
  round(x: Handle): Handle;
  trunc(x: Handle): Handle;
  logicalNot(x: Handle): Handle;
  isnan(x: Handle): Handle;
  isinf(x: Handle): Handle;
  isfinite(x: Handle): Handle;
  clone(x: Handle): Handle;
  contiguous(x: Handle): Handle;
  silu(x: Handle): Handle;
  softplus(x: Handle): Handle;
  logSigmoid(x: Handle): Handle;

  // in-place.cpp
  add_(x: Handle, y: Handle, alpha: Scalar): void;
  add_Scalar(x: Handle, y: Scalar): void;
  sub_(x: Handle, y: Handle, alpha: Scalar): void;
  sub_Scalar(x: Handle, y: Scalar): void;
  mul_(x: Handle, y: Handle): void;
  mul_Scalar(x: Handle, y: Scalar): void;
  div_(x: Handle, y: Handle): void;
  div_Scalar(x: Handle, y: Scalar): void;
  zero_(x: Handle): void;
  fill_(x: Handle, value: Scalar): void;
  copy_(x: Handle, source: Handle): void;
  clamp_(x: Handle, low: Scalar | null, high: Scalar | null): void;
  addcmul_(x: Handle, a: Handle, b: Handle, value: Scalar): void;
  addcdiv_(x: Handle, a: Handle, b: Handle, value: Scalar): void;
  lerp_(x: Handle, end: Handle, weight: Scalar): void;
  maskedFill_(x: Handle, mask: Handle, value: Scalar): void;
  scatter_(x: Handle, dim: number, index: Handle, source: Handle): void;
  indexCopy_(x: Handle, dim: number, index: Handle, source: Handle): void;
  xorBits_(x: Handle, y: Handle): void;

  // reductions.cpp
  sum(x: Handle, dim: Ints | null, keep: boolean): Handle;
  mean(x: Handle, dim: Ints | null, keep: boolean): Handle;
  variance(x: Handle, dim: Ints | null, correction: number, keep: boolean): Handle;
  std(x: Handle, dim: Ints | null, correction: number, keep: boolean): Handle;
  prod(x: Handle, dim: number | null, keep: boolean): Handle;
  amax(x: Handle, dim: Ints, keep: boolean): Handle;
  amin(x: Handle, dim: Ints, keep: boolean): Handle;
  max(x: Handle): Handle;
  min(x: Handle): Handle;
  maxDim(x: Handle, dim: number, keep: boolean): Pair;
  minDim(x: Handle, dim: number, keep: boolean): Pair;
  argmax(x: Handle, dim: number | null, keep: boolean): Handle;
  argmin(x: Handle, dim: number | null, keep: boolean): Handle;
  any(x: Handle, dim: number | null, keep: boolean): Handle;
  all(x: Handle, dim: number | null, keep: boolean): Handle;
  norm(x: Handle, order: number, dim: Ints | null, keep: boolean): Handle;
  logsumexp(x: Handle, dim: Ints, keep: boolean): Handle;
  softmax(x: Handle, dim: number, dtype: number | null): Handle;
  logSoftmax(x: Handle, dim: number, dtype: number | null): Handle;
  cumsum(x: Handle, dim: number): Handle;
  cumprod(x: Handle, dim: number): Handle;
  sort(x: Handle, dim: number, descending: boolean, stable: boolean): Pair;
  argsort(x: Handle, dim: number, descending: boolean, stable: boolean): Handle;
  topk(x: Handle, k: number, dim: number, largest: boolean, sorted: boolean): Pair;
  kthvalue(x: Handle, k: number, dim: number, keep: boolean): Pair;
  median(x: Handle): Handle;
  quantile(x: Handle, q: number, dim: number | null, keep: boolean): Handle;
  unique(x: Handle): Handle;
  equal(x: Handle, y: Handle): boolean;
  allclose(x: Handle, y: Handle, rtol: number, atol: number, equalNan: boolean): boolean;

  // shapes.cpp
  view(x: Handle, shape: Ints): Handle;
  reshape(x: Handle, shape: Ints): Handle;
  flatten(x: Handle, start: number, end: number): Handle;
  unflatten(x: Handle, dim: number, sizes: Ints): Handle;
  transpose(x: Handle, a: number, b: number): Handle;
  t(x: Handle): Handle;
  permute(x: Handle, dims: Ints): Handle;
  squeeze(x: Handle, dim: number | null): Handle;
  unsqueeze(x: Handle, dim: number): Handle;
  expand(x: Handle, shape: Ints): Handle;
  repeat(x: Handle, times: Ints): Handle;
  repeatInterleave(x: Handle, times: number, dim: number | null): Handle;
  repeatInterleaveTensor(x: Handle, times: Handle, dim: number | null): Handle;
  narrow(x: Handle, dim: number, start: number, length: number): Handle;
  slice(x: Handle, dim: number, start: number | null, end: number | null, step: number): Handle;
  select(x: Handle, dim: number, index: number): Handle;
  flip(x: Handle, dims: Ints): Handle;
  roll(x: Handle, shifts: Ints, dims: Ints): Handle;
  tril(x: Handle, diagonal: number): Handle;
  triu(x: Handle, diagonal: number): Handle;
  diagonal(x: Handle, offset: number, a: number, b: number): Handle;
  pad(x: Handle, pad: Ints, mode: string, value: number | null): Handle;
  cat(tensors: readonly Handle[], dim: number): Handle;
  stack(tensors: readonly Handle[], dim: number): Handle;
  split(x: Handle, size: number, dim: number): Handle[];
  splitSizes(x: Handle, sizes: Ints, dim: number): Handle[];
  chunk(x: Handle, chunks: number, dim: number): Handle[];
  unbind(x: Handle, dim: number): Handle[];
  unfold(x: Handle, dim: number, size: number, step: number): Handle;

  // indexing.cpp
  gather(x: Handle, dim: number, index: Handle): Handle;
  scatter(x: Handle, dim: number, index: Handle, source: Handle): Handle;
  scatterScalar(x: Handle, dim: number, index: Handle, value: Scalar): Handle;
  scatterAdd(x: Handle, dim: number, index: Handle, source: Handle): Handle;
  indexSelect(x: Handle, dim: number, index: Handle): Handle;
  indexAdd(x: Handle, dim: number, index: Handle, source: Handle): Handle;
  index(x: Handle, list: readonly (Handle | null)[]): Handle;
  indexPut(x: Handle, list: readonly (Handle | null)[], values: Handle, accumulate: boolean): Handle;
  indexPut_(x: Handle, list: readonly (Handle | null)[], values: Handle, accumulate: boolean): void;
  take(x: Handle, index: Handle): Handle;
  takeAlongDim(x: Handle, index: Handle, dim: number | null): Handle;
  maskedFill(x: Handle, mask: Handle, value: Scalar): Handle;
  maskedSelect(x: Handle, mask: Handle): Handle;
  maskedScatter(x: Handle, mask: Handle, source: Handle): Handle;
  nonzero(x: Handle): Handle;
  searchsorted(sorted: Handle, values: Handle, right: boolean): Handle;
  bincount(x: Handle, weights: Handle | null, minimum: number): Handle;

  // neural.cpp
  matmul(x: Handle, y: Handle): Handle;
  mm(x: Handle, y: Handle): Handle;
  bmm(x: Handle, y: Handle): Handle;
  dot(x: Handle, y: Handle): Handle;
  outer(x: Handle, y: Handle): Handle;
  addmm(bias: Handle, x: Handle, y: Handle, beta: Scalar, alpha: Scalar): Handle;
  einsum(equation: string, tensors: readonly Handle[]): Handle;
  linear(x: Handle, weight: Handle, bias: Handle | null): Handle;
  embedding(weight: Handle, index: Handle, padding: number): Handle;
  layerNorm(x: Handle, shape: Ints, weight: Handle | null, bias: Handle | null, epsilon: number): Handle;
  rmsNorm(x: Handle, shape: Ints, weight: Handle | null, epsilon: number | null): Handle;
  rotate(x: Handle, cos: Handle, sin: Handle): Handle;
  quickGelu(x: Handle): Handle;
  groupNorm(x: Handle, groups: number, weight: Handle | null, bias: Handle | null, epsilon: number): Handle;
  conv2d(
    x: Handle,
    weight: Handle,
    bias: Handle | null,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: number,
  ): Handle;
  conv3d(
    x: Handle,
    weight: Handle,
    bias: Handle | null,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: number,
  ): Handle;
  maxPool2d(x: Handle, kernel: Ints, stride: Ints, padding: Ints): Handle;
  avgPool2d(x: Handle, kernel: Ints, stride: Ints, padding: Ints): Handle;
  interpolateBilinear(x: Handle, size: Ints, alignCorners: boolean, antialias: boolean): Handle;
  interpolateBicubic(x: Handle, size: Ints, alignCorners: boolean, antialias: boolean): Handle;
  interpolateNearest(x: Handle, size: Ints): Handle;
  scaledDotProductAttention(
    query: Handle,
    key: Handle,
    value: Handle,
    mask: Handle | null,
    causal: boolean,
    scale: number | null,
    groupedQuery: boolean,
  ): Handle;
  /** int8 entries, and a scale per row. */
  quantizeRows(weight: Handle): Pair;
  oneHot(x: Handle, classes: number): Handle;
  crossEntropy(
    x: Handle,
    target: Handle,
    weight: Handle | null,
    reduction: number,
    ignoreIndex: number,
    labelSmoothing: number,
  ): Handle;
  nllLoss(x: Handle, target: Handle, weight: Handle | null, reduction: number, ignoreIndex: number): Handle;
  mseLoss(x: Handle, target: Handle, reduction: number): Handle;
  smoothL1Loss(x: Handle, target: Handle, reduction: number, beta: number): Handle;
  binaryCrossEntropyWithLogits(
    x: Handle,
    target: Handle,
    weight: Handle | null,
    positive: Handle | null,
    reduction: number,
  ): Handle;

  // decoding.cpp
  newDecoder(numbers: readonly number[], tensors: readonly (Handle | null)[]): NativeDecoder;
  closeDecoder(decoder: NativeDecoder): void;
  decodeToken(
    decoder: NativeDecoder,
    ids: Handle,
    cos: Handle,
    sin: Handle,
    mask: Handle | null,
    keys: readonly Handle[],
    values: readonly Handle[],
    length: number,
  ): Handle;
  decodeTokenAsync(
    decoder: NativeDecoder,
    ids: Handle,
    cos: Handle,
    sin: Handle,
    mask: Handle | null,
    keys: readonly Handle[],
    values: readonly Handle[],
    length: number,
  ): Promise<Handle>;
  runDecoder(
    decoder: NativeDecoder,
    x: Handle,
    cos: Handle,
    sin: Handle,
    mask: Handle | null,
    keys: readonly Handle[],
    values: readonly Handle[],
    length: number,
    isLast: boolean,
    added: readonly Handle[],
  ): Handle;
  runDecoderAsync(
    decoder: NativeDecoder,
    x: Handle,
    cos: Handle,
    sin: Handle,
    mask: Handle | null,
    keys: readonly Handle[],
    values: readonly Handle[],
    length: number,
    isLast: boolean,
    added: readonly Handle[],
  ): Promise<Handle>;
  scoreTokensAsync(
    states: Handle,
    weight: Handle,
    ids: Handle,
    forbidden: Handle | null,
    floor: number,
    temperature: number,
    withEntropies: boolean,
    step: number,
  ): Promise<Handle>;
  processScores(
    scores: Handle,
    temperature: number,
    topK: number,
    topP: number,
    penalty: number,
    seen: Handle | null,
    allowed: Handle | null,
  ): Handle;
  drawToken(
    scores: Handle,
    temperature: number,
    topK: number,
    topP: number,
    penalty: number,
    seen: Handle | null,
    allowed: Handle | null,
    uniforms: Handle | null,
  ): Handle;

  // random.cpp
  newGenerator(device: string): NativeGenerator;
  seedGenerator(generator: NativeGenerator, seed: number): void;
  generatorState(generator: NativeGenerator): Handle;
  setGeneratorState(generator: NativeGenerator, state: Handle): void;
  manualSeed(seed: number): void;
  rand(shape: Ints, generator: NativeGenerator | null, dtype: number, device: string): Handle;
  randn(shape: Ints, generator: NativeGenerator | null, dtype: number, device: string): Handle;
  randint(
    low: number,
    high: number,
    shape: Ints,
    generator: NativeGenerator | null,
    dtype: number,
    device: string,
  ): Handle;
  randperm(count: number, generator: NativeGenerator | null, dtype: number, device: string): Handle;
  multinomial(weights: Handle, samples: number, replacement: boolean, generator: NativeGenerator | null): Handle;
  bernoulli(probabilities: Handle, generator: NativeGenerator | null): Handle;
  uniform_(x: Handle, low: number, high: number, generator: NativeGenerator | null): void;
  normal_(x: Handle, mean: number, deviation: number, generator: NativeGenerator | null): void;
  bernoulli_(x: Handle, probability: number, generator: NativeGenerator | null): void;
  exponential_(x: Handle, rate: number, generator: NativeGenerator | null): void;

  // autograd.cpp
  requiresGrad(x: Handle): boolean;
  isLeaf(x: Handle): boolean;
  setRequiresGrad(x: Handle, flag: boolean): void;
  detach(x: Handle): Handle;
  retainGrad(x: Handle): void;
  grad(x: Handle): Handle | null;
  setGrad(x: Handle, gradient: Handle | null): void;
  setGradEnabled(flag: boolean): boolean;
  isGradEnabled(): boolean;
  backward(x: Handle, gradient: Handle | null, retainGraph: boolean | null, createGraph: boolean): void;
  backwardAsync(x: Handle, gradient: Handle | null, retainGraph: boolean | null): Promise<void>;
  gradients(
    outputs: readonly Handle[],
    inputs: readonly Handle[],
    weights: readonly Handle[],
    retainGraph: boolean | null,
    createGraph: boolean,
    allowUnused: boolean,
  ): (Handle | null)[];

  // optimizers.cpp
  hasGrad(parameters: readonly Handle[]): number[];
  adamStep(
    parameters: readonly Handle[],
    averages: readonly Handle[],
    squares: readonly Handle[],
    steps: readonly number[],
    rate: number,
    beta1: number,
    beta2: number,
    epsilon: number,
    decay: number,
    decoupled: boolean,
  ): void;
  sgdStep(
    parameters: readonly Handle[],
    momenta: readonly Handle[],
    rate: number,
    momentum: number,
    dampening: number,
    decay: number,
    nesterov: boolean,
    first: boolean,
  ): void;
  zeroGrads(parameters: readonly Handle[], setToNone: boolean): void;
  clipGradNorm(parameters: readonly Handle[], maximum: number): number;

  // files.cpp
  /** Duplicates the descriptor; the caller closes its own. */
  openFile(descriptor: number): NativeFile;
  readTensor(file: NativeFile, offset: number, shape: Ints, dtype: number): Handle;
  writeFile(path: string, temporary: string, header: string, tensors: readonly Handle[]): void;
  writeFileAsync(path: string, temporary: string, header: string, tensors: readonly Handle[]): Promise<void>;

  // distributed.cpp
  newGroup(
    host: string,
    port: number,
    isServer: boolean,
    rank: number,
    size: number,
    seconds: number,
    name: string,
    address: string,
    /** CUDA device of a channel over NCCL; -1 without one. */
    ncclDevice: number,
  ): NativeGroup;
  connectGroup(group: NativeGroup): Promise<void>;
  allReduce(group: NativeGroup, x: Handle): Promise<void>;
  broadcast(group: NativeGroup, x: Handle, root: number): Promise<void>;
  allGather(group: NativeGroup, x: Handle, outputs: readonly Handle[]): Promise<void>;
  barrier(group: NativeGroup): Promise<void>;
  closeGroup(group: NativeGroup): Promise<void>;
  /** Why NCCL cannot be used; empty where it can. */
  ncclProblem(): string;

  // gradient-buckets.cpp
  newBuckets(
    group: NativeGroup,
    parameters: readonly Handle[],
    firstBytes: number,
    bytes: number,
    hooks: boolean,
  ): NativeBuckets;
  armBuckets(buckets: NativeBuckets): void;
  sumBuckets(buckets: NativeBuckets, factor: number): Promise<void>;
  /** Buckets, those that left during a backward pass, those that were sent again. */
  bucketCounts(buckets: NativeBuckets): [number, number, number];
  closeBuckets(buckets: NativeBuckets): void;
}
