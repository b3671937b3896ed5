/** The update loop: mini-batches, objectives, optimization, supervised steps. */
export { type CosineOptions, cosine, type WarmupCosineOptions, warmupCosine } from './cosine.js';
export type { CriticLoss } from './critic.js';
export { LossBatch } from './loss-batch.js';
export { type MicroBatch, type MiniBatch, miniBatches } from './minibatches.js';
export type { Actor, ActorLoss, Objective } from './objective.js';
export { isWarmup, type OptimizeHooks, optimize } from './optimize.js';
export { type Averaging, type ReduceOptions, reduceCritic, reduceLoss } from './reduce.js';
export { type LabeledSequence, type SuperviseOptions, supervise } from './supervise.js';
