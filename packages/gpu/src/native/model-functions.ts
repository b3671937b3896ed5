/**
 * The functions of the addon, as TypeScript sees them: layers, decoders, random numbers, gradients and optimizers. One line per `define(...)` in `native/*.cpp`.
 */
import type { Handle, Ints, NativeDecoder, NativeGenerator, NativeGraph, Pair, Scalar } from './handles.js';

export interface ModelFunctions {
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
  dropout(x: Handle, probability: number, generator: NativeGenerator | null): Handle;
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
  /** Whether graphs of CUDA are used where they can be, in the whole process; `onCpu`: imitated there, for tests. */
  useGraphs(enabled: boolean, onCpu: boolean): void;
  areGraphsInUse(device: string): boolean;
  recordGraph(device: string, operations: () => void): NativeGraph;
  replayGraph(graph: NativeGraph): void;
  closeGraph(graph: NativeGraph): void;
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
  newDecoder(
    numbers: readonly number[],
    tensors: readonly (Handle | null)[],
    generator: NativeGenerator | null,
  ): NativeDecoder;
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
    lastOnly: boolean,
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
    lastOnly: boolean,
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
  muonStep(
    parameters: readonly Handle[],
    momenta: readonly Handle[],
    rate: number,
    momentum: number,
    decay: number,
    nesterov: boolean,
    likeAdam: boolean,
    bfloat16: boolean,
  ): void;
  zeroGrads(parameters: readonly Handle[], setToNone: boolean): void;
  clipGradNorm(parameters: readonly Handle[], maximum: number): number;
}
